import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { allProblems, usePipelines } from '../stores/pipelines.ts'
import { selectStage, spansOf, useRuns } from '../stores/runs.ts'
import { changeSettings, rememberLayout, useSettings } from '../stores/settings.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Split } from '../ui/split.tsx'
import { Toolbar } from '../ui/toolbar.tsx'
import { useRovingFocus } from '../ui/use-roving-focus.ts'
import styles from './pipeline-document.module.css'

const PipelineGraph = lazy(async () => ({
  default: (await import('../graph/pipeline-graph.tsx')).PipelineGraph,
}))

const VIEWS = { text: 'Text', split: 'Split', graph: 'Graph' } as const

/** A pipeline as text and as a graph; the graph is that of the last valid text. */
export function PipelineDocument({ path, editor }: { path: string; editor: ReactNode }) {
  const view = useSettings((settings) => settings.pipelineView)
  const layout = useSettings(({ layouts }) => layouts['pipeline'])
  const model = usePipelines(({ models }) => models[path])
  const graph = (
    <Suspense fallback={null}>
      <ErrorBoundary name={`The graph of ${path}`}>
        <Graph path={path} />
      </ErrorBoundary>
    </Suspense>
  )
  return (
    <div className={styles.pane}>
      <Toolbar label="Pipeline">
        <span className={styles.facts}>
          {model?.enabled === false && <span>disabled</span>}
          {model?.routes.slice(0, 1).map((route) => (
            <span key={route.path} className={styles.route} title="First route of the pipeline">
              {route.method} {route.path}
            </span>
          ))}
          {model && <span className="tabular">priority {model.priority}</span>}
        </span>
        <ViewSwitch />
      </Toolbar>
      {view === 'split' ? (
        <Split
          splitId="pipeline"
          direction="vertical"
          layout={layout}
          onLayout={(sizes) => rememberLayout('pipeline', sizes)}
          panes={[
            { paneId: 'text', defaultSize: '55%', minSize: 80, content: editor },
            { paneId: 'graph', defaultSize: '45%', minSize: 80, content: graph },
          ]}
        />
      ) : view === 'text' ? (
        editor
      ) : (
        graph
      )}
    </div>
  )
}

/** The graph with the states of the selected run, when it is a run of this pipeline. */
function Graph({ path }: { path: string }) {
  const model = usePipelines(({ models }) => models[path])
  const diagnostics = usePipelines((state) => state.diagnostics)
  const selectedStageId = useRuns((state) => state.selectedStageId)
  const runId = useRuns(({ runs, selectedRunId }) =>
    runs[selectedRunId ?? '']?.file === path ? selectedRunId : null,
  )
  const spans = useRuns(spansOf(runId))
  const statuses = useMemo(
    () => Object.fromEntries(spans.map(({ stageId, status }) => [stageId, status])),
    [spans],
  )
  const problemCount = useMemo(
    () =>
      allProblems({ diagnostics, models: {} }).filter(
        ({ severity, source }) => severity === 'error' && source.file === path,
      ).length,
    [diagnostics, path],
  )
  return (
    <PipelineGraph
      model={model}
      statuses={runId === null ? undefined : statuses}
      selectedStageId={selectedStageId ?? undefined}
      onSelectStage={selectStage}
      problemCount={problemCount}
    />
  )
}

function ViewSwitch() {
  const view = useSettings((settings) => settings.pipelineView)
  const onKeyDown = useRovingFocus('[role=radio]', 'horizontal')
  return (
    <div className={styles.switch} role="radiogroup" aria-label="Show" onKeyDown={onKeyDown}>
      {Object.entries(VIEWS).map(([id, title]) => (
        <button
          key={id}
          type="button"
          role="radio"
          data-focus="inset"
          className={styles.choice}
          aria-checked={id === view}
          tabIndex={id === view ? 0 : -1}
          // Safe: the keys of VIEWS are the setting's values.
          onClick={() => changeSettings({ pipelineView: id as keyof typeof VIEWS })}
        >
          {title}
        </button>
      ))}
    </div>
  )
}
