import { Handle, type NodeProps, Position, type Node } from '@xyflow/react'
import type { StageModel } from '../../gateway/contract/pipeline.ts'
import type { StageStatus } from '../../gateway/contract/trace.ts'
import { Icon } from '../ui/icon.tsx'
import { STATUS_LOOKS } from '../ui/status/stage-status.ts'
import { stageKind } from '../ui/status/stage-kind.ts'
import { StatusMark } from '../ui/status/status-mark.tsx'
import styles from './graph.module.css'
import type { GraphDirection } from './graph-layout.ts'
import { stageFlags } from './stage-flags.ts'

/** What a node of the drawing is told. */
export type StageNodeType = Node<
  {
    stage: StageModel
    status: StageStatus | undefined
    isSelected: boolean
    isTabStop: boolean
    direction: GraphDirection
    onSelect: (stageId: string) => void
  },
  'stage'
>

/** A stage as a button: glyph of its kind, id, what it is, marks for what is unusual about it. */
export function StageNode({
  data: { stage, status, isSelected, isTabStop, direction, onSelect },
}: NodeProps<StageNodeType>) {
  const { name, icon } = stageKind(stage.use)
  const detail = stage.scriptFile ? fileName(stage.scriptFile) : name
  // The state says it already.
  const flags = stageFlags(stage).filter(({ label }) => label !== status)
  return (
    <>
      <Handle
        type="target"
        position={direction === 'LR' ? Position.Left : Position.Top}
        isConnectable={false}
      />
      <button
        type="button"
        className={styles.stage}
        data-node={stage.id}
        data-testid="graph-node"
        data-status={status}
        data-tone={status && STATUS_LOOKS[status].tone}
        data-off={!stage.enabled || undefined}
        data-async={stage.async || undefined}
        aria-pressed={isSelected}
        tabIndex={isTabStop ? 0 : -1}
        title={stage.description}
        onClick={() => onSelect(stage.id)}
      >
        <span className={styles.kindIcon}>
          <Icon name={icon} />
        </span>
        <span className={styles.names}>
          <span className={styles.name}>{stage.id}</span>
          <span className={styles.detail}>
            {detail}
            {stage.async && <span className={styles.async}> · async</span>}
          </span>
        </span>
        <span className={styles.marks}>
          {flags.map(({ label, icon }) => (
            <span key={label} title={label} className={styles.flag}>
              <Icon name={icon} />
              <span className="visually-hidden">{label}</span>
            </span>
          ))}
          {status && <StatusMark status={status} />}
        </span>
      </button>
      <Handle
        type="source"
        position={direction === 'LR' ? Position.Right : Position.Bottom}
        isConnectable={false}
      />
    </>
  )
}

const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1)
