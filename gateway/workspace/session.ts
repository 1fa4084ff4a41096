import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Diagnostic } from '../contract/diagnostic.ts'
import type { GatewayEvent } from '../contract/events.ts'
import type { Workspace } from '../contract/workspace.ts'
import type { EngineConnection } from '../engine/client.ts'
import { createCurrentGlobalEnvs } from '../envs/current-global-envs.ts'
import type { GlobalEnvStore } from '../envs/global-env-store.ts'
import { errors } from '../errors.ts'
import type { CompiledPipeline, CompileServices } from '../library/compile.ts'
import type { PipelineDraft } from '../library/library.ts'
import type { PipelineSource } from '../library/state-source.ts'
import { createCurrentLibrary } from '../library/current-library.ts'
import { createMatcher, type Matcher } from '../pipeline/match.ts'
import type { Plan } from '../pipeline/plan.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import type { StateStore } from '../state/state-store.ts'
import { createDataLoader } from './data-loader.ts'
import { createDeclaredEnvs } from './declared-envs.ts'
import { openWorkspace, type OpenWorkspace } from './open-workspace.ts'
import { createRecentWorkspaces } from './recent-workspaces.ts'
import { ensureSample } from './sample.ts'
import { openWorkspaceSource } from './workspace-source.ts'

interface Services<Kind extends StageKind> extends CompileServices<Kind> {
  dataDir: string
  state: StateStore
  /** Pipelines that are served while no workspace is open. */
  stored: PipelineSource<Kind>
  /** Where values of secret variables lie. */
  secrets: {
    get(name: string): string | undefined
    put(name: string, value: string): void
    remove(name: string): void
  }
  /** Global envs of a workspace, or without one those of the gateway. */
  openGlobalEnvs(scope: string): GlobalEnvStore
  /** The local engine once it answers; undefined when requests go to a remote one. */
  localEngine(): EngineConnection | undefined
  emit(event: GatewayEvent): void
  onLoaded(plans: readonly Plan<Kind>[]): void
  /** Hears of mistakes in files that are no pipelines, when they come. */
  onMistake(mistake: Diagnostic): void
  /** False where several gateways serve the same: one with a workspace would serve something else. */
  mayOpen: boolean
  /** Hears of what went wrong where nobody waits for an answer. */
  onProblem(problem: unknown): void
}

/** What the gateway serves. */
export interface Served<Kind extends StageKind> {
  /** The live version of each pipeline. */
  pipelines: CompiledPipeline<Kind>[]
  matcher: Matcher<Kind>
  envs: Readonly<Record<string, unknown>>
}

/** A new value of a secret variable; null for none. */
interface EnvironmentSecret {
  environment: string
  key: string
  value: string | null
}

const secretName = (scope: string, environment: string, key: string) =>
  `environment:${scope}:${environment}:${key}`

/**
 * Holds what is served: the open workspace with its files and the data it brings, or without one the
 * pipelines of the state store.
 */
export function createWorkspaceSession<Kind extends StageKind>(services: Services<Kind>) {
  const { emit } = services
  const data = createDataLoader(emit)
  const recents = createRecentWorkspaces(services.state)
  const listeners = new Set<() => void>()
  const onChange = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  let open: OpenWorkspace | undefined
  let source = services.stored
  let { globalEnvs, declared, stopListening } = enter('', () => source === services.stored)
  /** Former values, too: traces of this process may still hold them. */
  const secrets = new Set<string>()
  let served: Served<Kind> = { pipelines: [], matcher: createMatcher([]), envs: {} }

  /** Everything that differs from one workspace to the next but its files. */
  function enter(scope: string, isCurrent: () => boolean) {
    const envs = services.openGlobalEnvs(scope)
    const { state, onProblem } = services
    return {
      globalEnvs: envs,
      declared: createDeclaredEnvs({ globalEnvs: envs, state, scope, onProblem }),
      stopListening: envs.onChange(() => isCurrent() && refreshEnvs()),
    }
  }

  /** Compiles what changed; requests under way keep the plans they started with. */
  function reload() {
    const { pipelines, plans } = source.load()
    if (open) declared.apply(pipelines)
    served = { pipelines, matcher: createMatcher(plans), envs: {} }
    refreshEnvs()
    tellMistakes()
    services.onLoaded(plans)
    emit({ type: 'pipelines' })
  }

  let told = new Set<string>()
  function tellMistakes() {
    const before = told
    told = new Set()
    for (const mistake of open?.problems() ?? []) {
      const text = JSON.stringify(mistake)
      told.add(text)
      if (!before.has(text)) services.onMistake(mistake)
    }
  }

  function refreshEnvs() {
    const values = declared.values()
    for (const value of Object.values(values)) secrets.add(value)
    served = { ...served, envs: { ...values, ...open?.environmentValues() } }
    for (const listener of listeners) listener()
  }

  async function onFiles(workspace: OpenWorkspace, paths: readonly string[]) {
    if (open !== workspace) return
    if (paths.some((path) => /^(pipelines|scripts|envs)\/|\.js$|^sluice\.yaml$/.test(path)))
      reload()
    await tellOf(workspace, paths)
  }

  async function tellOf(workspace: OpenWorkspace, paths: readonly string[]) {
    emit({ type: 'workspace', workspace: workspace.describe() })
    for (const path of paths)
      emit({ type: 'fileChanged', path, etag: await workspace.etagOnDisk(path) })
  }

  function openFolder(dir: string, isSample: boolean): Workspace {
    if (!services.mayOpen)
      throw errors.conflict(
        'This gateway serves the pipelines of its cluster; start one without --state cluster to ' +
          'open a workspace',
      )
    // The same wherever both folders are moved to, and another one for each of several workspaces.
    const scope = relative(services.dataDir, resolve(dir))
    const workspace: OpenWorkspace = openWorkspace(dir, isSample, {
      onFiles: (paths) => void onFiles(workspace, paths),
      secretOf: (environment, key) => services.secrets.get(secretName(scope, environment, key)),
    })
    const next = openWorkspaceSource({
      ...services,
      workspace,
      scope,
      onSaved(paths) {
        workspace.rescan()
        if (open !== workspace) return
        reload()
        if (paths.length > 0) void tellOf(workspace, paths)
      },
      onChange,
    })
    open?.close()
    stopListening()
    open = workspace
    source = next
    ;({ globalEnvs, declared, stopListening } = enter(scope, () => open === workspace))
    reload()
    const described = workspace.describe()
    recents.add(workspace.root, { name: described.name, isSample })
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

  services.stored.library.onChange(() => {
    if (source === services.stored) reload()
  })

  return {
    workspace: () => open?.describe(),
    /** What the manifest of the open workspace limits. */
    limits: () => open?.manifest().limits,
    served: () => served,
    tasks: data.tasks,
    /** Resolves when sample data that is being loaded is there; at once otherwise. */
    dataReady: data.ready,
    loadSampleData,
    check: (path: string, text: string) => source.check(path, text),
    compileDraft: (draft: PipelineDraft, id: string) => source.compileDraft(draft, id),
    /** Pipelines and variables of the open workspace, or of the gateway; they follow a change. */
    library: createCurrentLibrary(() => source.library, onChange),
    globalEnvs: createCurrentGlobalEnvs(() => globalEnvs, onChange),
    /** Serves stored pipelines; an open workspace takes their place. */
    serveStored: reload,
    open: (dir: string) => openFolder(dir, false),
    openSample: () => openFolder(ensureSample(services.dataDir), true),
    /** Opens what was open last; a folder that is gone by now is passed over. */
    resume() {
      const [last] = recents.list()
      if (last && existsSync(last.dir)) openFolder(last.dir, last.isSample)
      else reload()
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
    /** Files besides pipelines that have mistakes; their last good form counts. */
    problems: () => open?.problems() ?? [],
    environmentSecrets: () => current().environmentSecrets(),
    /**
     * Sets a secret variable on this machine, or with null forgets it.
     * @throws {GatewayError} REQUEST_INVALID when the environment's file does not name it.
     */
    setEnvironmentSecret({ environment, key, value }: EnvironmentSecret) {
      const workspace = current()
      const declared = workspace.environmentSecrets()
      if (!declared.some((one) => one.environment === environment && one.key === key))
        throw errors.requestInvalid(
          `The environment "${environment}" has no secret "${key}"; write "${key}: { secret: true }" ` +
            'in its file first',
        )
      const name = secretName(relative(services.dataDir, workspace.root), environment, key)
      if (value === null) services.secrets.remove(name)
      else services.secrets.put(name, value)
      reload()
      return workspace.environmentSecrets()
    },
    recent: () => recents.list().map(({ name, dir }) => ({ name, dir })),
    /** Values of the selected environment. */
    environment: () => open?.environmentValues() ?? {},
    /** Values that no trace, log or error may show (decisions.md 32). */
    secrets: () => secrets,
    async close() {
      open?.close()
      stopListening()
      await declared.settled()
    },
  }
}
