import { expect } from 'vitest'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { send, stable, type EngineAnswer } from './send.ts'
import type { EngineRequest } from './crud-stories.ts'

/** The two engines a request is sent to. */
export interface Engines {
  local: string
  real: string
}

/**
 * Asserts that the local engine answers as the real one, but for a difference that is known under
 * this name. Of that it asserts that it is there, and that nothing else differs.
 */
export async function expectSame(
  engines: Engines,
  name: string,
  request: EngineRequest,
  index: string,
) {
  const [local, real] = await Promise.all([
    send(engines.local, request, index),
    send(engines.real, request, index),
  ])
  const [ours, theirs] = [stable(local), stable(real)]
  const known = KNOWN_DIFFERENCES[name]
  if (!known) {
    expect(ours).toEqual(theirs)
    return
  }
  expect(ours, 'is no longer different: take it out of the list').not.toEqual(theirs)
  if (known.kind === 'details') expect(withoutDetails(ours)).toEqual(withoutDetails(theirs))
  if (known.kind === 'wording') expect(statusAndType(local)).toEqual(statusAndType(real))
}

const DETAILS = new Set(['line', 'col', 'caused_by'])
const POSITION = /(?: at )?\[\d+:\d+\]/g

/** The answer without positions in the request and without the causes of causes. */
function withoutDetails(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(POSITION, '')
  if (Array.isArray(value)) return value.map(withoutDetails)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      DETAILS.has(key) ? [] : [[key, withoutDetails(inner)]],
    ),
  )
}

function statusAndType({ status, body }: EngineAnswer) {
  // The shape of every error of the imitated engine.
  const { error } = body as { error?: { type?: string } }
  return { status, type: error?.type }
}
