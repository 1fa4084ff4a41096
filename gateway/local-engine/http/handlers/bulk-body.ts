import { failures, requestInvalid, unsupported } from '../../errors.ts'
import { parseJson } from '../../json/parse.ts'
import { isObject } from '../../mapping/parse.ts'
import { tokenName } from '../../query/define.ts'
import { plainText } from '../../query/parameters.ts'
import { readConditions } from '../request.ts'

const ACTIONS = ['create', 'delete', 'index', 'update'] as const
export type Action = (typeof ACTIONS)[number]

/** One action of a bulk body; the source is still bytes, because each fails on its own. */
export interface BulkLine {
  readonly action: Action
  readonly index: string
  /** Undefined: one is to be made. */
  readonly id: string | undefined
  readonly routing: string | undefined
  readonly conditions: ReturnType<typeof readConditions>
  /** Empty for a delete. */
  readonly source: Uint8Array
}

const KNOWN = new Set([
  '_index',
  '_id',
  '_routing',
  'routing',
  'op_type',
  'if_seq_no',
  'if_primary_term',
  'version',
  '_version',
  'version_type',
  '_version_type',
  'retry_on_conflict',
  '_retry_on_conflict',
])
const REFUSED = new Set(['pipeline', 'require_alias', '_source', 'dynamic_templates'])

/** The byte that ends a line. */
export const LINE_FEED = 10

/** Lines of a body without their line feeds; a carriage return before it is dropped too. */
export function* splitLines(body: Uint8Array): Iterable<Uint8Array> {
  for (let from = 0; from < body.length;) {
    const feed = body.indexOf(LINE_FEED, from)
    const end = feed < 0 ? body.length : feed
    yield body.subarray(from, end > from && body[end - 1] === 13 ? end - 1 : end)
    from = end + 1
  }
}

/**
 * Reads a bulk body. What is wrong with an action line spoils the whole request, as in the engine.
 * @param defaultIndex of the path; empty when there is none.
 * @throws {EngineFailure}
 */
export function readBulk(body: Uint8Array, defaultIndex: string): BulkLine[] {
  if (body.length === 0) throw failures.parse('request body is required')
  if (body[body.length - 1] !== LINE_FEED)
    throw failures.illegalArgument('The bulk request must be terminated by a newline [\\n]')
  const lines: BulkLine[] = []
  const problems: string[] = []
  let number = 0
  let open: Omit<BulkLine, 'source'> | undefined
  for (const bytes of splitLines(body)) {
    number++
    if (open) {
      lines.push({ ...open, source: bytes })
      open = undefined
      continue
    }
    if (bytes.length === 0) continue
    const line = readAction(bytes, number, defaultIndex)
    if (line.index === '') problems.push('index is missing')
    else if (line.id === undefined && (line.action === 'delete' || line.action === 'update'))
      problems.push('id is missing')
    if (line.action === 'delete') lines.push({ ...line, source: new Uint8Array() })
    else open = line
  }
  if (open)
    throw failures.illegalArgument(
      `Malformed action/metadata line [${number}]: the line with the document is missing after it`,
    )
  if (lines.length === 0) throw requestInvalid('no requests added')
  if (problems.length > 0) throw requestInvalid(...problems)
  return lines
}

function readAction(bytes: Uint8Array, number: number, defaultIndex: string) {
  const json = parseJson(bytes)
  const where = `Malformed action/metadata line [${number}]`
  if (!isObject(json))
    throw failures.illegalArgument(`${where}, expected START_OBJECT but found [${tokenName(json)}]`)
  const [[action, meta] = [], second] = Object.entries(json)
  if (action === undefined)
    throw failures.illegalArgument(`${where}, expected FIELD_NAME but found [END_OBJECT]`)
  const known = ACTIONS.find((one) => one === action)
  if (!known)
    throw failures.illegalArgument(
      `${where}, expected one of [create, delete, index, update] but found [${action}]`,
    )
  if (!isObject(meta))
    throw failures.illegalArgument(
      `${where}, expected START_OBJECT or END_OBJECT but found [${tokenName(meta)}]`,
    )
  if (second) throw failures.illegalArgument(`${where}, expected one object after [${known}]`)
  for (const key of Object.keys(meta)) {
    if (REFUSED.has(key)) throw unsupported(`bulk.${key}`, `[${key}] of a bulk action`)
    if (!KNOWN.has(key))
      throw failures.illegalArgument(
        `Action/metadata line [${number}] contains an unknown parameter [${key}]`,
      )
  }
  const text = (...names: string[]) => {
    const value = names.map((name) => meta[name]).find((one) => one !== undefined && one !== null)
    if (value === undefined || typeof value === 'string') return value
    if (typeof value !== 'object') return plainText(value)
    throw failures.illegalArgument(
      `${where}, expected a simple value for field [${names[0]}] but found [${tokenName(value)}]`,
    )
  }
  const int = (...names: string[]) => {
    const value = text(...names)
    if (value === undefined) return undefined
    if (/^\d+$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value)
    throw failures.illegalArgument(`For input string: "${value}"`)
  }
  const version = int('version', '_version')
  // The engine takes any other type than this for that of the action.
  const isCreate = known === 'create' || (known === 'index' && text('op_type') === 'create')
  if (isCreate && version !== undefined)
    throw requestInvalid('create operations do not support explicit versions. use index instead')
  return {
    action: isCreate ? ('create' as const) : known,
    index: text('_index') ?? defaultIndex,
    id: text('_id'),
    routing: text('routing', '_routing'),
    conditions: readConditions({
      ifSeqNo: int('if_seq_no'),
      ifPrimaryTerm: int('if_primary_term'),
      version,
      versionType: text('version_type', '_version_type'),
    }),
  }
}
