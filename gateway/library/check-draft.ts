import { randomUUID } from 'node:crypto'
import { posix } from 'node:path'
import { errors } from '../errors.ts'
import type { ScriptLookup } from '../pipeline/find-scripts.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import {
  type CompiledPipeline,
  compilePipeline,
  type CompileServices,
  type PipelineText,
} from './compile.ts'
import type { PipelineDraft } from './library.ts'
import type { PipelineVersion } from './record.ts'

/** Where the text of a pipeline lies, or is said to lie: messages name it, and it gives the id. */
export const fileOf = (id: string, extension: PipelineDraft['extension']) =>
  `pipelines/${id}.${extension}`

/** Compiles a draft with nothing around it but the scripts it brings. */
export function compileDraft<Kind extends StageKind>(
  { content, extension, scripts }: PipelineDraft,
  { id = randomUUID(), environment }: { id?: string } & Pick<PipelineText, 'environment'>,
  services: CompileServices<Kind>,
): CompiledPipeline<Kind> {
  const file = fileOf(id, extension)
  const resolveScript = (ref: string) => findGiven(file, ref, scripts)
  return compilePipeline({ file, text: content, resolveScript, environment }, services)
}

/** A script a draft brought: by its very name, else by a base name only one has (domain.md 1.4). */
export function findGiven(
  file: string,
  ref: string,
  scripts: PipelineDraft['scripts'],
): ScriptLookup {
  const place = (name: string) => posix.join(posix.dirname(file), name)
  const exact = Object.hasOwn(scripts, ref) ? scripts[ref] : undefined
  if (exact !== undefined) return { path: place(ref), text: exact }
  const wanted = new Set([posix.basename(ref), `${posix.basename(ref)}.js`])
  const alike = Object.entries(scripts).filter(([name]) => wanted.has(posix.basename(name)))
  const [only] = alike
  if (only && alike.length === 1) return { path: place(only[0]), text: only[1] }
  return { candidates: alike.map(([name]) => name) }
}

/** What a draft without errors says. */
export type CheckedDraft = { id: string } & Omit<
  PipelineVersion,
  'version' | 'description' | 'createdAt' | 'updatedAt'
>

/**
 * Takes only what may be saved.
 * @throws {GatewayError} PIPELINE_INVALID with all diagnostics; UNPROCESSABLE when the text names
 * another pipeline than `id`.
 */
export function requireValid<Kind extends StageKind>(
  { content, extension, validateContext }: PipelineDraft,
  { definition, plan, diagnostics, scripts }: CompiledPipeline<Kind>,
  id?: string,
): CheckedDraft {
  if (!definition || !plan) {
    const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0]
    const { source, message = 'not understood' } = first ?? {}
    const place = source ? `${source.file}:${source.line}:${source.column}: ` : ''
    throw errors.pipelineInvalid(`The pipeline was not saved: ${place}${message}`, {
      ...(source && { source }),
      diagnostics,
    })
  }
  const named = plan.pipelineId
  if (id !== undefined && named !== id)
    throw errors.unprocessable(
      `The text names pipeline "${named}", the address "${id}"; make them the same`,
    )
  return {
    id: named,
    enabled: plan.enabled,
    priority: plan.priority,
    content,
    extension,
    ...(validateContext !== undefined && { validateContext }),
    scripts,
  }
}
