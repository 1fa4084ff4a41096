import { existsSync } from 'node:fs'
import type { GatewayEvent } from '../contract/events.ts'
import type { Diagnostic } from '../contract/diagnostic.ts'
import type { Workspace } from '../contract/workspace.ts'
import type { EngineConnection } from '../engine/client.ts'
import { errors } from '../errors.ts'
import type { Plan, PlannedScript } from '../pipeline/plan.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import type { StateStore } from '../state/state-store.ts'
import { createDataLoader } from './data-loader.ts'
import { createGlobalEnvs } from './global-envs.ts'
import { openWorkspace, type OpenWorkspace } from './open-workspace.ts'
import { createPipelineLoader, type LoadedPipelines } from './pipelines.ts'
import { ensureSample } from './sample.ts'

interface Services<Kind extends StageKind> {
  dataDir: string
  state: StateStore
  kinds: readonly Kind[]
  planned: readonly string[]
  checkScript(script: PlannedScript): Diagnostic[]
  /** The local engine once it answers; undefined when requests go to a remote one. */
  localEngine(): EngineConnection | undefined
  emit(event: GatewayEvent): void
  /** Stages one pipeline may have. */
  maxStages(): number
  onLoaded(plans: readonly Plan<Kind>[]): void
}

/** What the gateway serves of the open workspace. */
export interface Served<Kind extends StageKind> extends LoadedPipelines<Kind> {
  envs: Readonly<Record<string, unknown>>
}

/** A workspace that was open once. */
interface Recent {
  name: string
  at: number
  isSample: boolean
}

const RECENT = 'recent-workspace'
const MAX_RECENT = 10

/** Holds the open workspace: its files, what its pipelines mean, the data it brings. */
export function createWorkspaceSession<Kind extends StageKind>(services: Services<Kind>) {
  const { emit } = services
  const globals = createGlobalEnvs()
  const data = createDataLoader(emit)
  let open: OpenWorkspace | undefined
  let served: Served<Kind> = { ...emptyMatcher<Kind>(services), envs: {} }

  const loader = createPipelineLoader<Kind>({
    kinds: services.kinds,
    planned: services.planned,
    maxStages: services.maxStages,
    files: {
      paths: (kind) => open?.pathsOf(kind) ?? [],
      fullPath: (path) => open?.path(path) ?? path,
      environment: () => open?.environmentValues() ?? {},
    },
    checkScript: services.checkScript,
  })

  /** Compiles everything anew; requests under way keep the plans they started with. */
  function reload(changed?: readonly string[]) {
    const loaded = loader.loadAll()
    globals.apply(loaded.pipelines, changed)
    served = { ...loaded, envs: { ...globals.values(), ...open?.environmentValues() } }
    services.onLoaded(loaded.pipelines.flatMap(({ plan }) => plan ?? []))
    emit({ type: 'pipelines' })
  }

  async function onFiles(workspace: OpenWorkspace, paths: readonly string[]) {
    if (open !== workspace) return
    emit({ type: 'workspace', workspace: workspace.describe() })
    for (const path of paths)
      emit({ type: 'fileChanged', path, etag: await workspace.etagOnDisk(path) })
    if (paths.some((path) => /^(pipelines|scripts|envs)\/|\.js$|^sluice\.yaml$/.test(path)))
      reload(paths)
  }

  function openFolder(dir: string, isSample: boolean): Workspace {
    const workspace: OpenWorkspace = openWorkspace(dir, isSample, {
      onFiles: (paths) => void onFiles(workspace, paths),
    })
    open?.close()
    open = workspace
    globals.clear()
    reload()
    const described = workspace.describe()
    services.state.put(RECENT, workspace.root, { name: described.name, at: Date.now(), isSample })
    loadSampleData()
    emit({ type: 'workspace', workspace: described })
    return described
  }

  function loadSampleData() {
    const engine = services.localEngine()
    if (open && engine) data.load(engine, open.root, open.manifest().data ?? [])
  }

  const current = () => {
    if (open) return open
    throw errors.notFound('No workspace is open; open the sample or a folder first')
  }

  const recent = () =>
    services.state
      .list(RECENT)
      // Only openFolder writes this kind.
      .map(({ key, value }) => ({ dir: key, ...(value as Recent) }))
      .toSorted((a, b) => b.at - a.at)
      .slice(0, MAX_RECENT)

  return {
    workspace: () => open?.describe(),
    /** What the manifest of the open workspace limits. */
    limits: () => open?.manifest().limits,
    served: () => served,
    tasks: data.tasks,
    /** Resolves when sample data that is being loaded is there; at once otherwise. */
    dataReady: data.ready,
    loadSampleData,
    check: loader.check,
    open: (dir: string) => openFolder(dir, false),
    openSample: () => openFolder(ensureSample(services.dataDir), true),
    /** Opens what was open last; a folder that is gone by now is passed over. */
    resume() {
      const [last] = recent()
      if (last && existsSync(last.dir)) openFolder(last.dir, last.isSample)
    },
    readFile: (path: string) => current().readText(path),
    async writeFile(file: { path: string; text: string; etag: string | null }) {
      const workspace = current()
      const written = await workspace.writeText(file)
      // At once, not when the watcher notices: the next request means the saved text.
      await onFiles(workspace, [file.path])
      return written
    },
    selectEnvironment(name: string | null) {
      const described = current().selectEnvironment(name)
      reload()
      emit({ type: 'workspace', workspace: described })
      return described
    },
    recent: () => recent().map(({ name, dir }) => ({ name, dir })),
    /** Values of the selected environment. */
    environment: () => open?.environmentValues() ?? {},
    secrets: globals.secrets,
    close: () => open?.close(),
  }
}

/** What is served while no workspace is open. */
function emptyMatcher<Kind extends StageKind>(services: Services<Kind>) {
  const files = { paths: () => [], fullPath: (path: string) => path, environment: () => ({}) }
  return createPipelineLoader<Kind>({ ...services, files }).loadAll()
}
