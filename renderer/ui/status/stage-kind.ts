const ICONS: Record<string, string> = {
  authorization: 'key',
  searchEngineQuery: 'search',
  declarativeQuery: 'symbol-structure',
  useCache: 'archive',
  recordAnalytics: 'graph-line',
  promoteResults: 'pinned',
  hideResults: 'eye-closed',
  customData: 'json',
  replaceSearchTerm: 'replace',
  addFilter: 'filter',
  removeWords: 'eraser',
  replaceWords: 'replace-all',
  searchRelevancy: 'settings',
  kNN: 'type-hierarchy',
  httpRequest: 'globe',
  documentStoreQuery: 'database',
  altEngineQuery: 'search-fuzzy',
}

/** Name and glyph of what a stage is; `use` is absent for scripts. */
export const stageKind = (use: string | undefined) =>
  use === undefined
    ? { name: 'script', icon: 'code' }
    : { name: use, icon: ICONS[use] ?? 'extensions' }
