import { COMMON, defineFieldType, ValueRefused, type Leaf, type ReadingOptions } from './define.ts'

const parameters = {
  ...COMMON,
  doc_values: 'boolean',
  coerce: 'boolean',
  ignore_malformed: 'boolean',
  null_value: 'value',
} as const

const notANumber = (text: string, type: string) =>
  new ValueRefused(
    type === 'long' ? 'illegal_argument_exception' : 'number_format_exception',
    text === '' ? 'empty String' : `For input string: "${text}"`,
  )

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

function checkKind(leaf: Leaf, name: string, { coerce }: ReadingOptions) {
  if (typeof leaf.json === 'boolean')
    throw new ValueRefused(
      'input_coercion_exception',
      `Current token (VALUE_${leaf.text.toUpperCase()}) not numeric, can not use numeric value accessors`,
    )
  if (typeof leaf.json === 'string' && !coerce)
    throw new ValueRefused('illegal_argument_exception', `${name} value passed as String`)
}

const whole = (type: 'long' | 'integer' | 'short' | 'byte', bits: number) => {
  const max = 2n ** BigInt(bits - 1) - 1n
  const min = -max - 1n
  const name = type[0]?.toUpperCase() + type.slice(1)
  const width = type === 'long' ? 'long' : type === 'integer' ? 'int' : undefined
  const outOfRange = (text: string) =>
    width === undefined
      ? new ValueRefused(
          'illegal_argument_exception',
          `Value [${text}] is out of range for a ${type}`,
        )
      : new ValueRefused(
          'input_coercion_exception',
          `Numeric value (${text}) out of range of \`${width}\` (${min} - ${max})`,
        )
  return defineFieldType({
    type,
    parameters,
    read(leaf, _field, options) {
      checkKind(leaf, name, options)
      if (typeof leaf.json === 'number' && Number.isSafeInteger(leaf.json)) {
        if (leaf.json > max || leaf.json < min) throw outOfRange(leaf.text)
        return leaf.json
      }
      const text = leaf.text.trim()
      if (!NUMBER.test(text)) throw notANumber(leaf.text, type)
      let exact: bigint
      if (/^[+-]?\d+$/.test(text)) exact = BigInt(text.replace('+', ''))
      else {
        const value = Number(text)
        if (!Number.isFinite(value)) throw outOfRange(leaf.text)
        if (!options.coerce && !Number.isInteger(value))
          throw new ValueRefused(
            'illegal_argument_exception',
            `Value [${leaf.text}] has a decimal part`,
          )
        exact = BigInt(Math.trunc(value))
      }
      if (exact > max || exact < min) throw outOfRange(leaf.text)
      const value = Number(exact)
      return Number.isSafeInteger(value) ? value : exact
    },
  })
}

const floating = (type: 'double' | 'float' | 'half_float', round: (value: number) => number) => {
  const name = type[0]?.toUpperCase() + type.slice(1)
  return defineFieldType({
    type,
    parameters,
    read(leaf, _field, options) {
      checkKind(leaf, name, options)
      if (!NUMBER.test(leaf.text)) throw notANumber(leaf.text, type)
      const value = round(Number(leaf.text))
      if (!Number.isFinite(value))
        throw new ValueRefused(
          'illegal_argument_exception',
          `[${type}] supports only finite values, but got [${leaf.text}]`,
        )
      return value
    },
  })
}

/** Whole numbers, and floating ones rounded to their width. */
export const numbers = [
  whole('long', 64),
  whole('integer', 32),
  whole('short', 16),
  whole('byte', 8),
  floating('double', (value) => value),
  floating('float', Math.fround),
  floating('half_float', Math.f16round),
]
