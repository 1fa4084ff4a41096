import { errors } from '../../errors.ts'

/** An etag as the header of an answer; RFC 9110, section 8.8.3. */
export const etagHeader = (etag: string) => ({ etag: `"${etag}"` })

/**
 * What a write has to expect, by the client's `if-match` (RFC 9110, section 13.1.1); `what` names the
 * thing in the error. Etags may come without their quotes.
 * @throws {GatewayError} ETAG_MISMATCH when the thing is not as the client saw it.
 */
export function toCondition(
  header: string | undefined,
  current: string | undefined,
  what: string,
): { ifMatch?: string } {
  if (header === undefined) return {}
  const tags = header.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'))
  if (current !== undefined && tags.includes('*')) return {}
  // A weak tag equals none: what is compared here are whole texts.
  if (current !== undefined && tags.includes(current)) return { ifMatch: current }
  throw errors.etagMismatch(
    current === undefined
      ? `${what} does not exist, so it cannot match; leave if-match out to create it`
      : `${what} was changed meanwhile: read it again, and send its etag "${current}" as if-match`,
  )
}
