import { activeTab } from '../stores/tabs.ts'
import { runsStore } from '../stores/runs.ts'
import { markDone } from '../stores/settings.ts'
import { notify } from '../stores/surface.ts'
import { defineCommand } from './define.ts'

function chosenRunId() {
  const tab = activeTab()
  const { selectedRunId, runs } = runsStore.getState()
  const runId = tab?.kind === 'run' ? tab.target : selectedRunId
  return runId && runs[runId] ? runId : undefined
}

/** Saves the selected run as an HTTP archive that browsers and other tools open. */
export const exportHar = defineCommand({
  id: 'run.exportHar',
  title: 'Export Run as HAR',
  unavailable: () => (chosenRunId() ? undefined : 'No run is selected; send a request first'),
  async run({ client, host }) {
    const runId = chosenRunId()
    if (!runId) return
    const text = await client.text('GET /api/runs/:runId/har', { params: { runId } })
    const name = `${runsStore.getState().runs[runId]?.pipelineId ?? 'run'}-${runId.slice(0, 8)}.har`
    await host.saveFile(name, text, 'application/json')
    markDone('har')
    notify('Run exported', name)
  },
})
