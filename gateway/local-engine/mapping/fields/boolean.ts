import { COMMON, defineFieldType, ValueRefused } from './define.ts'

/** true and false, also as text; empty text is false. */
export const boolean = defineFieldType({
  type: 'boolean',
  parameters: { ...COMMON, doc_values: 'boolean', null_value: 'value' },
  read({ text }) {
    if (text === 'true') return true
    if (text === 'false' || text === '') return false
    throw new ValueRefused(
      'illegal_argument_exception',
      `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
    )
  },
})
