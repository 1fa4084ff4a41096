import pluralize from 'pluralize'

/**
 * The text with its last word in the plural, when that word is plain ASCII letters. Irregular words
 * (goose, tooth) are known only when they are the whole text, as existing clients expect.
 */
export const withPlural = (text: string) =>
  /(?:^|\s)[a-z]+$/i.test(text) ? pluralize.plural(text) : text
