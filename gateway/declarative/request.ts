import { z } from 'zod'
import { isNumeric, type Numeric } from './parse-json.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'

const text = z.string()
const flag = z.boolean()
const count = z.int()
const texts = z.array(text)
const numeric = z.custom<Numeric>(isNumeric, 'Invalid input: expected number')
const object = z.custom<JsonObject>(isJsonObject, 'Invalid input: expected object')

const WeightedField = z.object({ field: text, weight: numeric.optional() })
const DataField = z.union([text, WeightedField, z.array(z.union([text, WeightedField]))], {
  error: 'Invalid input: expected a field name, {field, weight} or a list of both',
})

const suggestionSource = z.object({
  size: count.optional(),
  index: text.optional(),
  minHits: count.optional(),
  minChars: count.optional(),
  minCount: count.optional(),
  showGlobal: flag.optional(),
  customEvents: object.optional(),
  sectionLabel: text.optional(),
})

/** The kinds of query; each has a file in `translate/`. */
export const QueryType = z.enum(['search', 'suggestion', 'term', 'range', 'geo'])
export type QueryType = z.infer<typeof QueryType>

/** One declarative query. Properties that hold any JSON keep it exact; unknown ones are left out. */
export const Query = z.object({
  id: text.optional(),
  type: QueryType.optional(),
  react: object.optional(),
  queryFormat: text.optional(),
  dataField: DataField.optional(),
  fieldWeights: z.array(numeric).optional(),
  value: z.unknown().optional(),
  categoryField: text.optional(),
  categoryValue: z.unknown().optional(),
  nestedField: text.optional(),
  from: count.optional(),
  size: count.optional(),
  aggregationSize: count.optional(),
  sortBy: z.enum(['asc', 'desc', 'count']).optional(),
  sortField: z.unknown().optional(),
  aggregationField: text.optional(),
  after: object.optional(),
  pagination: flag.optional(),
  includeNullValues: flag.optional(),
  includeFields: texts.optional(),
  excludeFields: texts.optional(),
  fuzziness: z.union([numeric, text], 'Invalid input: expected number or text').optional(),
  searchOperators: flag.optional(),
  queryString: flag.optional(),
  highlight: flag.optional(),
  highlightField: texts.optional(),
  highlightConfig: object.optional(),
  customHighlight: object.optional(),
  interval: count.optional(),
  calendarinterval: text.optional(),
  aggregations: texts.optional(),
  range: object.optional(),
  showMissing: flag.optional(),
  missingLabel: text.optional(),
  selectAllLabel: text.optional(),
  includeValues: texts.optional(),
  excludeValues: texts.optional(),
  defaultQuery: object.optional(),
  customQuery: object.optional(),
  execute: flag.optional(),
  enableSynonyms: flag.optional(),
  rankFeature: z
    .record(
      text,
      z.object({
        saturation: z.object({ pivot: numeric.optional() }).optional(),
        log: z.object({ scaling_factor: numeric.optional() }).optional(),
        sigmoid: z.object({ pivot: numeric.optional(), exponent: numeric.optional() }).optional(),
        boost: numeric.optional(),
      }),
    )
    .optional(),
  distinctField: text.optional(),
  distinctFieldConfig: object.optional(),
  index: text.optional(),
  script: text.optional(),
  queryVector: z.array(numeric).optional(),
  vectorDataField: text.optional(),
  candidates: count.optional(),
  deepPagination: flag.optional(),
  deepPaginationConfig: z.object({ cursor: text.optional() }).optional(),
  endpoint: z
    .object({
      url: text.optional(),
      method: text.optional(),
      headers: z.record(text, text).optional(),
      body: z.unknown().optional(),
    })
    .optional(),
  searchboxId: text.optional(),
  enableRecentSuggestions: flag.optional(),
  recentSuggestionsConfig: suggestionSource.optional(),
  enablePopularSuggestions: flag.optional(),
  popularSuggestionsConfig: suggestionSource.optional(),
  enableIndexSuggestions: flag.optional(),
  indexSuggestionsConfig: z
    .object({ sectionLabel: text.optional(), valueFields: texts.optional() })
    .optional(),
  enableFeaturedSuggestions: flag.optional(),
  featuredSuggestionsConfig: z
    .object({
      maxSuggestionsPerSection: count.optional(),
      visibleSuggestionsPerSection: count.optional(),
      sectionsOrder: texts.optional(),
    })
    .optional(),
  enableEndpointSuggestions: flag.optional(),
  enableFAQSuggestions: flag.optional(),
  FAQSuggestionsConfig: object.optional(),
  enableDocumentSuggestions: flag.optional(),
  documentSuggestionsConfig: object.optional(),
  showDistinctSuggestions: flag.optional(),
  enablePredictiveSuggestions: flag.optional(),
  maxPredictedWords: count.optional(),
  urlField: text.optional(),
  applyStopwords: flag.optional(),
  customStopwords: texts.optional(),
  searchLanguage: text.optional(),
})
export type Query = z.infer<typeof Query>

/** Where a translated request can run. */
export const Backend = z.enum([
  'elasticsearch',
  'opensearch',
  'mongodb',
  'solr',
  'zinc',
  'marklogic',
])
export type Backend = z.infer<typeof Backend>

/** What holds for all queries of a request. */
export const Settings = z.object({
  recordAnalytics: flag.optional(),
  userId: text.optional(),
  customEvents: z
    .record(text, z.union([text, texts], 'Invalid input: expected text or a list of texts'))
    .optional(),
  enableQueryRules: flag.optional(),
  enableSearchRelevancy: flag.optional(),
  useCache: flag.optional(),
  queryRule: object.optional(),
  backend: Backend.optional(),
})
export type Settings = z.infer<typeof Settings>

/** A declarative request, as `parseRequest` makes it: every query has an id. */
export interface DeclarativeRequest {
  query: IdentifiedQuery[]
  settings?: Settings
  metadata?: JsonObject
}

/** A query that has the id its answer is keyed by. */
export type IdentifiedQuery = Query & { id: string }
