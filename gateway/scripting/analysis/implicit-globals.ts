import type { AnyNode, Identifier, Pattern, Program } from 'acorn'
import { childrenOf } from './walk.ts'

interface Scope {
  names: Set<string>
  /** Where `var` and function declarations go. */
  isFunction: boolean
  parent?: Scope
}

/** Assignments to names that are declared nowhere; without strict mode they make globals. */
export function findImplicitGlobals(program: Program): Identifier[] {
  const found: Identifier[] = []
  const assigned: { name: Identifier; scope: Scope }[] = []
  const top: Scope = { names: new Set(), isFunction: true }

  const declare = (pattern: Pattern | null | undefined, scope: Scope) => {
    for (const { name } of namesIn(pattern)) scope.names.add(name)
  }
  const functionScope = (scope: Scope): Scope =>
    scope.isFunction || !scope.parent ? scope : functionScope(scope.parent)

  const visit = (node: AnyNode, outer: Scope) => {
    let scope = outer
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        if (node.type === 'FunctionDeclaration') declare(node.id, outer)
        scope = { names: new Set(['arguments']), isFunction: true, parent: outer }
        if (node.type === 'FunctionExpression') declare(node.id, scope)
        for (const param of node.params) declare(param, scope)
        break
      case 'ClassDeclaration':
        declare(node.id, outer)
        break
      case 'ClassExpression':
        scope = { names: new Set(), isFunction: false, parent: outer }
        declare(node.id, scope)
        break
      case 'BlockStatement':
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'SwitchStatement':
      case 'StaticBlock':
        scope = { names: new Set(), isFunction: node.type === 'StaticBlock', parent: outer }
        break
      case 'CatchClause':
        scope = { names: new Set(), isFunction: false, parent: outer }
        declare(node.param, scope)
        break
      case 'VariableDeclaration':
        for (const { id } of node.declarations)
          declare(id, node.kind === 'var' ? functionScope(outer) : outer)
        break
      default:
    }
    if (node.type === 'AssignmentExpression')
      for (const name of namesIn(node.left)) assigned.push({ name, scope })
    if (node.type === 'UpdateExpression' && node.argument.type === 'Identifier')
      assigned.push({ name: node.argument, scope })
    if (node.type === 'ForInStatement' || node.type === 'ForOfStatement')
      if (node.left.type !== 'VariableDeclaration')
        for (const name of namesIn(node.left)) assigned.push({ name, scope })
    for (const child of childrenOf(node)) visit(child, scope)
  }
  visit(program, top)

  const isDeclared = (name: string, scope: Scope | undefined): boolean =>
    scope !== undefined && (scope.names.has(name) || isDeclared(name, scope.parent))
  for (const { name, scope } of assigned) if (!isDeclared(name.name, scope)) found.push(name)
  return found
}

/** The variables a pattern binds or assigns. */
function namesIn(pattern: AnyNode | null | undefined): Identifier[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === 'RestElement' ? property.argument : property.value),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn)
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'RestElement':
      return namesIn(pattern.argument)
    default:
      return []
  }
}
