import { isRaw, listOf } from '../raw.ts'
import type { Path } from '../read-document.ts'
import { neededId } from '../stage-ids.ts'
import { applyTextEdits, type TextEdit } from '../text-edit.ts'
import { ExpressionError, type Token, toTokens } from '../trigger/tokens.ts'
import type { Operation } from './operation.ts'

/**
 * What names a stage besides its own id: `needs` of others and, when it is asynchronous, the places
 * that read its result as `{{id}}` or `context.id` in inputs and triggers. A synchronous stage puts
 * nothing under its id, so there such a name means something else.
 */
export function renameReferences(
  stages: readonly unknown[],
  renamed: number,
  { stage: from, id: to }: { stage: string; id: string },
  ids: readonly (string | undefined)[],
): Operation[] {
  const isAsync = (stage: unknown) => isRaw(stage) && stage['async'] === true
  return stages.flatMap((stage, index) => {
    if (!isRaw(stage)) return []
    const needs = listOf(stage['needs']).flatMap((need, place): Operation[] =>
      neededId(need, ids) === from
        ? [{ does: 'set', path: ['stages', index, 'needs', place], value: to }]
        : [],
    )
    if (!isAsync(stages[renamed])) return needs
    const inTrigger = isRaw(stage['trigger']) ? stage['trigger']['expression'] : undefined
    return [
      ...needs,
      ...renameTexts(stage['inputs'], ['stages', index, 'inputs'], (text) =>
        inTemplate(text, from, to),
      ),
      ...renameTexts(inTrigger, ['stages', index, 'trigger', 'expression'], (text) =>
        inExpression(text, from, to),
      ),
    ]
  })
}

/** Whether a script reads the result of the stage of that id from the context. */
export const readsResult = (script: string, id: string) =>
  new RegExp(
    `\\bcontext(?:\\.${RegExp.escape(id)}(?![\\w$])|\\[\\s*(['"\`])${RegExp.escape(id)}\\1\\s*\\])`,
  ).test(script)

function renameTexts(value: unknown, path: Path, rename: (text: string) => string): Operation[] {
  if (typeof value === 'string') {
    const after = rename(value)
    return after === value ? [] : [{ does: 'set', path, value: after }]
  }
  if (Array.isArray(value))
    return value.flatMap((item, index) => renameTexts(item, [...path, index], rename))
  return isRaw(value)
    ? Object.entries(value).flatMap(([key, item]) => renameTexts(item, [...path, key], rename))
    : []
}

const inTemplate = (text: string, from: string, to: string) =>
  text.replaceAll(/(\{\{\{?\s*)([^{},:\s]+)/g, (_match, open: string, name: string) => {
    const steps = name.split('.')
    const at = steps[0] === 'context' ? 1 : 0
    return open + (steps[at] === from ? steps.with(at, to).join('.') : name)
  })

/** `context.id` and `context["id"]`; an expression with mistakes stays as it is. */
function inExpression(text: string, from: string, to: string): string {
  const tokens = tokensOf(text)
  const edits = tokens.flatMap((token, at): TextEdit[] => {
    const [before, sign, name, close] = [
      tokens[at - 1],
      tokens[at + 1],
      tokens[at + 2],
      tokens[at + 3],
    ]
    if (token.text !== 'context' || token.kind !== 'name' || name?.text !== from) return []
    if (before && isStep(before)) return []
    if (sign && isStep(sign) && name.kind === 'name')
      return /^[A-Za-z_]\w*$/.test(to)
        ? [{ start: name.start, end: name.end, text: to }]
        : [{ start: sign.start, end: name.end, text: `[${JSON.stringify(to)}]` }]
    return sign?.text === '[' && name.kind === 'text' && close?.text === ']'
      ? [{ start: name.start, end: name.end, text: JSON.stringify(to) }]
      : []
  })
  return applyTextEdits(text, edits)
}

const isStep = ({ kind, text }: Token) => kind === 'sign' && (text === '.' || text === '?.')

function tokensOf(text: string): readonly Token[] {
  try {
    return toTokens(text)
  } catch (error) {
    if (error instanceof ExpressionError) return []
    throw error
  }
}
