import type { Profile } from '../config.ts'
import { byteToLength } from '../segment/norms.ts'
import type { FieldStatistics } from './statistics.ts'

const { fround, log } = Math
const K1 = fround(1.2)
const B = fround(0.75)

/** BM25 of one field: every rounding to 32 bits stands where Lucene has it. */
export interface FieldSimilarity {
  /** Weight of a term by the number of documents that have it. */
  idf(docFrequency: number): number
  /** The factor the similarity multiplies a boost with before idf. */
  weight(boost: number, idf: number): number
  /** By norm byte: the reciprocal of k1 times the normalised length. */
  readonly cache: Float32Array
}

/** The similarity of a field, from its statistics over the whole index. */
export function createSimilarity(
  { docsWithField, sumOfLengths }: FieldStatistics,
  profile: Profile,
): FieldSimilarity {
  const averageLength = fround(sumOfLengths / docsWithField)
  const cache = Float32Array.from({ length: 256 }, (_, byte) => {
    const length = fround(byteToLength(byte))
    const normalised = fround(fround(1 - B) + fround(fround(B * length) / averageLength))
    return 1 / fround(K1 * normalised)
  })
  const isLegacy = profile.similarity === 'legacyBm25'
  return {
    cache,
    idf: (docFrequency) =>
      fround(log(1 + (docsWithField - docFrequency + 0.5) / (docFrequency + 0.5))),
    weight: (boost, idf) =>
      isLegacy ? fround(fround(boost * fround(1 + K1)) * idf) : fround(boost * idf),
  }
}

/** Score of a frequency at a norm; `weight` and `norm` as above. */
export const bm25 = (weight: number, frequency: number, norm: number): number =>
  fround(weight - fround(weight / fround(1 + fround(frequency * norm))))
