import type { JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'

/** One `rank_feature` clause for each entry of `rankFeature`. */
export const rankFeatures = ({ rankFeature = {} }: IdentifiedQuery): JsonObject[] =>
  Object.entries(rankFeature).map(([field, settings]) => ({ rank_feature: { field, ...settings } }))
