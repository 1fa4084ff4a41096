import type { EngineItem, TranslatedRequest } from './translate-request.ts'

/** The queries the engine runs, in the order of the lines of `toMsearch`. */
export const engineItems = ({ items }: TranslatedRequest): EngineItem[] =>
  items.filter((item) => item.kind === 'engine')

/** The body of `_msearch`: a header line and a query line for each; empty when none runs. */
export const toMsearch = (translated: TranslatedRequest) =>
  engineItems(translated)
    .map(({ preference, index, body }) => {
      const header = JSON.stringify({ preference, ...(index && { index }) })
      return `${header}\n${JSON.stringify(body)}\n`
    })
    .join('')
