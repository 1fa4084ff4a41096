import { readFileSync } from 'node:fs'
import type { Diagnostic } from '../contract/diagnostic.ts'
import type { PipelineCheck, PipelineDefinition, PipelineModel } from '../contract/pipeline.ts'
import { createMatcher } from '../pipeline/match.ts'
import { toModel } from '../pipeline/model.ts'
import { parsePipeline } from '../pipeline/parse-pipeline.ts'
import { compilePlan, type Plan, type PlannedScript } from '../pipeline/plan.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import type { EnvValue } from './manifest.ts'
import { findScript } from './script-lookup.ts'

/** The part of an open workspace that pipelines are read from. */
interface Files {
  paths(kind: 'pipeline' | 'script'): readonly string[]
  fullPath(path: string): string
  environment(): Readonly<Record<string, EnvValue>>
}

interface Services<Kind extends StageKind> {
  kinds: readonly Kind[]
  /** Names of the spec that are not built yet: told apart from typing errors. */
  planned: readonly string[]
  /** Stages one pipeline may have. */
  maxStages(): number
  files: Files
  /** Problems inside a script, which only the sandbox can find. */
  checkScript(script: PlannedScript): Diagnostic[]
}

/** One pipeline file: what is wrong with it, and what it means when nothing is. */
export interface LoadedPipeline<Kind extends StageKind> {
  file: string
  diagnostics: Diagnostic[]
  model?: PipelineModel
  plan?: Plan<Kind>
  globalEnvs: NonNullable<PipelineDefinition['global_envs']>
}

/** All pipelines of a workspace at one moment. */
export interface LoadedPipelines<Kind extends StageKind> {
  pipelines: LoadedPipeline<Kind>[]
  matcher: ReturnType<typeof createMatcher<Kind>>
}

/** Reads, checks and compiles pipelines; text is given or read from the workspace. */
export function createPipelineLoader<Kind extends StageKind>(services: Services<Kind>) {
  const { files, kinds } = services

  const readIfThere = (path: string) => {
    try {
      return readFileSync(files.fullPath(path), 'utf8')
    } catch {
      return undefined
    }
  }

  /** What was loaded last: an unchanged pipeline keeps its plan, and so its warm scripts. */
  const kept = new Map<
    string,
    { text: string; surroundings: string; loaded: LoadedPipeline<Kind> }
  >()
  const isCurrent = ({ plan }: LoadedPipeline<Kind>) =>
    plan !== undefined &&
    plan.scripts.every(({ file, text }) => file === plan.file || readIfThere(file) === text)

  function load(file: string, text: string): LoadedPipeline<Kind> {
    const scripts = { paths: files.paths('script'), read: readIfThere }
    const environment = files.environment()
    const parsed = parsePipeline(
      { path: file, text },
      {
        stages: kinds,
        planned: services.planned,
        maxStages: services.maxStages(),
        resolveScript: (ref) => findScript(file, ref, scripts),
        environment: (name) => {
          const value = environment[name]
          if (value !== undefined) return String(value)
          // Our own variables hold keys; no pipeline has business with them.
          return name.startsWith('SLUICE_') ? undefined : process.env[name]
        },
      },
    )
    const { definition, sources, diagnostics } = parsed
    if (!definition) return { file, diagnostics, globalEnvs: [] }
    const plan = compilePlan({ definition, sources }, kinds)
    const inScripts = plan.scripts.flatMap((script) => services.checkScript(script))
    const all = [...diagnostics, ...inScripts]
    const isBroken = inScripts.some(({ severity }) => severity === 'error')
    return {
      file,
      diagnostics: all,
      model: toModel({ definition, sources }),
      ...(!isBroken && { plan }),
      globalEnvs: definition.global_envs ?? [],
    }
  }

  return {
    /** Checks a text as if it lay at `path`; nothing is kept. */
    check(path: string, text: string): PipelineCheck {
      const { diagnostics, model, plan } = load(path, text)
      return { diagnostics, ...(model && plan && { model }) }
    },
    /** Reads all pipeline files anew. A file with errors serves nothing, the others go on. */
    loadAll(): LoadedPipelines<Kind> {
      const surroundings = JSON.stringify([
        files.environment(),
        files.paths('script'),
        services.maxStages(),
      ])
      const pipelines = files.paths('pipeline').flatMap((file) => {
        const text = readIfThere(file)
        if (text === undefined) return []
        const known = kept.get(file)
        if (known?.text === text && known.surroundings === surroundings && isCurrent(known.loaded))
          return { ...known.loaded, diagnostics: [...known.loaded.diagnostics] }
        const loaded = load(file, text)
        kept.set(file, { text, surroundings, loaded: { ...loaded } })
        return loaded
      })
      reportSameIds(pipelines)
      return { pipelines, matcher: createMatcher(pipelines.flatMap(({ plan }) => plan ?? [])) }
    },
  }
}

/** Two files with one id would hide each other: the later one is refused. */
function reportSameIds<Kind extends StageKind>(pipelines: LoadedPipeline<Kind>[]) {
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
