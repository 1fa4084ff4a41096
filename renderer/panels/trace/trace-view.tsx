import { useState } from 'react'
import type { ErrorSource } from '../../../gateway/contract/error-body.ts'
import type { StageSnapshot, Trace } from '../../../gateway/contract/trace.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Split } from '../../ui/split.tsx'
import { ErrorCard } from './error-card.tsx'
import { RunHeader } from './run-header.tsx'
import { type InspectorTab, StageInspector } from './stage-inspector.tsx'
import styles from './trace.module.css'
import { useNow } from '../../ui/quantity/use-now.ts'
import { Waterfall } from './waterfall.tsx'

/** One run: what became of it, its stages over time, and the chosen stage from the inside. */
export function TraceView({
  trace,
  selectedStageId,
  onSelectStage,
  loadSnapshot,
  onOpenSource,
  onExportHar,
}: {
  trace: Trace
  selectedStageId?: string | undefined
  onSelectStage: (stageId: string) => void
  /** Keep its identity: a new function loads again. */
  loadSnapshot: (stageId: string) => Promise<StageSnapshot>
  onOpenSource: (source: ErrorSource) => void
  onExportHar?: () => void
}) {
  const [tab, setTab] = useState<InspectorTab>('diff')
  const now = useNow(trace.status === 'running')
  const selected = trace.spans.find(({ stageId }) => stageId === selectedStageId)
  return (
    <section className={styles.view} aria-label="Trace">
      <RunHeader trace={trace} now={now} onSelectStage={onSelectStage} onExportHar={onExportHar} />
      {trace.error && (
        <ErrorCard
          error={trace.error}
          stageId={trace.error.stageId}
          onOpenSource={onOpenSource}
          onSelectStage={onSelectStage}
        />
      )}
      <Split
        splitId="trace"
        direction="vertical"
        panes={[
          {
            paneId: 'waterfall',
            defaultSize: '42%',
            minSize: 88,
            content: (
              <Waterfall
                trace={trace}
                now={now}
                selectedStageId={selectedStageId}
                onSelectStage={onSelectStage}
              />
            ),
          },
          {
            paneId: 'stage inspector',
            minSize: 120,
            content: selected ? (
              <StageInspector
                span={selected}
                runStart={trace.startTime}
                tab={tab}
                onTab={setTab}
                loadSnapshot={loadSnapshot}
                onOpenSource={onOpenSource}
              />
            ) : (
              <EmptyState
                icon="inspect"
                text="Choose a stage to see what went in, what came out and what it changed."
                keys="↑ ↓"
              />
            ),
          },
        ]}
      />
    </section>
  )
}
