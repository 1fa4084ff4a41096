/**
 * How an answer differs: `details` of an error only (line and column in the request, the causes of
 * causes); its `wording`, with the same status and type; or otherwise, as the text says.
 */
export interface KnownDifference {
  kind: 'details' | 'wording' | 'other'
  why: string
}

const POSITION = 'another line and column, or fewer causes'
const CAUSE = 'the cause in other words'
const JSON_READER = 'the words of another JSON reader'
const details = (why: string): KnownDifference => ({ kind: 'details', why })
const wording = (why: string): KnownDifference => ({ kind: 'wording', why })
const other = (why: string): KnownDifference => ({ kind: 'other', why })

/**
 * Where the local engine answers otherwise than OpenSearch 3.8.0: name of the story and number of
 * the request. Each has its line in docs/local-engine.md; a test fails when one of them has gone.
 */
export const KNOWN_DIFFERENCES: Record<string, KnownDifference> = {
  'an index is refused: 8': details(JSON_READER),
  'a document is refused: 4': details(CAUSE),
  'a document is refused: 5': details(CAUSE),
  'a document is refused: 8': details(CAUSE),
  'a document is refused: 9': details(JSON_READER),
  'a document is refused: 10': details(JSON_READER),
  'a document is refused: 12': details(JSON_READER),
  'numbers keep their digits: 3': details(CAUSE),
  'a bulk says what became of each item: 8': details(JSON_READER),
  'a bulk says what became of each item: 11': other('OpenSearch loses a hit it counts'),
  'several documents are read at once: 8': details(POSITION),
  'documents are counted: 5': details(POSITION),
  'documents are counted: 6': wording('no suggestion of similar names'),
  'a search is refused: 3': wording(JSON_READER),
  'a search is refused: 5': details(POSITION),
  'a search is refused: 6': details(POSITION),
  'a search is refused: 7': details(POSITION),
  'a search is refused: 8': details(POSITION),
  'a search is refused: 9': details(POSITION),
  'a search is refused: 10': wording('no suggestion of similar names'),
  'a search is refused: 11': details(POSITION),
  'a search is refused: 14': details(POSITION),
  'a search is refused: 22': other('another type around the same reason'),
  'a search is refused: 23': other('found when the request is read, not on the shard'),
  'a search is refused: 24': details(POSITION),
  'a search is refused: 25': details(POSITION),
}
