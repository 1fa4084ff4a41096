import { useEffect, useRef, useState } from 'react'
import type { ErrorSource } from '../../../gateway/contract/error-body.ts'
import type { StageSnapshot, Trace } from '../../../gateway/contract/trace.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { Split } from '../../ui/split.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useSize } from '../../ui/use-size.ts'
import { ErrorCard } from './error-card.tsx'
import { RunHeader } from './run-header.tsx'
import { type InspectorTab, StageInspector } from './stage-inspector.tsx'
import styles from './trace.module.css'
import { Waterfall, waterfallHeight } from './waterfall.tsx'

const MOST_SHARE = 0.5

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
  const frame = useRef<HTMLDivElement>(null)
  const height = useSize(frame).height
  const now = useNow(trace.status === 'running')
  const selected = trace.spans.find(({ stageId }) => stageId === selectedStageId)
  const hadFocus = useRef(false)
  const isSplit = selected !== undefined && height > 0
  // The first choice puts the waterfall into a split, which makes it anew; the keyboard stays in it.
  useEffect(() => {
    if (isSplit && hadFocus.current)
      frame.current?.querySelector<HTMLElement>('[role=treegrid]')?.focus()
    hadFocus.current = false
  }, [isSplit])
  const waterfall = (
    <Waterfall
      trace={trace}
      now={now}
      selectedStageId={selectedStageId}
      onSelectStage={(stageId) => {
        hadFocus.current = !isSplit
        onSelectStage(stageId)
      }}
    />
  )
  return (
    <section className={styles.view} aria-label="Trace">
      <RunHeader trace={trace} now={now} onSelectStage={onSelectStage} onExportHar={onExportHar} />
      {trace.error && trace.status !== 'cancelled' && (
        <ErrorCard
          error={trace.error}
          stageId={trace.error.stageId}
          onOpenSource={onOpenSource}
          onSelectStage={onSelectStage}
        />
      )}
      <div ref={frame} className={styles.frame}>
        {isSplit ? (
          <Split
            splitId="trace"
            direction="vertical"
            panes={[
              {
                paneId: 'waterfall',
                defaultSize: Math.min(waterfallHeight(trace.spans.length), height * MOST_SHARE),
                minSize: 88,
                content: waterfall,
              },
              {
                paneId: 'stage inspector',
                minSize: 96,
                content: (
                  <StageInspector
                    span={selected}
                    runStart={trace.startTime}
                    tab={tab}
                    onTab={setTab}
                    loadSnapshot={loadSnapshot}
                    onOpenSource={onOpenSource}
                  />
                ),
              },
            ]}
          />
        ) : (
          <>
            {waterfall}
            <p className={styles.hint}>
              Choose a stage to see what went in, what came out and what it changed
              <Kbd keys="↑ ↓" />
            </p>
          </>
        )}
      </div>
    </section>
  )
}
