import { type ContextUse, SPLIT_KEYS } from './analysis/context-use.ts'
import type { ScriptContext } from './sandbox.ts'

/** One part of the context that is carried into the isolate. */
export interface Slot {
  top: string
  /** A member of `request`, `response` or `envs`; without it the whole value crosses. */
  sub?: string
}

/** What crosses for scripts that run in one entry; `whole` makes the slots void. */
export interface CrossingPlan {
  whole: boolean
  slots: readonly Slot[]
}

/** One bit per slot tells JSON text from a plain string; more slots than bits cross as a whole. */
const MOST_SLOTS = 30

/** Joins what the scripts of one entry may read. */
export function planCrossing(uses: readonly ContextUse[]): CrossingPlan {
  const slots = new Map<string, Slot>()
  for (const [top = '', sub] of uses.flatMap(({ paths }) => paths))
    slots.set(JSON.stringify([top, sub]), { top, sub })
  for (const { top, sub } of slots.values())
    if (sub !== undefined && slots.has(JSON.stringify([top, undefined])))
      slots.delete(JSON.stringify([top, sub]))
  const whole = uses.some((use) => use.whole) || slots.size > MOST_SLOTS
  return { whole, slots: whole ? [] : [...slots.values()] }
}

type Primitive = string | number | boolean | null | undefined

/**
 * Appends to `into` what realm/decode.ts reads: a bit mask of the slots that are JSON text, then
 * the slots. Bodies always cross as they are, never inside JSON.
 */
export function pushContext(plan: CrossingPlan, context: ScriptContext, into: unknown[]): void {
  const maskAt = into.length
  let mask = 0
  into.push(mask)
  if (plan.whole) {
    const { request, response } = context
    const bodies = [bodyOf(request), bodyOf(response)]
    const rest = {
      ...context,
      ...(bodies[0] === undefined ? {} : { request: withoutBody(request) }),
      ...(bodies[1] === undefined ? {} : { response: withoutBody(response) }),
    }
    into.push(JSON.stringify(rest), ...bodies)
    return
  }
  for (const [index, { top, sub }] of plan.slots.entries()) {
    const value = context[top]
    if (sub === undefined && hasBody(top)) {
      const body = bodyOf(value)
      into.push(JSON.stringify(body === undefined ? value : withoutBody(value)), body)
      continue
    }
    const part = sub === undefined ? value : memberOf(value, sub)
    if (isPrimitive(part)) into.push(part)
    else {
      mask |= 1 << index
      into.push(JSON.stringify(part))
    }
  }
  into[maskAt] = mask
}

/** The two keys whose `body` crosses beside the rest. */
export const hasBody = (top: string) => top === 'request' || top === 'response'

/** True for keys whose members merge one level deeper (decisions 10). */
export const isSplit = (top: string) => SPLIT_KEYS.has(top)

const isPrimitive = (value: unknown): value is Primitive =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  value === undefined ||
  (typeof value === 'number' && Number.isFinite(value))

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? // Safe: the key is an own property of this object.
      (value as Record<string, unknown>)[key]
    : undefined

function bodyOf(value: unknown): string | undefined {
  const body = memberOf(value, 'body')
  return typeof body === 'string' ? body : undefined
}

/** Leaves an empty body in its place, so that the order of the keys stays. */
const withoutBody = (value: unknown) => ({ ...(value as object), body: '' })
