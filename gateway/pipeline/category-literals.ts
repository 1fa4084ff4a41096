import type { PipelineDefinition } from '../contract/pipeline.ts'
import { type Dialect, nameIn } from './dialect.ts'
import type { Path, SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'
import { applyTextEdits, type TextEdit } from './text-edit.ts'
import { ExpressionError, type Token, toTokens } from './trigger/tokens.ts'

/** An expression in which the category of a request is called as a dialect calls it. */
export const expressionIn = (dialect: Dialect, expression: string): string =>
  applyTextEdits(expression, renamed(dialect, expression))

/**
 * Triggers that compare a category with another product's name for it mean ours: that is what
 * requests have. The text stays as it is; what is read otherwise is reported.
 */
export function readCategories(
  definition: PipelineDefinition,
  { document, report }: { document: SourceDocument; report: Report },
): PipelineDefinition {
  const read = <T extends { expression?: string | undefined }>(trigger: T, path: Path): T => {
    const { expression } = trigger
    if (expression === undefined) return trigger
    const edits = renamed('sluice', expression)
    for (const { start, end, text } of edits) {
      const range = document.locateWithin([...path, 'expression'], start, end)
      const isExact = range.endColumn - range.column === end - start
      const written = expression.slice(start, end)
      report.information(
        'alias',
        `${written} is read as ${text}`,
        range,
        isExact ? { title: `Change to ${text}`, edits: [{ range, text }] } : undefined,
      )
    }
    return edits.length === 0
      ? trigger
      : { ...trigger, expression: applyTextEdits(expression, edits) }
  }
  return {
    ...definition,
    ...(definition.trigger && { trigger: read(definition.trigger, ['trigger']) }),
    stages: definition.stages.map((stage, index) =>
      stage.trigger
        ? { ...stage, trigger: read(stage.trigger, ['stages', index, 'trigger']) }
        : stage,
    ),
  }
}

function renamed(dialect: Dialect, expression: string): TextEdit[] {
  // Most expressions have nothing to do with categories.
  if (!expression.includes('category')) return []
  return literalsOf(expression).flatMap(({ text, start, end }): TextEdit[] => {
    const name = nameIn(dialect, 'category', text)
    const quote = expression.charAt(start)
    return name === text ? [] : [{ start, end, text: quote + name + quote }]
  })
}

/** Texts that are compared with a category: `$category == "a"`, `"a" == envs.category`, `… in ["a"]`. */
function literalsOf(expression: string): Token[] {
  const tokens = tokensOf(expression)
  return tokens.flatMap(({ kind, text }, at) => {
    const isCategory = kind === 'name' && (text === '$category' || text === 'category')
    return isCategory ? [...before(tokens, at), ...behind(tokens, at)] : []
  })
}

function behind(tokens: readonly Token[], at: number): Token[] {
  const [operator, first] = [tokens[at + 1], tokens[at + 2]]
  if (!operator || !first || !isOperator(operator)) return []
  if (first.kind === 'text') return [first]
  if (first.text !== '[') return []
  const end = tokens.findIndex((token, index) => index > at && token.text === ']')
  return tokens.slice(at + 3, end).filter(({ kind }) => kind === 'text')
}

function before(tokens: readonly Token[], at: number): Token[] {
  let start = at
  while (isStep(tokens[start - 1]) && tokens[start - 2]?.kind === 'name') start -= 2
  const [literal, operator] = [tokens[start - 2], tokens[start - 1]]
  return literal?.kind === 'text' && operator && isOperator(operator) ? [literal] : []
}

const isStep = (token?: Token) => token?.kind === 'sign' && /^\??\.$/.test(token.text)

const isOperator = ({ kind, text }: Token) =>
  kind === 'name' ? /^(in|exactlyMatches|doesNotMatch)$/.test(text) : text === '==' || text === '!='

function tokensOf(expression: string): Token[] {
  try {
    return toTokens(expression)
  } catch (error) {
    if (error instanceof ExpressionError) return []
    throw error
  }
}
