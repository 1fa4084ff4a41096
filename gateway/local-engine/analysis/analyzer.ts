import { keywordToken, letterTokens, whitespaceTokens } from './characters.ts'
import type { Scan } from './emit.ts'
import {
  dropPossessive,
  ENGLISH_STOP_WORDS,
  lowerTokens,
  mapTokens,
  porterStem,
  withoutWords,
} from './filters.ts'
import { standardTokens, standardType } from './standard.ts'

/** Takes a value apart into terms. */
export interface Analyzer {
  readonly name: string
  /** Positions start at 0 and leave gaps for removed words. */
  readonly scan: Scan
  /** The type of a token, from its text as it stood in the value. */
  readonly typeOf: (original: string) => string
}

const word = () => 'word'
const simple = lowerTokens(letterTokens)
const standard = lowerTokens(standardTokens)
const english = mapTokens(
  withoutWords(mapTokens(standard, dropPossessive), ENGLISH_STOP_WORDS),
  porterStem,
)

/** Every analyzer there is. */
export const analyzers: readonly Analyzer[] = [
  { name: 'standard', scan: standard, typeOf: standardType },
  { name: 'keyword', scan: keywordToken, typeOf: word },
  { name: 'whitespace', scan: whitespaceTokens, typeOf: word },
  { name: 'simple', scan: simple, typeOf: word },
  { name: 'stop', scan: withoutWords(simple, ENGLISH_STOP_WORDS), typeOf: word },
  { name: 'english', scan: english, typeOf: standardType },
]

const byName = new Map(analyzers.map((analyzer) => [analyzer.name, analyzer]))

/** The analyzer of that name; undefined when there is none. */
export const getAnalyzer = (name: string): Analyzer | undefined => byName.get(name)
