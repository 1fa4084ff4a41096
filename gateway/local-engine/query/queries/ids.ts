import { EngineFailure } from '../../errors.ts'
import { defineQuery, isObject, tokenName, type ParseContext } from '../define.ts'
import { boosted } from '../node.ts'
import { plainText, readParameters } from '../parameters.ts'

const names = { name: 'ids', parameters: ['values', 'boost'], refused: ['_name', 'type'] }

/** Documents of given ids. */
export const idsQuery = defineQuery({
  ...names,
  parse(body, context) {
    const parameters = readParameters(names, body, context)
    const values = parameters.value('values')
    if (isObject(values)) parameters.unexpected('values')
    const list = values === undefined ? [] : Array.isArray(values) ? values : [values]
    const ids = parameters.within('values', () => list.map((one, i) => toId(one, i, list, context)))
    return boosted({ kind: 'ids', ids }, parameters.number('boost', 1))
  },
})

function toId(one: unknown, i: number, list: readonly unknown[], context: ParseContext) {
  if (one !== null && typeof one !== 'object') return plainText(one)
  const at = context.positionOf?.(list, { value: i })
  const why =
    one === null
      ? `Can't get text on a VALUE_NULL${at ? ` at ${at.line}:${at.col}` : ''}`
      : `expected value but got [${tokenName(one)}]`
  throw new EngineFailure(400, 'illegal_state_exception', why, { at })
}
