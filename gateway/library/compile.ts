import type { Diagnostic } from '../contract/diagnostic.ts'
import type { PipelineDefinition, PipelineModel } from '../contract/pipeline.ts'
import type { ScriptLookup } from '../pipeline/find-scripts.ts'
import { toModel } from '../pipeline/model.ts'
import { parsePipeline } from '../pipeline/parse-pipeline.ts'
import { compilePlan, type Plan, type PlannedScript } from '../pipeline/plan.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'

/** What pipelines are checked against; the same for all of a gateway. */
export interface CompileServices<Kind extends StageKind> {
  kinds: readonly Kind[]
  /** Names of the spec that are not built yet: told apart from typing errors. */
  planned: readonly string[]
  /** Stages one pipeline may have. */
  maxStages(): number
  /** Problems inside a script, which only the sandbox can find. */
  checkScript(script: PlannedScript): Diagnostic[]
}

/** A pipeline's text, and where what it names is found. */
export interface PipelineText {
  /** Also gives the id when the text has none. */
  file: string
  text: string
  resolveScript(ref: string): ScriptLookup
  /** Values behind `${{NAME}}`; the process environment comes after them. */
  environment: Readonly<Record<string, string | number | boolean>>
}

/** What is wrong with a pipeline, and what it means when nothing is. */
export interface CompiledPipeline<Kind extends StageKind> {
  file: string
  text: string
  diagnostics: Diagnostic[]
  /** Script texts by `scriptRef`, as far as they were found. */
  scripts: Readonly<Record<string, string>>
  definition?: PipelineDefinition
  model?: PipelineModel
  plan?: Plan<Kind>
}

/** `${{constructor}}` names no variable. */
const ownValue = <Value>(values: Readonly<Record<string, Value>>, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Reads, checks and compiles one pipeline. Never throws. */
export function compilePipeline<Kind extends StageKind>(
  { file, text, resolveScript, environment }: PipelineText,
  services: CompileServices<Kind>,
): CompiledPipeline<Kind> {
  const scripts: Record<string, string> = {}
  const { definition, sources, diagnostics } = parsePipeline(
    { path: file, text },
    {
      stages: services.kinds,
      planned: services.planned,
      maxStages: services.maxStages(),
      resolveScript(ref) {
        const found = resolveScript(ref)
        if ('path' in found) scripts[ref] = found.text
        return found
      },
      environment: (name) => {
        const value = ownValue(environment, name)
        if (value !== undefined) return String(value)
        // Our own variables hold keys; no pipeline has business with them.
        return name.startsWith('SLUICE_') ? undefined : ownValue(process.env, name)
      },
    },
  )
  if (!definition) return { file, text, diagnostics, scripts }
  const plan = compilePlan({ definition, sources }, services.kinds)
  const inScripts = plan.scripts.flatMap((script) => services.checkScript(script))
  const isBroken = inScripts.some(({ severity }) => severity === 'error')
  return {
    file,
    text,
    diagnostics: [...diagnostics, ...inScripts],
    scripts,
    definition,
    model: toModel({ definition, sources }),
    ...(!isBroken && { plan }),
  }
}
