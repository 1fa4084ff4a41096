import { expect, test } from 'vitest'
import type { StageModel } from '../../gateway/contract/pipeline.ts'
import { graphEdges, RESPONSE_NODE, ROUTE_NODE, topologicalOrder } from './graph-edges.ts'
import { layoutGraph } from './graph-layout.ts'
import { moveFocus } from './move-focus.ts'

const stage = (id: string, change: Partial<StageModel> = {}): StageModel => ({
  id,
  index: 0,
  inlineScript: false,
  async: false,
  enabled: true,
  continueOnError: true,
  needs: [],
  source: { file: 'p.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 },
  ...change,
})

const stages = [
  stage('auth'),
  stage('tmdb', { async: true }),
  stage('es'),
  stage('log', { async: true, needs: ['es'] }),
  stage('merge', { needs: ['tmdb', 'es'] }),
]
const edges = graphEdges({ stages })
const layout = layoutGraph(
  stages.map(({ id }) => id),
  edges,
  'LR',
)
const go = (from: string, arrow: Parameters<typeof moveFocus>[1]) =>
  moveFocus(from, arrow, edges, layout)
const written = edges.map(({ from, to, kind }) => `${from} > ${to} ${kind}`)

test('synchronous stages follow each other, asynchronous ones start at once or when needed', () => {
  expect(written.toSorted()).toEqual(
    [
      'tmdb > merge needs',
      'es > merge needs',
      'es > log needs',
      `${ROUTE_NODE} > auth sequence`,
      `${ROUTE_NODE} > tmdb sequence`,
      'auth > es sequence',
      `merge > ${RESPONSE_NODE} sequence`,
    ].toSorted(),
  )
})

test('a need that the text does not have draws no edge', () => {
  expect(graphEdges({ stages: [stage('a', { needs: ['gone'] })] })).toEqual([
    { from: ROUTE_NODE, to: 'a', kind: 'sequence' },
    { from: 'a', to: RESPONSE_NODE, kind: 'sequence' },
  ])
})

test('what a stage waits for comes before it, a circle does not hang', () => {
  const late = [stage('b', { async: true, needs: ['c'] }), stage('c', { async: true })]
  const order = topologicalOrder(late, graphEdges({ stages: late }))
  expect(order.map(({ id }) => id)).toEqual(['c', 'b'])
  const circle = [stage('x', { needs: ['y'] }), stage('y', { needs: ['x'] })]
  expect(topologicalOrder(circle, graphEdges({ stages: circle }))).toHaveLength(2)
})

test('every edge leads to the right, and no two nodes touch', () => {
  for (const { from, to } of edges) {
    const [a, b] = [layout.places.get(from), layout.places.get(to)]
    expect(b?.x).toBeGreaterThan((a?.x ?? 0) + (a?.width ?? 0))
  }
  const all = [...layout.places.values()]
  const touch = all.flatMap((a, at) =>
    all
      .slice(at + 1)
      .filter(
        (b) =>
          a.x < b.x + b.width &&
          b.x < a.x + a.width &&
          a.y < b.y + b.height &&
          b.y < a.y + a.height,
      ),
  )
  expect(touch).toEqual([])
})

test('arrows follow edges along the flow and go to neighbours across it', () => {
  expect(go('auth', 'ArrowRight')).toBe('es')
  expect(go('merge', 'ArrowRight')).toBe(RESPONSE_NODE)
  expect(go('merge', 'ArrowLeft')).toSatisfy((id) => id === 'es' || id === 'tmdb')
  expect(go(ROUTE_NODE, 'ArrowLeft')).toBeUndefined()
  expect([go('merge', 'ArrowDown'), go('merge', 'ArrowUp')]).toContain('log')
})
