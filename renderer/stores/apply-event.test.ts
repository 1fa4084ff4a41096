import { expect, test } from 'vitest'
import { createClient } from '../client/client.ts'
import { applyEvent } from './apply-event.ts'
import { runsStore, spansOf } from './runs.ts'
import { surfaceStore } from './surface.ts'

const client = createClient('token', 'http://127.0.0.1:1')
const spanEvent = (stageId: string, index: number, status: string) =>
  JSON.stringify({
    type: 'span',
    span: {
      runId: 'r',
      stageId,
      index,
      async: false,
      needs: [],
      status,
      queuedTime: 1,
      startTime: 1,
      waitMs: 0,
      changes: [],
      droppedWrites: [],
      logs: [],
      calls: [],
    },
  })

test('a closed span takes the place of the open one, in the order of the pipeline', async () => {
  await applyEvent(spanEvent('b', 1, 'running'), client)
  await applyEvent(spanEvent('a', 0, 'ok'), client)
  await applyEvent(spanEvent('b', 1, 'ok'), client)
  const spans = spansOf('r')(runsStore.getState())
  expect(spans.map(({ stageId, status }) => [stageId, status])).toEqual([
    ['a', 'ok'],
    ['b', 'ok'],
  ])
})

test('what a schedule did instead of a run is told to the user', async () => {
  const notice = {
    pipelineId: 'nightly', kind: 'missed', tick: 0, count: 2, message: '2 runs did not happen',
  } // prettier-ignore
  await applyEvent(JSON.stringify({ type: 'schedule', notice }), client)
  expect(surfaceStore.getState().notice).toMatchObject({
    title: 'Schedule of nightly',
    description: '2 runs did not happen',
    kind: 'info',
  })
})

test('refuses an event it does not know', async () => {
  await expect(applyEvent('{"type":"nope"}', client)).rejects.toThrow()
})
