import type { PipelineDefinition, StageEntry } from '../contract/pipeline.ts'
import { errors, type SourcePosition } from '../errors.ts'
import { checkInputs } from './check-inputs.ts'
import { compileTrigger, type PlannedTrigger } from './compile-trigger.ts'
import type { DefinitionSources, ScriptText } from './definition-sources.ts'
import { canonicalPath } from './dialect.ts'
import { planOrder } from './order.ts'
import { planLine } from './plan-line.ts'
import { readsBodyEnvs } from './reads-body-envs.ts'
import type { StageKind } from './stage-kind.ts'
import { type Template, toTemplate } from './template.ts'
import type { Expression } from './trigger/node.ts'
import { parseExpression } from './trigger/parse.ts'

/** A script as the sandbox takes it. */
export interface PlannedScript extends ScriptText {
  readonly stageId: string
  /** Its stage runs asynchronously. */
  readonly async?: boolean
}

/** One route, its template split: a parameter is named, a literal is text. */
export interface PlannedRoute {
  readonly method: string
  /** With leading slash and canonical names. */
  readonly path: string
  readonly segments: readonly (string | { parameter: string })[]
  readonly category?: string
  readonly acl?: string
  readonly recordLogs: boolean
}

/** One stage, ready to run. Other stages are named by their index in the pipeline's list. */
export interface PlannedStage<Kind extends StageKind = StageKind> {
  readonly id: string
  readonly index: number
  readonly use?: string
  /** Absent for scripts. */
  readonly kind?: Kind
  readonly isScript: boolean
  /** Runs in parallel; only where the stage's kind honours it. */
  readonly async: boolean
  readonly enabled: boolean
  readonly continueOnError: boolean
  /** Direct needs, as ids and as indices. */
  readonly needs: readonly string[]
  readonly needIndices: readonly number[]
  /** All asynchronous stages it needs directly or through others, in list order. */
  readonly asyncNeeds: readonly number[]
  /** Of an asynchronous stage: the last synchronous stage in order whose context it sees. */
  readonly sees?: number
  readonly trigger?: Expression
  readonly inputs: Template
  /** The inputs as written, which a trigger may read. */
  readonly writtenInputs: unknown
  readonly source: SourcePosition
  /** Where a part of the inputs stands; the path descends from `inputs`. */
  locateInput(path: readonly string[]): SourcePosition
}

/** A pipeline version, compiled once. Immutable and shared by all its runs. */
export interface Plan<Kind extends StageKind = StageKind> {
  readonly pipelineId: string
  readonly file?: string
  /** Of a stored pipeline: it also answers below `/v<version>/`. */
  readonly version?: number
  /** False only for versions that answer nowhere else. */
  readonly isLive?: boolean
  readonly enabled: boolean
  readonly priority: number
  readonly routes: readonly PlannedRoute[]
  readonly trigger: PlannedTrigger
  readonly envs: Readonly<Record<string, unknown>>
  /** In the pipeline's order. */
  readonly stages: readonly PlannedStage<Kind>[]
  /** The synchronous stages in execution order; those of one inner list may be fused. */
  readonly line: readonly (readonly PlannedStage<Kind>[])[]
  readonly asyncStages: readonly number[]
  readonly scripts: readonly PlannedScript[]
  /** Whether an enabled guard stands in it; else its routes are open. */
  readonly isGuarded: boolean
  /** Whether anything may read what `envs` takes from the body. */
  readonly readsBodyEnvs: boolean
}

/** What `parsePipeline` gives for a text without errors. */
export interface CheckedPipeline {
  readonly definition: PipelineDefinition
  readonly sources: DefinitionSources
}

/**
 * Compiles a checked pipeline.
 * @throws {GatewayError} PIPELINE_INVALID when the definition was not checked with these kinds.
 */
export function compilePlan<Kind extends StageKind>(
  { definition, sources }: CheckedPipeline,
  kinds: readonly Kind[],
): Plan<Kind> {
  const byUse = new Map(kinds.map((kind) => [kind.use, kind]))
  const entries = definition.stages.map((entry, index) => toEntry(entry, index, byUse))
  const { order, needIndices, guards } = arrange(entries)
  const placeOf = new Map(order.map((index, place) => [index, place]))

  const stages = entries.map((entry, index): PlannedStage<Kind> => {
    const all = allNeeds(index, needIndices)
    const lastSync = all
      .filter((need) => !entries[need]?.async)
      .toSorted((a, b) => (placeOf.get(a) ?? 0) - (placeOf.get(b) ?? 0))
      .at(-1)
    const { line, column, file } = sources.locate(['stages', index])
    return {
      ...entry,
      needIndices: needIndices[index] ?? [],
      asyncNeeds: all.filter((need) => entries[need]?.async).toSorted((a, b) => a - b),
      sees: entry.async ? (lastSync ?? guards.at(-1)) : undefined,
      source: { file, line, column },
      locateInput: (path) => {
        const range = sources.locate(['stages', index, 'inputs', ...path.map(toKey)])
        return { file: range.file, line: range.line, column: range.column }
      },
    }
  })
  const scripts = sources.stages.flatMap(({ script }, index) =>
    script
      ? {
          ...script,
          stageId: entries[index]?.id ?? '',
          ...(entries[index]?.async && { async: true }),
        }
      : [],
  )
  const routes = definition.routes.map(toRoute)
  return {
    pipelineId: definition.id ?? '',
    file: sources.file,
    enabled: definition.enabled ?? true,
    priority: definition.priority ?? 0,
    routes,
    trigger: compileTrigger(definition.trigger),
    envs: definition.envs ?? {},
    stages,
    line: planLine(stages, order),
    asyncStages: order.filter((index) => stages[index]?.async),
    scripts,
    isGuarded: stages.some(({ kind, enabled }) => kind?.position === 'guard' && enabled),
    readsBodyEnvs:
      routes.some(({ category }) => category === 'declarative') && readsBodyEnvs(stages, scripts),
  }
}

/** The execution order, guards first, and the needs of every stage, all as places in the list. */
function arrange<Kind extends StageKind>(entries: readonly Entry<Kind>[]) {
  const sorted = planOrder(entries.map(withoutGuardNeeds))
  if ('cycle' in sorted)
    throw errors.pipelineInvalid(`The needs of "${sorted.cycle.join('", "')}" form a circle`)
  const indexOf = new Map(entries.map(({ id }, index) => [id, index]))
  const toIndices = (ids: readonly string[]) => ids.flatMap((id) => indexOf.get(id) ?? [])
  const guards = entries.flatMap((entry, index) => (entry.kind?.position === 'guard' ? index : []))
  return {
    guards,
    order: [...guards, ...toIndices(sorted.order).filter((index) => !guards.includes(index))],
    needIndices: entries.map((entry) => toIndices(withoutGuardNeeds(entry).needs)),
  }
}

type Entry<Kind extends StageKind> = Omit<
  PlannedStage<Kind>,
  'needIndices' | 'asyncNeeds' | 'sees' | 'source' | 'locateInput'
>

function toEntry<Kind extends StageKind>(
  entry: StageEntry,
  index: number,
  byUse: ReadonlyMap<string, Kind>,
): Entry<Kind> {
  const id = entry.id ?? entry.use ?? ''
  const isScript = entry.script !== undefined || entry.scriptRef !== undefined
  const kind = isScript ? undefined : byUse.get(entry.use ?? '')
  if (!isScript && !kind)
    throw errors.pipelineInvalid(`Stage "${id}" uses "${entry.use}", which is not known`)
  const isGuard = kind?.position === 'guard'
  const expression = entry.trigger?.expression?.trim()
  return {
    id,
    index,
    use: isScript ? undefined : entry.use,
    kind,
    isScript,
    async: entry.async === true && (isScript || kind?.mayBeAsync === true),
    enabled: entry.enabled ?? true,
    // A guard that could be stepped over would guard nothing.
    continueOnError: !isGuard && (entry.continueOnError ?? true),
    needs: entry.needs ?? [],
    trigger: expression && !isGuard ? parseExpression(expression) : undefined,
    inputs: kind ? toInputs(kind, entry.inputs) : { kind: 'constant', value: {} },
    writtenInputs: entry.inputs ?? {},
  }
}

/** Inputs without dynamic parts are validated here, once, and never again. */
function toInputs(kind: StageKind, written: unknown): Template {
  const template = toTemplate(checkInputs(kind, written).value)
  if (template.kind !== 'constant') return template
  const parsed = kind.inputs.safeParse(template.value)
  if (!parsed.success)
    throw errors.pipelineInvalid(`The inputs of ${kind.use} are wrong: ${parsed.error.message}`)
  return { kind: 'constant', value: parsed.data }
}

const withoutGuardNeeds = <Kind extends StageKind>(entry: Entry<Kind>) => ({
  id: entry.id,
  needs: entry.kind?.position === 'guard' ? [] : entry.needs,
})

function allNeeds(index: number, direct: readonly (readonly number[])[]): number[] {
  const found = new Set<number>()
  const open = [...(direct[index] ?? [])]
  for (let need = open.pop(); need !== undefined; need = open.pop())
    if (!found.has(need)) {
      found.add(need)
      open.push(...(direct[need] ?? []))
    }
  return [...found]
}

const toKey = (key: string) => (/^\d+$/.test(key) ? Number(key) : key)

function toRoute(route: PipelineDefinition['routes'][number]): PlannedRoute {
  const path = canonicalPath(`/${route.path}`.replace(/^\/+/, '/'))
  return {
    method: route.method,
    path,
    segments: path
      .slice(1)
      .split('/')
      .map((segment) => {
        const parameter = /^\{(.+)\}$/.exec(segment)?.[1]
        return parameter ? { parameter } : segment
      }),
    category: route.classify?.category,
    acl: route.classify?.acl,
    recordLogs: route.recordLogs ?? false,
  }
}
