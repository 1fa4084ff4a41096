import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import type { PipelineModel } from '../../gateway/contract/pipeline.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './graph.module.css'
import type { GraphDirection } from './graph-layout.ts'

/** Where requests come in. */
export type RouteNodeType = Node<
  { routes: PipelineModel['routes']; direction: GraphDirection },
  'route'
>
/** Where the answer goes out. */
export type AnswerNodeType = Node<{ direction: GraphDirection }, 'answer'>

/** The first route in full; the others are counted and in the tooltip. */
export function RouteNode({ data: { routes, direction } }: NodeProps<RouteNodeType>) {
  const [first] = routes
  const all = routes.map(({ method, path }) => `${method} ${path}`).join('\n')
  return (
    <div className={styles.end} data-end="route" title={all}>
      <span className={styles.kindIcon}>
        <Icon name="sign-in" />
      </span>
      <span className={styles.names}>
        <span className={styles.name}>{first ? first.path : 'No route'}</span>
        <span className={styles.detail}>
          {first?.method}
          {routes.length > 1 && `, and ${routes.length - 1} more`}
        </span>
      </span>
      <Handle
        type="source"
        position={direction === 'LR' ? Position.Right : Position.Bottom}
        isConnectable={false}
      />
    </div>
  )
}

/** The end of the way. */
export const AnswerNode = ({ data: { direction } }: NodeProps<AnswerNodeType>) => (
  <div className={styles.end} data-end="answer">
    <Handle
      type="target"
      position={direction === 'LR' ? Position.Left : Position.Top}
      isConnectable={false}
    />
    <Icon name="sign-out" />
    <span>Response</span>
  </div>
)
