import { boolOf, boosted, constant, NONE, type BoolNode, type QueryNode } from './node.ts'

/**
 * The query in the form Lucene scores it: nested boosts, one-clause bools, nested disjunctions and
 * repeated clauses are resolved. Not only for speed: each rule moves a rounding.
 */
export function simplify(node: QueryNode): QueryNode {
  switch (node.kind) {
    case 'boost': {
      const inner = simplify(node.query)
      if (inner.kind === 'none') return NONE
      return inner.kind === 'boost'
        ? boosted(inner.query, Math.fround(node.boost * inner.boost))
        : boosted(inner, node.boost)
    }
    case 'constant': {
      const inner = simplify(node.query)
      return inner.kind === 'constant' || inner.kind === 'none'
        ? inner
        : constant(withoutBoost(inner)[0])
    }
    case 'disMax': {
      const queries = node.queries.map(simplify).filter(isPossible)
      if (queries.length === 0) return NONE
      if (queries.length === 1) return queries[0]!
      return node.tieBreaker === 1
        ? simplifyBool(boolOf({ should: queries }))
        : { ...node, queries }
    }
    case 'bool':
      return simplifyBool({
        ...node,
        must: node.must.map(simplify),
        should: node.should.map(simplify),
        filter: node.filter.map(simplify),
        mustNot: node.mustNot.map(simplify),
      })
    default:
      return node
  }
}

const isPossible = (node: QueryNode) => node.kind !== 'none'

/** Of a bool whose clauses are simple already. */
function simplifyBool(nested: BoolNode): QueryNode {
  const given = inlineRequired(nested)
  const { must, filter } = given
  if (![...must, ...filter].every(isPossible)) return NONE
  const mustNot = given.mustNot.filter(isPossible)
  const possible = given.should.filter(isPossible)
  // Equal disjunctions become one, with a boost, before they could be opened.
  const should = given.minimum <= 1 ? joinEqual(joinEqual(possible).flatMap(pourable)) : possible
  if (given.minimum > should.length) return NONE
  if (must.length + should.length + filter.length === 0) return NONE
  if (must.length + should.length + filter.length + mustNot.length === 1) {
    if (must.length === 1) return must[0]!
    if (should.length === 1) return should[0]!
    return boosted(constant(filter[0]!), 0)
  }
  // When all that can match have to, they are required.
  return given.minimum > 0 && given.minimum === should.length
    ? { ...given, must: joinEqual([...must, ...should]), should: [], mustNot, minimum: 0 }
    : { ...given, must: joinEqual(must), should, mustNot }
}

/** Required bools without optional clauses hand theirs to the bool around them. */
function inlineRequired(node: BoolNode): BoolNode {
  const inner = node.must.filter(isConjunction)
  if (inner.length === 0) return node
  return {
    ...node,
    must: node.must.flatMap((one) => (isConjunction(one) ? one.must : [one])),
    filter: [...node.filter, ...inner.flatMap(({ filter }) => filter)],
    mustNot: [...node.mustNot, ...inner.flatMap(({ mustNot }) => mustNot)],
  }
}

const isConjunction = (node: QueryNode): node is BoolNode =>
  node.kind === 'bool' && node.should.length === 0

/** The clauses of a pure disjunction, or the clause itself. */
const pourable = (node: QueryNode): readonly QueryNode[] =>
  node.kind === 'bool' &&
  node.minimum <= 1 &&
  node.must.length + node.filter.length + node.mustNot.length === 0
    ? node.should
    : [node]

/** Equal clauses become one whose boost is the sum of theirs, in double, then rounded. */
function joinEqual(nodes: readonly QueryNode[]): readonly QueryNode[] {
  if (nodes.length < 2) return nodes
  const sums = new Map<string, { query: QueryNode; boost: number; count: number }>()
  for (const node of nodes) {
    const [query, boost] = withoutBoost(node)
    const key = keyOf(query)
    const known = sums.get(key)
    if (known) {
      known.boost += boost
      known.count++
    } else sums.set(key, { query, boost, count: 1 })
  }
  if (sums.size === nodes.length) return nodes
  return Array.from(sums.values(), ({ query, boost }) => boosted(query, boost))
}

/** Terms are equal whatever statistics they were given; of equal ones the first stays. */
const keyOf = (query: QueryNode) =>
  JSON.stringify(query, (name, value: unknown) => {
    if (name === 'docFrequency') return undefined
    return typeof value === 'bigint' ? `${value}n` : value
  })

const withoutBoost = (node: QueryNode): [QueryNode, number] =>
  node.kind === 'boost' ? [node.query, node.boost] : [node, 1]
