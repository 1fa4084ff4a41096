import type { StageModel } from '../../gateway/contract/pipeline.ts'
import type { StageStatus } from '../../gateway/contract/trace.ts'
import { Icon } from '../ui/icon.tsx'
import { stageKind } from '../ui/status/stage-kind.ts'
import { StatusMark } from '../ui/status/status-mark.tsx'
import { useRovingFocus } from '../ui/use-roving-focus.ts'
import styles from './graph-table.module.css'
import type { GraphEdge } from './graph-edges.ts'
import { ROUTE_NODE } from './graph-edges.ts'
import { stageFlags } from './stage-flags.ts'

/** The same pipeline as a table: what runs, after what, and what is unusual about it. */
export function GraphTable({
  stages,
  edges,
  statuses,
  selectedStageId,
  onSelectStage,
}: {
  stages: readonly StageModel[]
  edges: readonly GraphEdge[]
  statuses: Readonly<Record<string, StageStatus>> | undefined
  selectedStageId: string | undefined
  onSelectStage: (stageId: string) => void
}) {
  const onKeyDown = useRovingFocus('[data-stage-button]', 'vertical')
  const hasSelected = stages.some(({ id }) => id === selectedStageId)
  return (
    <div className={styles.scroller}>
      <table className={styles.table} onKeyDown={onKeyDown}>
        <caption className="visually-hidden">Stages in the order in which they may run</caption>
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col">Kind</th>
            <th scope="col">Starts after</th>
            <th scope="col">Notes</th>
            {statuses && <th scope="col">Last run</th>}
          </tr>
        </thead>
        <tbody>
          {stages.map((stage, at) => {
            const { name, icon } = stageKind(stage.use)
            const status = statuses?.[stage.id]
            const isSelected = stage.id === selectedStageId
            return (
              <tr
                key={stage.id}
                data-selected={isSelected || undefined}
                data-off={!stage.enabled || undefined}
              >
                <th scope="row">
                  <button
                    type="button"
                    data-stage-button
                    data-focus="inset"
                    className={styles.stage}
                    aria-pressed={isSelected}
                    tabIndex={isSelected || (!hasSelected && at === 0) ? 0 : -1}
                    onClick={() => onSelectStage(stage.id)}
                  >
                    <Icon name={icon} />
                    {stage.id}
                  </button>
                </th>
                <td>{stage.scriptFile ?? name}</td>
                <td>{startsAfter(stage.id, edges)}</td>
                <td>
                  {[
                    ...(stage.async ? ['async'] : []),
                    ...stageFlags(stage).map(({ label }) => label),
                  ].join(', ')}
                </td>
                {statuses && <td>{status && <StatusMark status={status} withWord />}</td>}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const startsAfter = (stageId: string, edges: readonly GraphEdge[]) =>
  edges
    .filter(({ to }) => to === stageId)
    .map(({ from, kind }) =>
      from === ROUTE_NODE ? 'the request' : kind === 'needs' ? `${from} (needed)` : from,
    )
    .join(', ')
