import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own. */
export interface Contestant {
  name: string
  url: string
  /** The process and those it started: their processor time and memory count. */
  pids: number[]
  stop(): Promise<void>
}

const NODE_FLAGS = ['--no-node-snapshot', '--disable-warning=ExperimentalWarning']

/** Called by a server process once it listens. */
export function announce(server: Server) {
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
}

/** Starts a program of this folder, or any other file of ours, and reads its first line. */
export async function startProgram(
  name: string,
  file: string,
  args: readonly string[] = [],
  moreFlags: readonly string[] = [],
): Promise<{ contestant: Contestant; line: Record<string, unknown> }> {
  const flags = [...NODE_FLAGS, ...moreFlags, ...profilerFlags(name)]
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [...flags, path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await firstLine(name, child)
  const url = String(line.url ?? line.gateway)
  const pids = [child.pid ?? 0]
  return { line, contestant: { name, url, pids, stop: () => stopProcess(child) } }
}

/** `BENCH_PROFILE=folder` writes a profile of every server process. */
const profilerFlags = (name: string) =>
  process.env.BENCH_PROFILE
    ? [
        '--cpu-prof',
        `--cpu-prof-dir=${process.env.BENCH_PROFILE}`,
        `--cpu-prof-name=${name.replaceAll(/\W+/g, '-')}.cpuprofile`,
      ]
    : []

async function firstLine(name: string, child: ChildProcess): Promise<Record<string, unknown>> {
  const { stdout } = child
  if (!stdout) throw new Error('the process has no output')
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: stdout }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
  return JSON.parse(line)
}

async function stopProcess(child: ChildProcess) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // SIGINT lets the profiler write its file in programs that do not handle SIGTERM.
  child.kill('SIGTERM')
  await ended
}

const TICKS_PER_SECOND = 100

/** Processor time of processes since they began, in microseconds, as the system accounts it. */
export function cpuMicros(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    // The name, in brackets, may hold blanks: fields count from the bracket that closes it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return (ticks * 1e6) / TICKS_PER_SECOND
}

/** Resident memory of processes together, in megabytes. */
export function residentMb(pids: readonly number[]): number {
  let kilobytes = 0
  for (const pid of pids)
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return kilobytes / 1024
}

/** The processes that `pid` has started and that still run. */
export function childPids(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
}
