import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { basename, join } from 'node:path'
import { parseServeFlags, SERVE_USAGE } from './config.ts'
import { usualLimits } from './contract/limits.ts'
import { superviseLocalEngine } from './engine/local-engine-process.ts'
import { errors, GatewayError } from './errors.ts'
import { EXCHANGE_USAGE, parseExportFlags, parseImportFlags } from './exchange-flags.ts'

const USAGE = `sluice: a local gateway for search pipelines

  ${SERVE_USAGE.replaceAll('\n', '\n  ')}

  sluice check [DIR]
    Checks the pipelines of a workspace (the current folder by default) and prints every problem
    as file:line:column. Exit code 1 when there are errors.

  ${EXCHANGE_USAGE}
`

/** Wrong use and what the user can mend: one line and exit code 2. */
const USER_ERROR = 2

const [command, ...argv] = process.argv.slice(2)
try {
  if (argv.includes('--help') || command === 'help' || command === '--help') console.log(USAGE)
  else if (command === 'serve') await serve(argv)
  else if (command === 'check') {
    await check(argv)
  } else if (command === 'export') await exportPipeline(argv)
  else if (command === 'import') await importPipeline(argv)
  else
    throw errors.flagInvalid(
      `${command ? `"${command}" is no command` : 'A command is missing'}; "sluice help" lists them`,
    )
} catch (problem) {
  if (!(problem instanceof GatewayError)) throw problem
  process.stderr.write(`sluice: ${problem.message}\n`)
  process.exit(USER_ERROR)
}

async function check([dir = '.', ...others]: readonly string[]) {
  if (dir === '' || dir.startsWith('-') || others.length > 0)
    throw errors.flagInvalid('sluice check takes one folder and no flags; "sluice help" shows how')
  const [{ checkPipelines }, stages, { createScripting }] = await Promise.all([
    import('./workspace/print-check.ts'),
    import('./stages/index.ts'),
    import('./http/scripting.ts'),
  ])
  const { checkScript, close } = createScripting(() => usualLimits)
  const { lines, hasErrors } = checkPipelines(dir, {
    kinds: stages.builtInStages,
    planned: stages.plannedStages,
    checkScript,
  })
  close()
  console.log(lines.join('\n'))
  process.exitCode = hasErrors ? 1 : 0
}

/** Prints a pipeline for others; problems go to the error stream, so that the text can be piped. */
async function exportPipeline(flags: readonly string[]) {
  const { file, ...options } = parseExportFlags(flags)
  const [{ exportFile }, { toLine }] = await Promise.all([
    import('./workspace/export-file.ts'),
    import('./workspace/diagnostic-line.ts'),
  ])
  const { text, diagnostics } = exportFile(file, options)
  for (const one of diagnostics) console.error(toLine(one))
  if (text === undefined) process.exitCode = 1
  else process.stdout.write(text)
}

async function importPipeline(flags: readonly string[]) {
  const options = parseImportFlags(flags)
  const [{ importFile }, { builtInStages, plannedStages }, { toLine }] = await Promise.all([
    import('./workspace/import-file.ts'),
    import('./stages/index.ts'),
    import('./workspace/diagnostic-line.ts'),
  ])
  const { written, diagnostics } = await importFile(options, {
    stages: builtInStages,
    planned: plannedStages,
  })
  for (const one of diagnostics) console.log(toLine(one))
  for (const path of written) console.log(`wrote ${path}`)
  process.exitCode = diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0
}

/** Starts the gateway, prints its ready line and keeps it until it is told to stop. */
async function serve(flags: readonly string[]) {
  const config = parseServeFlags(flags)
  makeDataDir(config.dataDir)
  const cache = join(config.dataDir, 'cache')
  enableCompileCache(cache)
  process.env.NODE_COMPILE_CACHE = cache
  // First of all, so that it opens its data while this process loads its own modules.
  const localEngine =
    config.engine === 'local'
      ? superviseLocalEngine({
          dataDir: join(config.dataDir, 'engine'),
          port: config.enginePort,
        })
      : undefined
  try {
    const { startGateway } = await import('./main.ts')
    const gateway = await startGateway(config, localEngine)
    process.stdout.write(`${JSON.stringify(gateway.ready)}\n`)
    stopWhenTold(gateway.close, config.exitWithParent)
  } catch (problem) {
    await localEngine?.stop()
    throw problem
  }
}

function makeDataDir(dir: string) {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    // Inside a workspace, and so inside somebody's repository: keys and state stay out of it.
    const ignore = join(dir, '.gitignore')
    if (basename(dir) === '.sluice' && !existsSync(ignore)) writeFileSync(ignore, '*\n')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw errors.flagInvalid(`The data folder "${dir}" cannot be made (${why}); name another`)
  }
}

/** SIGTERM, SIGINT, the end of the IPC channel and, when asked, the end of the parent. */
function stopWhenTold(close: () => Promise<void>, exitWithParent: boolean) {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    void close().then(
      () => process.exit(0),
      (problem: unknown) => {
        console.error(problem)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
  if (!exitWithParent) return
  const parent = process.ppid
  setInterval(() => {
    // An orphan is handed to another process: the number changes.
    if (process.ppid !== parent && !stopping) stop()
  }, 500).unref()
}
