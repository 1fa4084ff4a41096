import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** A Java development kit: the folder that holds `bin/java`, and its feature version. */
export interface Jdk {
  home: string
  version: number
}

const SYSTEM_FOLDERS = [
  '/usr/lib/jvm',
  '/usr/local/lib/jvm',
  '/Library/Java/JavaVirtualMachines',
  'C:\\Program Files\\Java',
  'C:\\Program Files\\Eclipse Adoptium',
]
const exe = process.platform === 'win32' ? '.exe' : ''

/** The newest JDK of at least `least`; undefined when this machine has none. */
export function findJdk(least: number): Jdk | undefined {
  return [...new Set([...namedHomes(), ...homeOnPath(), ...systemHomes()])]
    .flatMap((home) => jdkAt(home))
    .filter(({ version }) => version >= least)
    .toSorted((a, b) => b.version - a.version)[0]
}

/** A program's place on PATH; undefined when it is not installed. */
export function findProgram(...names: string[]) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}

const namedHomes = () =>
  ['JAVA_HOME_25', 'JAVA_HOME_21', 'JAVA_HOME_17', 'JAVA_HOME'].flatMap(
    (name) => process.env[name] ?? [],
  )

function homeOnPath() {
  const java = findProgram(`java${exe}`)
  return java ? [dirname(dirname(realpathSync(java)))] : []
}

function systemHomes() {
  return SYSTEM_FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).flatMap((name) => [
      join(folder, name),
      join(folder, name, 'Contents', 'Home'),
    ]),
  )
}

/** A folder with a compiler, which running a source file needs; the version is read, not run. */
function jdkAt(home: string): Jdk[] {
  if (!existsSync(join(home, 'bin', `javac${exe}`))) return []
  const version = Number(/(?:version "|JAVA_VERSION=")(?:1\.)?(\d+)/.exec(describe(home))?.[1])
  return Number.isNaN(version) ? [] : [{ home: realpathSync(home), version }]
}

function describe(home: string) {
  const release = join(home, 'release')
  if (existsSync(release)) return readFileSync(release, 'utf8')
  return execFileSync(join(home, 'bin', `java${exe}`), ['--version'], { encoding: 'utf8' }).replace(
    /^\S+ (\d+)/,
    'version "$1',
  )
}
