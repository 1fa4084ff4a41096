import { useMemo } from 'react'
import type { Client } from '../client/client.ts'
import { runCommand } from '../stores/command-list.ts'
import { allProblems, usePipelines } from '../stores/pipelines.ts'
import { useRuns } from '../stores/runs.ts'
import { changeSettings, useSettings } from '../stores/settings.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { ProblemsView } from './problems-view.tsx'
import { RunTable } from './run-table.tsx'

/** Problems and runs, below the documents. */
export function BottomPanel({ client }: { client: Client }) {
  const view = useSettings((settings) => settings.bottomView)
  const diagnostics = usePipelines((state) => state.diagnostics)
  const problemCount = useMemo(() => allProblems({ diagnostics, models: {} }).length, [diagnostics])
  const runCount = useRuns(({ runs }) => Object.keys(runs).length)
  return (
    <>
      <Tabs
        label="Bottom panel"
        panelId="bottom-panel"
        value={view}
        onChange={(bottomView) => changeSettings({ bottomView })}
        items={[
          { tabId: 'problems', title: 'Problems', badge: problemCount || undefined },
          { tabId: 'runs', title: 'Runs', badge: runCount || undefined },
        ]}
        end={
          <IconButton
            icon="close"
            label="Close panel"
            onClick={() => runCommand('view.toggleBottomPanel')}
          />
        }
      />
      <div
        id="bottom-panel"
        role="tabpanel"
        aria-label={view === 'problems' ? 'Problems' : 'Runs'}
        style={{ display: 'flex', flex: 1, minHeight: 0 }}
      >
        <ErrorBoundary key={view} name={view === 'problems' ? 'Problems' : 'Runs'}>
          {view === 'problems' ? <ProblemsView client={client} /> : <RunTable />}
        </ErrorBoundary>
      </div>
    </>
  )
}
