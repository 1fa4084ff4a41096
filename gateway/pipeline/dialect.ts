/** Names of the reference product and what they are called here; paths by segment. */
const ALIASES = {
  use: {
    reactivesearchQuery: 'declarativeQuery',
    elasticsearchQuery: 'searchEngineQuery',
    opensearchQuery: 'searchEngineQuery',
    mongoDBQuery: 'documentStoreQuery',
    solrQuery: 'altEngineQuery',
  },
  stageKey: { uses: 'use' },
  category: { reactivesearch: 'declarative' },
  segment: { _reactivesearch: '_declarative', '_reactivesearch.v3': '_declarative' },
} satisfies Record<string, Record<string, string>>

/** The places where an alias may stand. */
export type AliasPlace = keyof typeof ALIASES

/** The canonical name, which is the name itself when it is no alias. */
export function canonicalName(place: AliasPlace, name: string): string {
  const aliases: Record<string, string> = ALIASES[place]
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name
}

/** A path, or a template of one, with its aliases replaced. */
export const canonicalPath = (path: string): string =>
  path.includes('_reactivesearch')
    ? path
        .split('/')
        .map((segment) => canonicalName('segment', segment))
        .join('/')
    : path
