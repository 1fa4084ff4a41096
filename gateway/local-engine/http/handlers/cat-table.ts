import { failures, unsupported } from '../../errors.ts'
import type { Parameters } from '../../features/define.ts'
import { json, plainText, type Reply } from '../reply.ts'
import type { EngineRequest } from '../request.ts'

/** One column of a `_cat` table. */
export interface Column<Row> {
  readonly name: string
  readonly aliases: readonly string[]
  readonly description: string
  /** Shown only when `h` asks for it. */
  readonly isHidden?: boolean
  readonly isNumber?: boolean
  readonly value: (row: Row) => string
}

/** Parameters of every `_cat` endpoint. */
export const CAT_PARAMETERS: Parameters = {
  v: 'boolean',
  h: 'text',
  s: 'text',
  help: 'boolean',
  bytes: ['b', 'kb', 'k', 'mb', 'm', 'gb', 'g', 'tb', 't'],
  time: 'no-effect',
  ts: 'boolean',
  local: 'no-effect',
  cluster_manager_timeout: 'no-effect',
  master_timeout: 'no-effect',
}

/** Renders a table as text, or as JSON with `format=json`. */
export function renderTable<Row>(
  request: EngineRequest,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Reply {
  if (request.flag('help'))
    return plainText(
      columns
        .map(
          ({ name, aliases, description }) => `${name} | ${aliases.join(',')} | ${description}\n`,
        )
        .join(''),
    )
  const shown = chooseColumns(request, columns)
  const sorted = sortRows(request, columns, rows)
  const format = request.text('format') ?? 'text'
  if (format === 'json')
    return json(
      sorted.map((row) =>
        Object.fromEntries(shown.map((column) => [column.name, column.value(row)])),
      ),
    )
  if (format !== 'text' && format !== 'txt')
    throw unsupported(`format.${format}`, `format [${format}] of _cat`)
  const header = request.flag('v') ? [shown.map(({ name }) => name)] : []
  return plainText(
    align([...header, ...sorted.map((row) => shown.map(({ value }) => value(row)))], shown),
  )
}

function align(lines: readonly string[][], columns: readonly { readonly isNumber?: boolean }[]) {
  const widths = columns.map((_, i) => Math.max(0, ...lines.map((line) => line[i]?.length ?? 0)))
  return lines
    .map((line) => {
      const cells = line.map((cell, i) =>
        columns[i]?.isNumber ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      )
      return `${cells.join(' ')}\n`
    })
    .join('')
}

const fits = <Row>({ name, aliases }: Column<Row>, wanted: string) =>
  name === wanted || aliases.includes(wanted)

function chooseColumns<Row>(request: EngineRequest, columns: readonly Column<Row>[]) {
  const wanted = request.text('h')
  if (wanted === undefined || wanted === '') return columns.filter(({ isHidden }) => !isHidden)
  return wanted.split(',').flatMap((pattern) => {
    if (!pattern.includes('*')) return columns.filter((column) => fits(column, pattern)).slice(0, 1)
    const regex = new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`)
    return columns.filter(({ name }) => regex.test(name))
  })
}

function sortRows<Row>(
  request: EngineRequest,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
) {
  const order = request.text('s')
  if (order === undefined || order === '') return rows
  const keys = order.split(',').map((part) => {
    const [name = '', direction = 'asc'] = part.split(':')
    const column = columns.find((one) => fits(one, name))
    if (!column)
      throw failures.illegalArgument(
        `Unable to sort by unknown sort key \`${name}\`, choose one of ${columns.map(({ name }) => name).join(', ')}`,
      )
    return { column, sign: direction === 'desc' ? -1 : 1 }
  })
  return rows.toSorted((a, b) => {
    for (const { column, sign } of keys) {
      const [x, y] = [column.value(a), column.value(b)]
      const difference = column.isNumber ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0
      if (difference !== 0) return difference * sign
    }
    return 0
  })
}

const SIZES = { b: 1, k: 1024, kb: 1024, m: 2 ** 20, mb: 2 ** 20, g: 2 ** 30, gb: 2 ** 30 } as const

/** Bytes as `_cat` shows them: `18.7kb`, or a bare number of the unit `bytes` names. */
export function formatBytes(bytes: number, unit: string | undefined): string {
  if (unit !== undefined) {
    const size = unit in SIZES ? SIZES[unit as keyof typeof SIZES] : 2 ** 40
    return String(Math.floor(bytes / size))
  }
  for (const [name, size] of [
    ['gb', 2 ** 30],
    ['mb', 2 ** 20],
    ['kb', 1024],
  ] as const)
    if (bytes >= size) return `${Math.floor((bytes / size) * 10) / 10}${name}`
  return `${bytes}b`
}
