/**
 * How an answer differs: `details` of an error only (line and column in the request, the causes of
 * causes); its `wording`, with the same status and type; or otherwise, as the text says.
 */
export interface KnownDifference {
  kind: 'details' | 'wording' | 'other'
  why: string
}

const CAUSE = 'the cause in other words'
const JSON_READER = 'the words of another JSON reader'
const OWN_WORDS = 'other words, which say what is expected'
const NO_500 = 'a mistake of the client, no failure of the engine'
const NO_EFFECT = 'a parameter without effect here is not read'
const details = (why: string): KnownDifference => ({ kind: 'details', why })
const wording = (why: string): KnownDifference => ({ kind: 'wording', why })
const other = (why: string): KnownDifference => ({ kind: 'other', why })

/** The differences of one story, by the numbers of its requests. */
const inStory = (story: string, known: Record<number, KnownDifference>) =>
  Object.fromEntries(Object.entries(known).map(([step, one]) => [`${story}: ${step}`, one]))

/**
 * Where the local engine answers otherwise than OpenSearch 3.8.0: name of the story and number of
 * the request. Each has its line in docs/local-engine.md; a test fails when one of them has gone.
 */
export const KNOWN_DIFFERENCES: Record<string, KnownDifference> = {
  ...inStory('an index is refused', { 8: details(JSON_READER) }),
  ...inStory('a document is refused', {
    4: details(CAUSE),
    5: details(CAUSE),
    8: details(CAUSE),
    9: details(JSON_READER),
    10: details(JSON_READER),
    12: details(JSON_READER),
  }),
  ...inStory('numbers keep their digits', { 3: details(CAUSE) }),
  ...inStory('a bulk says what became of each item', {
    8: details(JSON_READER),
    11: other('OpenSearch loses a hit it counts'),
  }),
  ...inStory('a search is refused', { 3: wording(JSON_READER) }),
  ...inStory('dates are written by weeks', { 6: details(CAUSE) }),
  ...inStory('wording differs', {
    3: wording('the query is not printed in the sentence'),
    4: other(JSON_READER),
    5: other(JSON_READER),
    6: wording(OWN_WORDS),
    7: wording(OWN_WORDS),
    8: wording(OWN_WORDS),
    9: wording(OWN_WORDS),
    10: wording(OWN_WORDS),
    11: other(JSON_READER),
    12: wording('one of two mistakes is named'),
  }),
  ...inStory('answers differ', {
    3: other(NO_500),
    4: other('OpenSearch loses its place in the body'),
    5: other('OpenSearch loses its place in the body'),
    6: other('an operator that repeats nothing is refused'),
    7: other('OpenSearch loses its place in the body'),
    8: other('OpenSearch loses its place in the body'),
    9: other('no bound of 32 bits'),
    10: other(NO_500),
    11: other('comments are no JSON'),
    12: other(JSON_READER),
    13: other(NO_EFFECT),
    14: other(NO_EFFECT),
    15: other(NO_EFFECT),
    16: other('a number is no time zone'),
    17: other('an action line with two actions is refused'),
    18: other('an action without its document is refused'),
    19: other('spoils the whole request'),
    20: other(NO_EFFECT),
    21: other(NO_EFFECT),
    22: other('a name that ends with a dot is refused'),
    23: other('an empty text is no number'),
    24: other('the type of other mistakes in a mapping'),
  }),
  ...inStory('answers over two indices differ', {
    5: other('an index keeps nothing back'),
    6: other('an index keeps nothing back'),
    7: other('the cause stands there once'),
  }),
}
