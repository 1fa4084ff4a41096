import type { Client } from '../client/client.ts'
import { GatewayEvent } from '../../gateway/contract/events.ts'
import { receiveEngine, receiveTask } from './app.ts'
import { receiveRun, receiveSpan } from './runs.ts'
import { readDisk } from './save-document.ts'
import { notify } from './surface.ts'
import { refreshPipelines, showWorkspace } from './workspace.ts'

type Handlers = {
  [E in GatewayEvent as E['type']]: (event: E, client: Client) => void | Promise<void>
}

/** One handler an event type. A new type in the contract does not compile until it is handled. */
const handlers: Handlers = {
  run: ({ run }) => receiveRun(run),
  span: ({ span }) => receiveSpan(span),
  workspace: ({ workspace }, client) => showWorkspace(client, workspace),
  fileChanged: ({ path, etag }, client) => (etag === null ? undefined : readDisk(client, path)),
  pipelines: (_, client) => refreshPipelines(client),
  engine: ({ engine }) => receiveEngine(engine),
  task: ({ task }) => receiveTask(task),
  schedule: ({ notice }) =>
    notify(
      `Schedule of ${notice.pipelineId}`,
      notice.message,
      notice.kind === 'failed' ? 'error' : 'info',
    ),
}

/** Applies one raw server-sent message to the stores. @throws {z.ZodError} on an unknown shape. */
export async function applyEvent(json: string, client: Client) {
  const event = GatewayEvent.parse(JSON.parse(json))
  // Safe: `Handlers` pairs each type with its own event; TypeScript cannot follow the index.
  const handle = handlers[event.type] as (
    event: GatewayEvent,
    client: Client,
  ) => void | Promise<void>
  await handle(event, client)
}
