import { readDate } from '../dates/parse-date.ts'
import { COMMON, defineFieldType, ValueRefused } from './define.ts'

/** A moment in milliseconds. */
export const date = defineFieldType({
  type: 'date',
  parameters: {
    ...COMMON,
    doc_values: 'boolean',
    format: 'text',
    print_format: 'text',
    locale: { only: ['ROOT', '', 'en', 'en_US', 'en-US'] },
    ignore_malformed: 'boolean',
    null_value: 'value',
  },
  read({ text }, { format }) {
    const ms = readDate(text, format)
    if (ms === undefined)
      throw new ValueRefused(
        'illegal_argument_exception',
        `failed to parse date field [${text}] with format [${format}]`,
      )
    return ms
  },
})
