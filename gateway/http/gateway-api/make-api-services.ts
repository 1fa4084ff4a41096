import { randomUUID } from 'node:crypto'
import type { createOutbound } from '../../engine/outbound.ts'
import type { GlobalEnvStore } from '../../envs/global-env-store.ts'
import type { CompiledPipeline, CompileServices } from '../../library/compile.ts'
import type { PipelineDraft, PipelineLibrary } from '../../library/library.ts'
import { pipelineJsonSchema } from '../../pipeline/json-schema.ts'
import type { RunGate } from '../../runtime/run-gate.ts'
import type { RunLimits, RunServices } from '../../runtime/run-request.ts'
import type { StageDefinition } from '../../stages/define.ts'
import type { StateStore } from '../../state/state-store.ts'
import { log, maskOfNow } from '../log.ts'
import type { createScripting } from '../scripting.ts'
import type { ApiServices } from './api-services.ts'
import { createDrafts } from './create-drafts.ts'
import { createTrials } from './trials.ts'

interface Parts {
  version: string
  library: PipelineLibrary
  globalEnvs: GlobalEnvStore
  /** Compiles a draft where it would lie, with the scripts that lie there already. */
  compileDraft(draft: PipelineDraft, id: string): CompiledPipeline<StageDefinition>
  /** Values of the selected environment; empty without one. */
  environment(): Readonly<Record<string, string | number | boolean>>
  compiling: CompileServices<StageDefinition>
  scripting: Pick<ReturnType<typeof createScripting>, 'loadApart'>
  runServices: RunServices
  gate: RunGate
  limits(): RunLimits
  outbound: ReturnType<typeof createOutbound>
  state: StateStore
  /** Parts that features bring as they are. */
  records: Pick<ApiServices, 'logs' | 'usage' | 'hasPipeline'>
}

const AUDIT = 'audit'

/** What the handlers of the gateway API work with, from the parts of the running gateway. */
export function makeApiServices(parts: Parts): ApiServices {
  const { library, globalEnvs, compiling, outbound, state } = parts
  return {
    ...parts.records,
    ...createDrafts(compiling, parts.compileDraft),
    version: parts.version,
    library,
    globalEnvs,
    trials: createTrials({ ...parts, loadScripts: parts.scripting.loadApart }),
    runEnvs: (globals) => ({ ...globalEnvs.values(), ...globals, ...parts.environment() }),
    maskOfNow,
    callOut: outbound.call,
    audit(entry) {
      const at = new Date().toISOString()
      state.put(AUDIT, `${at} ${randomUUID()}`, { at, ...entry })
      log.info('audit', entry)
    },
    pipelineSchema: () => pipelineJsonSchema(compiling.kinds),
  }
}
