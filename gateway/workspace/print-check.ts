import type { Diagnostic } from '../contract/diagnostic.ts'
import { usualLimits } from '../contract/limits.ts'
import type { PlannedScript } from '../pipeline/plan.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import { toLine } from './diagnostic-line.ts'
import { openWorkspace } from './open-workspace.ts'
import { createPipelineLoader } from './pipelines.ts'

interface Services {
  kinds: readonly StageKind[]
  planned: readonly string[]
  checkScript(script: PlannedScript): Diagnostic[]
}

/**
 * Checks all pipelines of a folder.
 * @throws {GatewayError} WORKSPACE_UNREADABLE
 */
export function checkPipelines(dir: string, services: Services) {
  const workspace = openWorkspace(dir, false, { onFiles: () => undefined })
  const loader = createPipelineLoader({
    ...services,
    maxStages: () => workspace.manifest().limits?.stages ?? usualLimits.stages,
    liveVersion: () => undefined,
    files: {
      paths: workspace.pathsOf,
      fullPath: workspace.path,
      environment: workspace.environmentValues,
    },
  })
  const pipelines = loader.loadAll()
  const others = workspace.problems()
  workspace.close()
  const diagnostics = [...pipelines.flatMap((pipeline) => pipeline.diagnostics), ...others]
  const lines = diagnostics.map(toLine)
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length
  lines.push(`${pipelines.length} pipelines, ${errors} errors, ${warnings} warnings`)
  return { lines, hasErrors: errors > 0 }
}
