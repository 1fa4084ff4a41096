import { type ReactNode, useId, useRef } from 'react'
import type { ErrorSource } from '../../../gateway/contract/error-body.ts'
import type { Span, StageSnapshot } from '../../../gateway/contract/trace.ts'
import { DiffView } from '../../ui/diff-view/diff-view.tsx'
import { Icon } from '../../ui/icon.tsx'
import { formatDuration } from '../../ui/quantity/format-duration.ts'
import { useSize } from '../../ui/use-size.ts'
import { stageKind } from '../../ui/status/stage-kind.ts'
import { StatusMark } from '../../ui/status/status-mark.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CallList } from './call-list.tsx'
import { ContextView } from './context-view.tsx'
import { ErrorCard } from './error-card.tsx'
import styles from './inspector.module.css'
import { LogList } from './log-list.tsx'
import { hasRun } from './time-scale.ts'
import { useSnapshot } from './use-snapshot.ts'

/** The sides from which a stage can be looked at. */
export type InspectorTab = 'diff' | 'input' | 'output' | 'logs' | 'calls' | 'error'

const WIDE_PX = 880

/** One stage from the inside. Wide: input, changes and output side by side; narrow: one at a time. */
export function StageInspector({
  span,
  runStart,
  tab,
  onTab,
  loadSnapshot,
  onOpenSource,
}: {
  span: Span
  /** Start of the run, epoch milliseconds. */
  runStart: number
  tab: InspectorTab
  onTab: (tab: InspectorTab) => void
  loadSnapshot: (stageId: string) => Promise<StageSnapshot>
  onOpenSource: (source: ErrorSource) => void
}) {
  const frame = useRef<HTMLElement>(null)
  const panelId = useId()
  const { width } = useSize(frame)
  const isWide = width >= WIDE_PX
  const snapshot = useSnapshot(span, loadSnapshot)
  const tabs = tabsOf(span, isWide)
  // A side that this stage does not have, or that stands beside the changes, is the changes.
  const shown = tabs.some(({ tabId }) => tabId === tab) ? tab : 'diff'

  const sides: Record<InspectorTab, ReactNode> = {
    diff: <StageDiff span={span} />,
    input: <ContextView side="input" snapshot={snapshot} span={span} />,
    output: <ContextView side="output" snapshot={snapshot} span={span} />,
    logs: <LogList logs={span.logs} runStart={runStart} onOpenSource={onOpenSource} />,
    calls: <CallList span={span} />,
    error: span.error && (
      <ErrorCard error={span.error} stageId={span.stageId} onOpenSource={onOpenSource} />
    ),
  }
  return (
    <section ref={frame} className={styles.inspector} aria-label={`Stage ${span.stageId}`}>
      <Tabs
        label="Sides of the stage"
        items={tabs}
        value={shown}
        onChange={onTab}
        panelId={panelId}
        end={<Facts span={span} runStart={runStart} isWide={width > 640} />}
      />
      <Notices span={span} />
      <div id={panelId} role="tabpanel" aria-label={shown} className={styles.panel}>
        {shown === 'diff' && isWide ? (
          <div className={styles.columns}>
            {sides.input}
            {sides.diff}
            {sides.output}
          </div>
        ) : (
          sides[shown]
        )}
      </div>
    </section>
  )
}

const count = (items: readonly unknown[]) => (items.length > 0 ? items.length : undefined)

function tabsOf({ changes, logs, calls, error }: Span, isWide: boolean) {
  const all: { tabId: InspectorTab; title: string; badge?: number | undefined }[] = [
    { tabId: 'diff', title: isWide ? 'Context' : 'Changes', badge: count(changes) },
    { tabId: 'input', title: 'Input' },
    { tabId: 'output', title: 'Output' },
    { tabId: 'logs', title: 'Logs', badge: count(logs) },
    { tabId: 'calls', title: 'Calls', badge: count(calls) },
    { tabId: 'error', title: 'Error' },
  ]
  return all.filter(({ tabId }) =>
    tabId === 'error' ? error : !isWide || (tabId !== 'input' && tabId !== 'output'),
  )
}

/** Name, state and times at the right end of the tabs. */
function Facts({ span, runStart, isWide }: { span: Span; runStart: number; isWide: boolean }) {
  const { startTime, endTime, waitMs } = span
  const { icon, name } = stageKind(span.use)
  return (
    <span className={styles.facts}>
      {isWide && (
        <span className={styles.stageName} title={name}>
          <Icon name={icon} /> {span.stageId}
        </span>
      )}
      <StatusMark status={span.status} withWord={isWide} />
      {hasRun(span) && endTime !== undefined && (
        <span title={`starts ${formatDuration(startTime - runStart)} into the run`}>
          {formatDuration(endTime - startTime)}
          {isWide && waitMs > 0 && `, waited ${formatDuration(waitMs)}`}
        </span>
      )}
    </span>
  )
}

/** Why a stage was skipped, and what it tried but may not do. */
function Notices({ span: { status, reason, droppedWrites } }: { span: Span }) {
  const isFromNeed = status === 'skippedByNeed'
  return (
    <>
      {reason !== undefined && (
        <p className={styles.notice}>
          <StatusMark status={status} />
          <span>
            {isFromNeed ? 'Skipped with a stage it needs: ' : 'Skipped: '}
            {reason}
          </span>
        </p>
      )}
      {droppedWrites.length > 0 && (
        <p className={styles.notice} data-tone="warn">
          <Icon name="warning" />
          <span>
            {
              'Write dropped: an async stage may add keys but not change existing ones. It tried to write '
            }
            <code>{droppedWrites.join(', ')}</code>.
          </span>
        </p>
      )}
    </>
  )
}

const StageDiff = ({ span }: { span: Span }) => (
  <section
    className={styles.column}
    aria-label="Changes"
    data-testid="stage-diff"
    data-stage={span.stageId}
  >
    <h3 className={styles.columnHead}>
      Changes
      <span className={styles.count}>{span.changes.length}</span>
    </h3>
    <div
      className={styles.scroller}
      tabIndex={0}
      role="group"
      aria-label="List of changes"
      data-focus="inset"
    >
      <DiffView
        changes={span.changes}
        isCut={span.changesCut ?? false}
        emptyText={noChanges(span)}
      />
    </div>
  </section>
)

function noChanges(span: Span) {
  if (!hasRun(span) || span.reason !== undefined)
    return 'This stage did not run, so nothing changed.'
  if (span.status === 'running' || span.status === 'waiting')
    return 'Changes appear when it is done.'
  return span.error
    ? 'This stage failed before it changed anything.'
    : 'This stage left the context as it was.'
}
