import { isSplit } from './crossing.ts'
import type { ScriptContext } from './sandbox.ts'

/** What a script threw, in plain text. */
export interface ThrownText {
  name?: string
  message: string
  isError: boolean
  stack?: string
  /** Set instead of the others when what the script gave back cannot be used. */
  invalidResult?: string
}

interface StageReport {
  index: number
  startTime: number
  endTime: number
  error?: ThrownText
  logs?: string
  returned: unknown
  /** Lays what the stage changed over a context; the rest stays the very same objects. */
  changes: (context: ScriptContext) => ScriptContext
}

const PER_RUN = 3
const PER_STAGE = 7
const PER_CHANGE = 4

/** What one run reports: all stages it has finished since it last did. */
export interface RunReport {
  key: number
  isFinal: boolean
  stages: StageReport[]
}

/** Reads the flat values of realm/kernel.ts: for each run key, final or not, count, the stages. */
export function readResults(values: readonly unknown[], from: number): RunReport[] {
  const reports: RunReport[] = []
  for (let at = from; at < values.length;) {
    const stages: StageReport[] = []
    const [key, isFinal] = [Number(values[at]), values[at + 1] === true]
    const next = readStages(values, { from: at + PER_RUN, count: Number(values[at + 2]) }, stages)
    reports.push({ key, isFinal, stages })
    at = next
  }
  return reports
}

/** @returns the index after the stages. */
function readStages(
  values: readonly unknown[],
  { from, count }: { from: number; count: number },
  stages: StageReport[],
): number {
  let at = from
  for (let left = count; left > 0; left--) {
    const from = at + PER_STAGE
    const count = Number(values[at + 6])
    const [error, logs, returned] = [values[at + 3], values[at + 4], values[at + 5]]
    stages.push({
      index: Number(values[at]),
      startTime: Number(values[at + 1]),
      endTime: Number(values[at + 2]),
      ...(typeof error === 'string' && { error: JSON.parse(error) as ThrownText }), // our own text
      ...(typeof logs === 'string' && { logs }),
      returned: typeof returned === 'string' ? JSON.parse(returned) : undefined,
      changes: (context) => applyChanges(context, values, { from, count }),
    })
    at = from + count * PER_CHANGE
  }
  return at
}

function applyChanges(
  context: ScriptContext,
  values: readonly unknown[],
  { from, count }: { from: number; count: number },
): ScriptContext {
  if (count === 0) return context
  const next: Record<string, unknown> = { ...context }
  let isChanged = false
  for (let at = from; at < from + count * PER_CHANGE; at += PER_CHANGE) {
    const top = String(values[at])
    const sub = values[at + 1]
    const raw = values[at + 3]
    const isJson = values[at + 2] === true && typeof raw === 'string'
    const target = typeof sub === 'string' ? membersOf(next, context, top) : next
    const key = typeof sub === 'string' ? sub : top
    // A part that had not crossed comes back even when the script gave the same value.
    if (isSame(target[key], isJson, raw)) continue
    isChanged = true
    if (raw === undefined) Reflect.deleteProperty(target, key)
    else put(target, key, isJson ? JSON.parse(raw) : raw)
    if (target !== next) next[top] = target
  }
  return isChanged ? next : context
}

/** A copy of `request`, `response` or `envs` that may be changed; made once. */
function membersOf(next: Record<string, unknown>, context: ScriptContext, top: string) {
  const current = next[top]
  const isCopied = current !== context[top]
  // Safe: the kernel only names members of the split keys, which are objects.
  const members = (current ?? {}) as Record<string, unknown>
  return isCopied || !isSplit(top) ? members : { ...members }
}

function isSame(before: unknown, isJson: boolean, raw: unknown): boolean {
  if (!isJson) return before === raw
  return typeof before === 'object' && before !== null && JSON.stringify(before) === raw
}

function put(target: Record<string, unknown>, key: string, value: unknown) {
  if (key !== '__proto__') target[key] = value
  else
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
}
