import { z } from 'zod'

/** Kinds of file the workbench knows how to open. */
export const FileKind = z.enum([
  'manifest',
  'pipeline',
  'script',
  'request',
  'env',
  'data',
  'other',
])
export type FileKind = z.infer<typeof FileKind>

/** One file of the workspace. `path` is relative, with forward slashes. */
export const WorkspaceFile = z.object({ path: z.string(), kind: FileKind, sizeBytes: z.number() })
export type WorkspaceFile = z.infer<typeof WorkspaceFile>

/** The open workspace. */
export const Workspace = z.object({
  name: z.string(),
  dir: z.string(),
  isSample: z.boolean(),
  files: z.array(WorkspaceFile),
  /** Names of the environments in `envs/`, and the selected one. */
  environments: z.array(z.string()),
  environment: z.string().optional(),
})
export type Workspace = z.infer<typeof Workspace>

/** A secret variable that an environment's file names; its value lies on this machine, if it does. */
export const EnvironmentSecret = z.object({
  environment: z.string(),
  key: z.string(),
  isSet: z.boolean(),
})
export type EnvironmentSecret = z.infer<typeof EnvironmentSecret>

/** A file's text. `etag` names this very content; saving asks for it back. */
export const FileText = z.object({ path: z.string(), text: z.string(), etag: z.string() })
export type FileText = z.infer<typeof FileText>

/** State of the connected engine. Credentials are never part of `url`. */
export const EngineState = z.object({
  kind: z.enum(['local', 'remote']),
  url: z.string(),
  status: z.enum(['starting', 'up', 'down']),
  /** `opensearch 3.8.0`; absent until the engine has answered. */
  version: z.string().optional(),
  message: z.string().optional(),
})
export type EngineState = z.infer<typeof EngineState>

/** A piece of background work with its progress; `done` of `total` units. */
export const Task = z.object({
  taskId: z.string(),
  title: z.string(),
  done: z.number(),
  total: z.number(),
  state: z.enum(['running', 'finished', 'failed']),
  message: z.string().optional(),
})
export type Task = z.infer<typeof Task>

/** How much the gateway has to do at this moment. */
export const Load = z.object({
  /** Runs under way, requests that wait for one of them, answered runs with stages under way. */
  running: z.number(),
  waiting: z.number(),
  background: z.number(),
  /** Script isolates that are open, and script runs that wait for one. */
  isolates: z.number(),
  waitingScripts: z.number(),
})
export type Load = z.infer<typeof Load>

/** Everything the workbench needs to draw itself after a start or a reconnect. */
export const AppState = z.object({
  version: z.string(),
  gatewayUrl: z.string(),
  pid: z.number(),
  engine: EngineState,
  load: Load,
  workspace: Workspace.optional(),
  recentWorkspaces: z.array(z.object({ name: z.string(), dir: z.string() })),
  tasks: z.array(Task),
})
export type AppState = z.infer<typeof AppState>
