import { errors } from '../errors.ts'
import type { EngineItem, TranslatedRequest } from './translate-request.ts'

/** The queries the engine runs, in the order of the lines of `toMsearch`. */
export const engineItems = ({ items }: TranslatedRequest): EngineItem[] =>
  items.filter((item) => item.kind === 'engine')

/**
 * The body of `_msearch`: a header line and a query line for each; empty when none runs.
 * @throws {GatewayError} DECLARATIVE_INVALID when it gets out of hand.
 */
export function toMsearch(translated: TranslatedRequest) {
  let msearch = ''
  for (const { preference, index, body } of engineItems(translated)) {
    const header = JSON.stringify({ preference, ...(index && { index }) })
    msearch += `${header}\n${JSON.stringify(body)}\n`
    if (msearch.length > MAX_LENGTH)
      throw errors.declarativeInvalid(
        `The request becomes more than ${MAX_LENGTH} characters of engine queries`,
      )
  }
  return msearch
}

/** Characters; what the gateway holds of a request body, too. Reactions repeat what is short. */
const MAX_LENGTH = 100_000_000
