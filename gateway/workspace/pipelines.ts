import { readFileSync } from 'node:fs'
import type { PipelineCheck } from '../contract/pipeline.ts'
import { type CompiledPipeline, compilePipeline, type CompileServices } from '../library/compile.ts'
import { asVersion } from '../library/load-versions.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import type { EnvValue } from './manifest.ts'
import { findScript } from './script-lookup.ts'

/** The part of an open workspace that pipelines are read from. */
interface Files {
  paths(kind: 'pipeline' | 'script'): readonly string[]
  fullPath(path: string): string
  environment(): Readonly<Record<string, EnvValue>>
}

interface Services<Kind extends StageKind> extends CompileServices<Kind> {
  files: Files
  /** The number of the live version, which is what the file holds; none without other versions. */
  liveVersion(pipelineId: string): number | undefined
}

/** Reads, checks and compiles pipelines; text is given or read from the workspace. */
export function createPipelineLoader<Kind extends StageKind>(services: Services<Kind>) {
  const { files } = services

  const readIfThere = (path: string) => {
    try {
      return readFileSync(files.fullPath(path), 'utf8')
    } catch {
      return undefined
    }
  }

  /** What was loaded last: an unchanged pipeline keeps its plan, and so its warm scripts. */
  const kept = new Map<string, { surroundings: string; loaded: CompiledPipeline<Kind> }>()
  const isCurrent = ({ plan }: CompiledPipeline<Kind>) =>
    plan !== undefined &&
    plan.scripts.every(({ file, text }) => file === plan.file || readIfThere(file) === text) &&
    plan.version === services.liveVersion(plan.pipelineId)

  const resolveScript = (file: string, ref: string) =>
    findScript(file, ref, { paths: files.paths('script'), read: readIfThere })

  function load(file: string, text: string): CompiledPipeline<Kind> {
    const compiled = compilePipeline(
      {
        file,
        text,
        resolveScript: (ref) => resolveScript(file, ref),
        environment: files.environment(),
      },
      services,
    )
    const { plan } = compiled
    if (!plan) return compiled
    const version = services.liveVersion(plan.pipelineId)
    return version === undefined
      ? compiled
      : { ...compiled, plan: asVersion(plan, { version, isLive: true }) }
  }

  return {
    /** Checks a text as if it lay at `path`; nothing is kept. */
    check(path: string, text: string): PipelineCheck {
      const { diagnostics, model, plan } = load(path, text)
      return { diagnostics, ...(model && plan && { model }) }
    },
    /** The script file behind a `scriptRef` of a pipeline file. */
    resolveScript,
    /** Reads all pipeline files anew. A file with errors serves nothing, the others go on. */
    loadAll(): CompiledPipeline<Kind>[] {
      const surroundings = JSON.stringify([
        files.environment(),
        files.paths('script'),
        services.maxStages(),
      ])
      const pipelines = files.paths('pipeline').flatMap((file) => {
        const text = readIfThere(file)
        if (text === undefined) return []
        const known = kept.get(file)
        if (
          known?.loaded.text === text &&
          known.surroundings === surroundings &&
          isCurrent(known.loaded)
        )
          return { ...known.loaded, diagnostics: [...known.loaded.diagnostics] }
        const loaded = load(file, text)
        kept.set(file, { surroundings, loaded: { ...loaded } })
        return loaded
      })
      reportSameIds(pipelines)
      return pipelines
    },
  }
}

/** Two files with one id would hide each other: the later one is refused. */
function reportSameIds<Kind extends StageKind>(pipelines: CompiledPipeline<Kind>[]) {
  const first = new Map<string, string>()
  for (const pipeline of pipelines) {
    const id = pipeline.model?.pipelineId
    if (id === undefined) continue
    const other = first.get(id)
    if (other === undefined) first.set(id, pipeline.file)
    else {
      delete pipeline.plan
      pipeline.diagnostics.push({
        severity: 'error',
        code: 'duplicate-pipeline-id',
        message: `Pipeline id "${id}" is taken by ${other}; give this one another id`,
        source: { file: pipeline.file, line: 1, column: 1, endLine: 1, endColumn: 2 },
      })
    }
  }
}
