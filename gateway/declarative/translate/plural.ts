import pluralize from 'pluralize'

/**
 * The text, words parted by single blanks, with its last word in the plural, when that word is plain ASCII letters. Irregular words
 * (goose, tooth) are known only when they are the whole text, as existing clients expect.
 */
export function withPlural(text: string) {
  const start = text.lastIndexOf(' ') + 1
  const word = text.slice(start)
  if (word.length > LONGEST_WORD || !/^[a-z]+$/i.test(word)) return text
  if (start === 0) return pluralize.plural(word)
  // With a word before it, the rules for endings apply and the list of irregular words does not.
  return text.slice(0, start) + pluralize.plural(`a ${word}`).slice(2)
}

/** Beyond this it is no word, and a hundred rules would be tried on it for nothing. */
const LONGEST_WORD = 100
