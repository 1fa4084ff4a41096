import type { AnyNode, Identifier, MemberExpression, Program } from 'acorn'
import { parse } from 'acorn'
import { type ContextUse, findContextUse } from './context-use.ts'
import { findFixedWrites } from './fixed-writes.ts'
import { findImplicitGlobals } from './implicit-globals.ts'
import { isReference, walk } from './walk.ts'

/** A place in a script's own text, both 1-based. */
export interface TextPosition {
  line: number
  column: number
}

/** What can be said about a script from its text alone. */
export type ScriptAnalysis =
  | { ok: false; message: string; at: TextPosition }
  | {
      ok: true
      contextUse: ContextUse
      /** Names assigned without being declared, each with its first place. */
      implicitGlobals: Map<string, TextPosition>
      /** Every variable the text names, with its members that are named; '' for any other use. */
      names: Map<string, Set<string>>
      /** Names of `let`, `const` and `class` outside all functions: they cannot be parameters. */
      topLevelNames: Set<string>
      hasHandler: boolean
      /** Where the script writes to `globalThis`, which is frozen. */
      globalWrites: TextPosition[]
      /** Where the script writes to `request`, `response` or `envs`. */
      fixedWrites: { key: string; at: TextPosition }[]
    }

const positionOf = (node: AnyNode): TextPosition => ({
  line: node.loc?.start.line ?? 1,
  column: (node.loc?.start.column ?? 0) + 1,
})

/** Reads a script's text. What acorn accepts is a whole script, so it can be wrapped safely. */
export function analyseScript(text: string): ScriptAnalysis {
  let program: Program
  try {
    program = parse(text, { ecmaVersion: 'latest', allowHashBang: false, locations: true })
  } catch (cause) {
    return syntaxProblem(cause)
  }
  const names = new Map<string, Set<string>>()
  const globalWrites: TextPosition[] = []
  let dynamicImport: AnyNode | undefined
  walk(program, (node, ancestors) => {
    if (node.type === 'Identifier' && isReference(node, ancestors))
      addName(names, node.name, memberOf(node, ancestors))
    if (isMemberOfGlobal(node)) addName(names, namedMember(node), '')
    if (node.type === 'ImportExpression') dynamicImport ??= node
    if (node.type === 'AssignmentExpression' && isMemberOfGlobal(node.left))
      globalWrites.push(positionOf(node.left))
  })
  if (dynamicImport)
    return {
      ok: false,
      message: 'Scripts cannot import modules; use the globals instead',
      at: positionOf(dynamicImport),
    }
  return {
    ok: true,
    contextUse: findContextUse(program),
    implicitGlobals: firstPlaces(findImplicitGlobals(program)),
    names,
    topLevelNames: lexicalNames(program),
    hasHandler: names.has('handleRequest') || names.has('handleResponse'),
    globalWrites,
    fixedWrites: findFixedWrites(program).map(({ key, node }) => ({ key, at: positionOf(node) })),
  }
}

/** acorn ends its messages with `(line:column)`, which our positions replace. */
function syntaxProblem(cause: unknown): ScriptAnalysis {
  if (!(cause instanceof SyntaxError)) throw cause
  // Safe: acorn adds `loc` to every SyntaxError it throws.
  const { loc } = cause as SyntaxError & { loc: { line: number; column: number } }
  return {
    ok: false,
    message: cause.message.replace(/ \(\d+:\d+\)$/, ''),
    at: { line: loc.line, column: loc.column + 1 },
  }
}

function addName(names: Map<string, Set<string>>, name: string, member: string) {
  const members = names.get(name) ?? new Set()
  names.set(name, members.add(member))
}

function memberOf(node: AnyNode, ancestors: AnyNode[]): string {
  const parent = ancestors.at(-1)
  return parent?.type === 'MemberExpression' && parent.object === node ? namedMember(parent) : ''
}

const namedMember = ({ computed, property }: MemberExpression) =>
  !computed && property.type === 'Identifier' ? property.name : ''

const isMemberOfGlobal = (node: AnyNode): node is MemberExpression =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'globalThis'

function firstPlaces(identifiers: Identifier[]): Map<string, TextPosition> {
  const places = new Map<string, TextPosition>()
  for (const node of identifiers)
    if (!places.has(node.name)) places.set(node.name, positionOf(node))
  return places
}

function lexicalNames(program: Program): Set<string> {
  const names = new Set<string>()
  for (const statement of program.body) {
    if (statement.type === 'ClassDeclaration') names.add(statement.id.name)
    if (statement.type !== 'VariableDeclaration' || statement.kind === 'var') continue
    for (const { id } of statement.declarations)
      walk(id, (node, ancestors) => {
        if (node.type === 'Identifier' && isReference(node, ancestors)) names.add(node.name)
      })
  }
  return names
}
