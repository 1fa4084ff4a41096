import type { Diagnostic } from '../contract/diagnostic.ts'
import { usualLimits } from '../contract/limits.ts'
import type { PipelineDefinition } from '../contract/pipeline.ts'
import { readCategories } from './category-literals.ts'
import { checkRoutes } from './check-routes.ts'
import { checkShape } from './check-shape.ts'
import { checkStages } from './check-stages.ts'
import { checkTrigger } from './check-trigger.ts'
import type { DefinitionSources } from './definition-sources.ts'
import { findScripts, type ScriptLookup } from './find-scripts.ts'
import { normalise } from './normalise.ts'
import { isRaw } from './raw.ts'
import { readDocument } from './read-document.ts'
import { createReport } from './report.ts'
import { resolveVariables } from './resolve-variables.ts'
import type { StageKind } from './stage-kind.ts'

/** What checking a pipeline needs from outside. */
export interface ParseServices {
  /** The catalogue of pre-built stages. */
  stages: readonly StageKind[]
  /** Names the specification has and this catalogue has not yet. */
  planned?: readonly string[]
  /** Stages a pipeline may have; the usual limit when left out. */
  maxStages?: number
  /** Looks a script file up; several candidates, or none, mean that it was not found. */
  resolveScript: (ref: string) => ScriptLookup
  /** The value behind `${{NAME}}`, if it has one. */
  environment?: (name: string) => string | undefined
}

/** A pipeline text, read and checked. */
export interface ParsedPipeline {
  /** Canonical and complete; absent when a diagnostic is an error. */
  definition?: PipelineDefinition
  /** In the order of the text. */
  diagnostics: Diagnostic[]
  sources: DefinitionSources
}

/** Reads a pipeline in YAML or JSON and checks everything that can be checked without running it. Never throws. */
export function parsePipeline(
  file: { path: string; text: string },
  services: ParseServices,
): ParsedPipeline {
  const document = readDocument(file.path, file.text)
  const diagnostics = [...document.diagnostics]
  const report = createReport(diagnostics)
  const { value } = document
  let definition: PipelineDefinition | undefined
  let stages: DefinitionSources['stages'] = []
  if (isRaw(value)) {
    const raw = resolveVariables(
      normalise(value, { pipelineId: idFromPath(file.path), document, report }),
      services.environment ?? (() => undefined),
      { document, report },
    )
    definition = checkShape(raw, { document, report })
    checkRoutes(raw['routes'], { document, report })
    checkTrigger(raw, { document, report })
    const kinds = new Map(services.stages.map((kind) => [kind.use, kind]))
    checkStages(raw, {
      document,
      report,
      kinds,
      planned: services.planned ?? [],
      maxStages: services.maxStages ?? usualLimits.stages,
    })
    stages = findScripts(raw['stages'], { document, report, file: file.path, ...services })
  } else if (!diagnostics.some(({ severity }) => severity === 'error'))
    report.error(
      'not-a-map',
      'A pipeline is a map with the keys routes and stages',
      document.locate([]),
    )
  if (definition) definition = readCategories(definition, { document, report })
  diagnostics.sort(({ source: a }, { source: b }) => a.line - b.line || a.column - b.column)
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
  return {
    definition: hasErrors ? undefined : definition,
    diagnostics,
    sources: { file: file.path, locate: document.locate, stages },
  }
}

/** `pipelines/movies.pipeline.yaml` → `movies` */
const idFromPath = (path: string) =>
  (path.split('/').at(-1) ?? '')
    .replace(/(\.pipeline)?\.(ya?ml|json)$/i, '')
    .replaceAll(/[^a-zA-Z0-9_-]/g, '-')
