import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { limitNames, LIMITS, type LimitName, type Limits } from './contract/limits.ts'
import { errors } from './errors.ts'

/** Everything `sluice serve` may be told. Ports of 0 take free ones. */
export interface ServeConfig {
  workspaceDir?: string
  dataDir: string
  port: number
  enginePort: number
  /** `local`, or the address of a remote engine, credentials included. */
  engine: string
  /** Share of runs that are recorded, from 0 to 1. */
  traceRate: number
  printCredentials: boolean
  exitWithParent: boolean
  /** Opens the workspace that was open last, when none is named: for the workbench. */
  resume: boolean
  /** Limits set here hold whatever `sluice.yaml` says. */
  limits: Partial<Limits>
  /** `cluster`: pipelines and variables lie in the engine, for all gateways in front of it. */
  state: 'local' | 'cluster'
  /** How often a gateway looks for what others of its cluster wrote. */
  syncMs: number
}

const GATEWAY_PORT = 4310
const ENGINE_PORT = 4311
const SYNC_SECONDS = 5
const MAX_SYNC_SECONDS = 3_600

const options = {
  workspace: { type: 'string' },
  data: { type: 'string' },
  port: { type: 'string' },
  'engine-port': { type: 'string' },
  engine: { type: 'string' },
  trace: { type: 'string' },
  'print-credentials': { type: 'boolean' },
  'exit-with-parent': { type: 'boolean' },
  resume: { type: 'boolean' },
  limit: { type: 'string', multiple: true },
  state: { type: 'string' },
  sync: { type: 'string' },
} as const

/** How `sluice serve` is called, for its help. */
export const SERVE_USAGE = `sluice serve [--workspace DIR] [--data DIR] [--port N] [--engine-port N]
             [--engine local|URL] [--trace all|off|RATE]
             [--state local|cluster] [--sync SECONDS] [--limit NAME=NUMBER]...
             [--print-credentials] [--exit-with-parent] [--resume]

  --workspace DIR       folder with sluice.yaml and pipelines/; none: pipelines of the state
  --data DIR            engine data, state and keys; DIR/.sluice of the workspace by default
  --port N              gateway endpoint, ${GATEWAY_PORT} by default; 0 takes free ports for both
  --engine-port N       local engine's endpoint, ${ENGINE_PORT} by default
  --engine local|URL    the engine requests go to; local by default
  --trace all|off|RATE  record every run, none, or a share such as 0.05; off by default
  --state local|cluster where pipelines made over the API lie: on this machine, or in the engine
                        for all gateways in front of it; cluster needs --engine URL and the same
                        SLUICE_SECRET_KEY on every gateway
  --sync SECONDS        how often others' changes are looked for with --state cluster; 5 by default
  --limit NAME=NUMBER   overrides a limit of sluice.yaml, as do those in SLUICE_LIMITS
                        ("runs=64 runMs=5000"). By default:
${limitNames.map((name) => `                        ${name}=${LIMITS[name].usual}: ${LIMITS[name].about}`).join('\n')}
  --print-credentials   add token and password to the ready line
  --exit-with-parent    stop when the process that started this one ends
  --resume              open the workspace of the last time when none is named`

/**
 * Reads the flags of `sluice serve`.
 * @throws {GatewayError} FLAG_INVALID, WORKSPACE_UNREADABLE; the message is one line for people.
 */
export function parseServeFlags(argv: readonly string[]): ServeConfig {
  const flags = readFlags(argv)
  // A variable of a shell that is not set; the current folder is not what was meant.
  for (const name of ['workspace', 'data'] as const)
    if (flags[name] === '') throw errors.flagInvalid(`--${name} takes a folder, not an empty text`)
  const workspaceDir = flags.workspace === undefined ? undefined : resolve(flags.workspace)
  if (workspaceDir !== undefined) checkWorkspace(workspaceDir)
  const port = readPort('--port', flags.port, GATEWAY_PORT)
  const engine = readEngine(flags.engine ?? 'local')
  const state = readState(flags.state ?? 'local')
  if (state === 'cluster') checkCluster(engine, flags)
  return {
    ...(workspaceDir !== undefined && { workspaceDir }),
    dataDir: resolve(flags.data ?? defaultDataDir(workspaceDir)),
    port,
    enginePort: readPort('--engine-port', flags['engine-port'], port === 0 ? 0 : ENGINE_PORT),
    engine,
    state,
    syncMs: readSync(flags.sync) * 1000,
    traceRate: readTraceRate(flags.trace ?? 'off'),
    printCredentials: flags['print-credentials'] ?? false,
    // npm gives SIGTERM to its shell only, whose end is all that arrives here.
    exitWithParent: flags['exit-with-parent'] ?? process.env.npm_lifecycle_event === 'sluice',
    resume: flags.resume ?? false,
    limits: {
      ...readLimits('SLUICE_LIMITS', process.env.SLUICE_LIMITS?.split(/[\s,]+/).filter(Boolean)),
      ...readLimits('--limit', flags.limit),
    },
  }
}

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : String(cause)
    throw errors.flagInvalid(`${why}; "sluice serve --help" lists the flags`, { cause })
  }
}

function readPort(flag: string, text: string | undefined, fallback: number) {
  if (text === undefined) return fallback
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw errors.flagInvalid(`${flag} takes a number from 0 to 65535, not "${text}"`)
  return port
}

function readEngine(text: string) {
  if (text === 'local' || /^https?:\/\/./.test(text)) return text
  throw errors.flagInvalid(
    `--engine takes "local" or an http(s) address, not "${text.replace(/\/\/.*@/, '//')}"`,
  )
}

function readState(text: string) {
  if (text === 'local' || text === 'cluster') return text
  throw errors.flagInvalid(`--state takes local or cluster, not "${text}"`)
}

function readSync(text: string | undefined) {
  if (text === undefined) return SYNC_SECONDS
  const seconds = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || seconds < 0.1 || seconds > MAX_SYNC_SECONDS)
    throw errors.flagInvalid(`--sync takes seconds from 0.1 to ${MAX_SYNC_SECONDS}, not "${text}"`)
  return seconds
}

/** What a shared state cannot go together with is told at once, not when gateways differ. */
function checkCluster(engine: string, flags: { workspace?: string; resume?: boolean }) {
  if (engine === 'local')
    throw errors.flagInvalid(
      '--state cluster needs --engine URL: the local engine serves this machine alone',
    )
  if (flags.workspace !== undefined || flags.resume)
    throw errors.flagInvalid(
      '--state cluster shares pipelines through the engine, and only this gateway would serve the ' +
        'files of a workspace; leave out --workspace and --resume',
    )
  if (!process.env.SLUICE_SECRET_KEY)
    throw errors.flagInvalid(
      '--state cluster needs SLUICE_SECRET_KEY, the same on every gateway: it seals what they share',
    )
}

/** `runs=64` and the like; the last one of a name counts. */
function readLimits(from: string, settings: readonly string[] = []): Partial<Limits> {
  const limits: Partial<Limits> = {}
  for (const setting of settings) {
    const [written = '', text = ''] = setting.split('=')
    const name = limitNames.find((one) => one === written)
    if (!name)
      throw errors.flagInvalid(
        `${from} has no limit "${written}"; there are ${limitNames.join(', ')}`,
      )
    limits[name] = readLimit(from, name, text)
  }
  return limits
}

function readLimit(from: string, name: LimitName, text: string) {
  const { least, most } = LIMITS[name]
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw errors.flagInvalid(
      `${from} ${name} takes a whole number from ${least} to ${most}, not "${text}"`,
    )
  return value
}

function readTraceRate(text: string) {
  if (text === 'all') return 1
  if (text === 'off') return 0
  const rate = Number(text)
  if (text.trim() === '' || !(rate >= 0 && rate <= 1))
    throw errors.flagInvalid(`--trace takes all, off or a number from 0 to 1, not "${text}"`)
  return rate
}

function checkWorkspace(dir: string) {
  if (!existsSync(dir))
    throw errors.workspaceUnreadable(`Workspace "${dir}" does not exist; create it or name another`)
  if (!statSync(dir).isDirectory())
    throw errors.workspaceUnreadable(`Workspace "${dir}" is a file; name the folder it lies in`)
}

/** Inside the workspace, else the user's data folder of this operating system. */
export function defaultDataDir(workspaceDir: string | undefined) {
  if (workspaceDir !== undefined) return join(workspaceDir, '.sluice')
  if (process.platform === 'win32')
    return join(process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Sluice')
  if (process.platform === 'darwin') return join(homedir(), 'Library/Application Support/Sluice')
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local/share'), 'sluice')
}
