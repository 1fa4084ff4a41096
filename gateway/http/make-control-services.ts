import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Load } from '../contract/workspace.ts'
import type { EngineConnection } from '../engine/client.ts'
import { splitCredentials } from '../engine/connection.ts'
import { readVersion, type Switchboard } from '../engine/switchboard.ts'
import type { SecretStore } from '../envs/secret-store.ts'
import { editPipeline } from '../pipeline/edit/edit-pipeline.ts'
import { pipelineJsonSchema } from '../pipeline/json-schema.ts'
import { scriptTypes } from '../scripting/script-types.ts'
import type { StageDefinition } from '../stages/define.ts'
import type { createTraceStore } from '../trace/store.ts'
import type { createWorkspaceSession } from '../workspace/session.ts'
import type { ControlServices } from './control-services.ts'
import { sendThroughGateway } from './send.ts'

interface Parts {
  load(): Load
  version: string
  gatewayUrl: string
  authorization: string
  runSecret: string
  kinds: readonly StageDefinition[]
  switchboard: Switchboard
  secrets: SecretStore
  session: ReturnType<typeof createWorkspaceSession<StageDefinition>>
  traces: ReturnType<typeof createTraceStore>
  openConnection(kind: 'local' | 'remote', address: string): EngineConnection
  explain: ControlServices['pipelines']['explain']
}

/** What the workbench may ask, answered from the parts of the running gateway. */
export function makeControlServices(parts: Parts): ControlServices {
  const { session, switchboard, traces, kinds } = parts
  return {
    state() {
      const workspace = session.workspace()
      return {
        version: parts.version,
        gatewayUrl: parts.gatewayUrl,
        pid: process.pid,
        engine: switchboard.state(),
        load: parts.load(),
        ...(workspace && { workspace }),
        recentWorkspaces: session.recent(),
        tasks: session.tasks(),
      }
    },
    async connectEngine(address) {
      const { url } = splitCredentials(address)
      const probe = parts.openConnection('remote', address)
      try {
        // Asked before anything is switched: an engine that does not answer changes nothing.
        await readVersion(probe)
      } finally {
        void probe.pool.close()
      }
      parts.secrets.put(`engine:${url.origin}`, address)
      switchboard.connect('remote', address)
      return switchboard.state()
    },
    workspace: {
      openSample: session.openSample,
      open: session.open,
      readFile: session.readFile,
      writeFile: session.writeFile,
      selectEnvironment: session.selectEnvironment,
      environmentSecrets: session.environmentSecrets,
      setEnvironmentSecret: session.setEnvironmentSecret,
    },
    pipelines: {
      list: () => [
        ...session.served().pipelines.map(({ file, diagnostics, model }) => ({
          file,
          diagnostics,
          ...(model && { model }),
        })),
        ...session.problems().map((one) => ({ file: one.source.file, diagnostics: [one] })),
      ],
      check: session.check,
      edit: ({ edit, ...file }) => editPipeline(file, edit),
      explain: parts.explain,
      schema: () => pipelineJsonSchema(kinds),
      scriptTypes,
      stages: () =>
        kinds.map(({ use, summary, mayBeAsync, inputs }) => ({
          use,
          summary,
          mayBeAsync: mayBeAsync ?? false,
          inputs: z.toJSONSchema(inputs, { io: 'input', unrepresentable: 'any' }),
        })),
    },
    send: (request, signal) =>
      sendThroughGateway(
        { ...request, runId: request.runId || randomUUID() },
        {
          gatewayUrl: parts.gatewayUrl,
          authorization: parts.authorization,
          runSecret: parts.runSecret,
          isTraced: (runId) => traces.get(runId) !== undefined,
        },
        signal,
      ),
    runs: {
      list: traces.list,
      get: traces.get,
      stage: traces.stageSnapshot,
      har: traces.har,
    },
  }
}
