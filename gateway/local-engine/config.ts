/** Sizes beyond which the engine refuses instead of growing. Bytes. */
export interface Limits {
  /** Resident memory of the process above which writes are refused. */
  readonly memoryBytes: number
  readonly bodyBytes: number
}

/** What a caller of the engine may choose. */
export interface LocalEngineOptions {
  /** Folder of everything the engine keeps; made when it does not exist. */
  readonly dataDir: string
  /** 0 picks a free one. Default 4311. */
  readonly port?: number
  /** A loopback address. Default 127.0.0.1. */
  readonly host?: string
  /** Only looked at when the data directory is new; it keeps the one it was made with. */
  readonly profile?: ProfileName
  readonly limits?: Partial<Limits>
  /** Origins whose pages may call the engine. Default none. */
  readonly allowedOrigins?: readonly string[]
}

/** Used where the caller names no limit. */
export const DEFAULT_LIMITS: Limits = {
  memoryBytes: 2 * 1024 ** 3,
  bodyBytes: 100 * 1024 ** 2,
}

/** Engines whose numbers and shapes are imitated. */
export type ProfileName = 'opensearch-3' | 'legacy'

/** Every difference between the imitated engines; code reads these and never a version. */
export interface Profile {
  readonly name: ProfileName
  readonly distribution?: 'opensearch'
  readonly number: string
  readonly luceneVersion: string
  readonly minimumWireCompatibility: string
  readonly minimumIndexCompatibility: string
  readonly tagline: string
  readonly buildFlavor?: 'default'
  readonly similarity: 'bm25' | 'legacyBm25'
  readonly keywordScoring: 'constant' | 'bm25'
  readonly emitType: boolean
  readonly totalHitsAsInt: boolean
  /** Value of `X-Elastic-Product`, where the imitated engine sends it. */
  readonly productHeader?: string
}

/** The two profiles by name. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  'opensearch-3': Object.freeze({
    name: 'opensearch-3',
    distribution: 'opensearch',
    number: '3.8.0',
    luceneVersion: '10.4.0',
    minimumWireCompatibility: '2.19.0',
    minimumIndexCompatibility: '2.0.0',
    tagline: 'The OpenSearch Project: https://opensearch.org/',
    similarity: 'bm25',
    keywordScoring: 'constant',
    emitType: false,
    totalHitsAsInt: false,
  }),
  legacy: Object.freeze({
    name: 'legacy',
    number: '7.10.2',
    luceneVersion: '8.7.0',
    minimumWireCompatibility: '6.8.0',
    minimumIndexCompatibility: '6.0.0-beta1',
    tagline: 'You Know, for Search',
    buildFlavor: 'default',
    similarity: 'legacyBm25',
    keywordScoring: 'bm25',
    emitType: true,
    totalHitsAsInt: false,
    productHeader: 'Elasticsearch',
  }),
}
