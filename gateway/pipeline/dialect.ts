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

/** Which product's names an exported pipeline has (decisions.md 2). */
export const DIALECTS = ['sluice', 'reference'] as const
export type Dialect = (typeof DIALECTS)[number]

/** What a dialect calls something. A name that is at home in the dialect stays. */
export function nameIn(dialect: Dialect, place: AliasPlace, name: string): string {
  if (dialect === 'sluice') return canonicalName(place, name)
  // `uses` is a slip that both products understand, not a name of the other one.
  if (place === 'stageKey') return canonicalName(place, name)
  const alias = Object.entries(ALIASES[place]).find(([, canonical]) => canonical === name)
  return alias?.[0] ?? name
}

/** A path, or a template of one, with its aliases replaced. */
export const canonicalPath = (path: string): string =>
  path.includes('_reactivesearch')
    ? path
        .split('/')
        .map((segment) => canonicalName('segment', segment))
        .join('/')
    : path
