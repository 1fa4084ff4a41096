import { useMemo, type ReactNode } from 'react'
import { runCommand } from '../stores/command-list.ts'
import { allProblems, usePipelines } from '../stores/pipelines.ts'
import { changeSettings, rememberLayout, useSettings } from '../stores/settings.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { Split } from '../ui/split.tsx'
import { Toolbar } from '../ui/toolbar.tsx'
import { useRovingFocus } from '../ui/use-roving-focus.ts'
import styles from './pipeline-view.module.css'

const VIEWS = { text: 'Text', split: 'Split', graph: 'Graph' } as const

/** A pipeline as text and as a graph; the graph is that of the last valid text. */
export function PipelineView({
  path,
  editor,
  graph,
}: {
  path: string
  editor: ReactNode
  graph: ReactNode
}) {
  const view = useSettings((settings) => settings.pipelineView)
  const layout = useSettings(({ layouts }) => layouts['pipeline'])
  const model = usePipelines(({ models }) => models[path])
  const diagnostics = usePipelines((state) => state.diagnostics)
  const errorCount = useMemo(
    () =>
      allProblems({ diagnostics, models: {} }).filter(
        ({ severity, source }) => severity === 'error' && source.file === path,
      ).length,
    [diagnostics, path],
  )
  const graphPane = (
    <div className={styles.pane}>
      {errorCount > 0 && <Lag errorCount={errorCount} hasModel={model !== undefined} />}
      {model ? (
        graph
      ) : (
        <EmptyState icon="type-hierarchy-sub" text="The graph appears once the text can be read." />
      )}
    </div>
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
            { paneId: 'graph', defaultSize: '45%', minSize: 80, content: graphPane },
          ]}
        />
      ) : view === 'text' ? (
        editor
      ) : (
        graphPane
      )}
    </div>
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

/** Says that text and graph differ, and how to the reasons. */
const Lag = ({ errorCount, hasModel }: { errorCount: number; hasModel: boolean }) => (
  <div className={styles.lag} data-testid="graph-lag">
    <Icon name="error" />
    <span className={styles.lagText}>
      text has {errorCount} {errorCount === 1 ? 'problem' : 'problems'}
      {hasModel && ', graph shows the last valid text'}
    </span>
    <Button variant="quiet" onClick={() => runCommand('go.nextProblem')}>
      Next problem
    </Button>
  </div>
)
