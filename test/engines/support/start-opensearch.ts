import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { findJdk, findProgram } from './find-jdk.ts'

/** The version the local engine imitates. */
export const OPENSEARCH_VERSION = '3.8.0'

const LEAST_JDK = 21
const START_MS = 180_000
const here = join(import.meta.dirname, 'opensearch')
const cache = join(import.meta.dirname, '../../../.cache/engines')
const maven = () => findProgram('mvn', 'mvn.cmd')

/** Why a real engine cannot be started here; undefined when it can. */
export const whyNoOpenSearch = () =>
  findJdk(LEAST_JDK) && maven() ? undefined : `needs a JDK ${LEAST_JDK} and Maven`

/**
 * Starts OpenSearch on a free port with an empty data folder.
 * @throws Error with the end of the log when it does not come up.
 */
export async function startOpenSearch() {
  const jdk = findJdk(LEAST_JDK)
  if (!jdk) throw new Error(`OpenSearch ${OPENSEARCH_VERSION} ${whyNoOpenSearch()}`)
  const jars = await fetchJars(jdk.home)
  const data = mkdtempSync(join(tmpdir(), 'sluice-opensearch-'))
  const [port, transportPort] = await freePorts()
  const java = spawn(
    join(jdk.home, 'bin', 'java'),
    [
      '-Xms512m',
      '-Xmx512m',
      // Less compiling: a node that lives for a minute starts in half the time.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-Dlog4j2.disable.jmx=true',
      `-Dport=${port}`,
      `-DtransportPort=${transportPort}`,
      `-Ddata=${data}`,
      '-cp',
      join(jars, '*'),
      join(here, 'OpenSearchMain.java'),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const exited = once(java, 'exit')
  const stop = async () => {
    if (java.exitCode === null && java.signalCode === null) java.kill('SIGTERM')
    await exited
    rmSync(data, { recursive: true, force: true })
  }
  try {
    await untilReady(java)
  } catch (problem) {
    java.kill('SIGKILL')
    await stop()
    throw problem
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

/** Copies the engine's jars into the project's cache, once. */
async function fetchJars(javaHome: string) {
  const jars = join(cache, `opensearch-${OPENSEARCH_VERSION}`)
  if (existsSync(jars)) return jars
  const program = maven()
  if (!program) throw new Error(`OpenSearch ${OPENSEARCH_VERSION} ${whyNoOpenSearch()}`)
  await mkdir(cache, { recursive: true })
  // Filled under another name first, so that a download cut short is never taken for all of it.
  const unfinished = mkdtempSync(`${jars}-`)
  await promisify(execFile)(
    program,
    [
      '-B',
      '-q',
      '-f',
      join(here, 'pom.xml'),
      'package',
      `-Dopensearch.version=${OPENSEARCH_VERSION}`,
      `-Djars=${unfinished}`,
    ],
    { env: { ...process.env, JAVA_HOME: javaHome }, shell: process.platform === 'win32' },
  )
  if (!existsSync(jars)) renameSync(unfinished, jars)
  return jars
}

async function freePorts() {
  const servers = [createServer(), createServer()]
  const ports = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const address = server.address()
      return typeof address === 'object' && address ? address.port : 0
    }),
  )
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

function untilReady(java: ReturnType<typeof spawn>) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const log: string[] = []
  const fail = (why: string) =>
    reject(new Error(`OpenSearch ${why}:\n${log.slice(-30).join('\n')}`))
  const timer = setTimeout(() => fail(`was not ready after ${START_MS / 1000} s`), START_MS)
  const onLine = (line: string) => {
    log.push(line)
    if (line.includes('READY')) resolve()
  }
  for (const stream of [java.stdout, java.stderr])
    if (stream) createInterface({ input: stream }).on('line', onLine)
  java.once('error', (problem) => fail(String(problem)))
  java.once('exit', (code) => fail(`ended with status ${code}`))
  return promise.finally(() => clearTimeout(timer))
}
