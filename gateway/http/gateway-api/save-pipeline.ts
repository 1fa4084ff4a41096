import type { ChangedEnv } from '../../contract/gateway-api/pipelines.ts'
import type { Diagnostic } from '../../contract/diagnostic.ts'
import type { GlobalEnv, PipelineDefinition } from '../../contract/pipeline.ts'
import { errors } from '../../errors.ts'
import type { PipelineDraft, StoredPipeline } from '../../library/library.ts'
import { envKeysRead } from '../../pipeline/env-keys-read.ts'
import { readDocument } from '../../pipeline/read-document.ts'
import { SEALED, sealEnvValues } from '../../pipeline/seal-env-values.ts'
import type { ApiServices } from './api-services.ts'
import { mapInTurns } from './map-in-turns.ts'

interface Saved {
  stored: StoredPipeline
  definition: PipelineDefinition
  changedEnvs: ChangedEnv[]
}

/**
 * Checks a draft, stores it by `write` without the values of its global envs, and takes these over
 * (decisions.md 19, 32). Dots in place of a value keep the one that is known.
 * @throws {GatewayError} PIPELINE_INVALID with all diagnostics, or what `write` throws.
 */
export async function savePipeline(
  draft: PipelineDraft,
  services: ApiServices,
  { id, write }: { id?: string; write(sealed: PipelineDraft): Promise<StoredPipeline> },
): Promise<Saved> {
  const { globalEnvs } = services
  const { definition, file, ...checked } = services.compile(draft, id)
  const diagnostics = [...checked.diagnostics]
  const sealed = sealEnvValues(draft.content)
  const entries = definition?.global_envs ?? []
  for (const [index, { key, value }] of entries.entries()) {
    const report = (code: string, message: string, part = 'value') =>
      diagnostics.push({
        severity: 'error',
        code,
        message,
        source: readDocument(file, draft.content).locate(['global_envs', index, part]),
      })
    if (key === '')
      report('env-key-empty', 'A variable without a key could never be read: name its key', 'key')
    else if (sealed.unsealable.includes(key))
      report(
        'env-value-by-anchor',
        `Write the value of "${key}" out: an anchor or a merge would leave it in the text`,
      )
    else if (value === SEALED && !globalEnvs.get(key))
      report(
        'env-value-missing',
        `"${key}" has no value yet, so the dots stand for nothing: write it`,
      )
  }
  if (!definition || diagnostics.some(({ severity }) => severity === 'error'))
    throw refused(diagnostics)
  const stored = await write({ ...draft, content: sealed.text })
  const changed = await globalEnvs.apply(entries.flatMap((entry) => withValue(entry, services)))
  const readers = await readersOf(changed, services, stored.id)
  const changedEnvs = [...readers].map(([key, read_by]) => ({ key, read_by }))
  return { stored, definition, changedEnvs }
}

/** By key, the ids of the pipelines that read it; `exceptId` is left out. */
export async function readersOf(
  keys: readonly string[],
  { library, definitionOf }: ApiServices,
  exceptId?: string,
): Promise<Map<string, string[]>> {
  const readers = new Map<string, string[]>(keys.map((key) => [key, []]))
  if (keys.length === 0) return readers
  await mapInTurns(library.list(), (stored) => {
    const definition = stored.id === exceptId ? undefined : definitionOf(stored)
    if (!definition) return
    const scripts = Object.values(stored.scripts)
    for (const key of envKeysRead(definition, scripts, keys)) readers.get(key)?.push(stored.id)
  })
  return readers
}

/** An entry with its real value; none while `${{NAME}}` in it has no value. */
function withValue(entry: GlobalEnv, { globalEnvs }: ApiServices): GlobalEnv[] {
  if (entry.value === SEALED) return [{ ...entry, value: globalEnvs.get(entry.key)?.value ?? '' }]
  return /\$\{\{.+\}\}/.test(entry.value) ? [] : [entry]
}

/** All problems in one error, the first one in its message. */
export function refused(diagnostics: readonly Diagnostic[]) {
  const problems = diagnostics.filter(({ severity }) => severity === 'error')
  const [first] = problems
  const others = problems.length - 1
  const message = first
    ? `${first.source.file}:${first.source.line}:${first.source.column}: ${first.message}` +
      (others > 0 ? ` (and ${others} more)` : '')
    : 'The pipeline cannot be read'
  return errors.pipelineInvalid(message, {
    diagnostics,
    ...(first && { source: first.source }),
    // The reference tells this one apart; domain, section 1.1.
    ...(problems.every(({ code }) => code === 'script-and-ref') && { status: 409 }),
  })
}
