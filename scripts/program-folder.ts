import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Manifest {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const readManifest = (dir: string) =>
  JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8')) as Manifest

/**
 * Copies what the gateway needs to run: its sources without tests, the sample, the built page, and
 * only those packages that its files import, with what these depend on, and this platform's Node.
 * @throws {Error} when there is no Node package for this platform, or a package is not installed.
 */
export function assembleProgram(target: string, pageDir: string) {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const copy = (from: string, to: string, isWanted: (path: string) => boolean) =>
    cpSync(from, join(target, to), {
      recursive: true,
      dereference: true,
      filter: (path) => isWanted(relative(from, path).replaceAll(sep, '/')),
    })
  const isSource = (path: string) => !/\.test\.tsx?$|(^|\/)\.sluice(\/|$)|tsconfig/.test(path)
  copy(join(root, 'gateway'), 'gateway', isSource)
  copy(join(root, 'samples'), 'samples', isSource)
  copy(pageDir, 'dist/renderer', (path) => !path.endsWith('.map'))
  cpSync(join(root, 'package.json'), join(target, 'package.json'))
  for (const dir of packageDirs([...importedPackages(), nodePackage()]))
    copy(join(root, dir), dir, isNeededOf(dir))
}

/** Those of our dependencies that the gateway's files import. */
function importedPackages() {
  const { dependencies = {} } = readManifest('.')
  const names = new Set<string>()
  for (const file of globSync('gateway/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(
      /(?:from|import\(|import|resolve\() ?'([^'.][^']*)'/g,
    )) {
      const name = packageName(specifier)
      if (name in dependencies) names.add(name)
    }
  }
  return names
}

/** The one of the Node packages that npm chose for this platform. */
function nodePackage() {
  const platforms = Object.keys(readManifest('.').optionalDependencies ?? {})
  const name = platforms.find((name) => existsSync(join(root, 'node_modules', name)))
  if (!name)
    throw new Error(`No Node 26 is installed for ${process.platform}-${process.arch}: npm install`)
  return name
}

const packageName = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** What runs: no types and maps, no headers of Node, no sources and no other platforms' binaries. */
function isNeededOf(dir: string) {
  const name = packageName(dir.slice(dir.lastIndexOf('node_modules/') + 'node_modules/'.length))
  const ours = `prebuilds/${process.platform}-${process.arch}`
  return (path: string) => {
    if (/\.(map|tgz)$/.test(path)) return false
    // Declarations of what scripts may use go to their editor.
    if (/\.d\.[cm]?ts$/.test(path)) return name.startsWith('@types/') || name === 'compromise'
    if (name.startsWith('node-')) return !/^(include|share)(\/|$)/.test(path)
    if (name !== 'isolated-vm') return true
    return !/^(src|vendor|native-example|prebuilds\/.)/.test(path) || path.startsWith(ours)
  }
}

/** Folders of these packages and all they depend on, as Node would find them; from the root. */
function packageDirs(names: Iterable<string>) {
  const found = new Set<string>()
  const visit = (name: string, from: string, isOptional: boolean) => {
    const dir = resolvePackage(name, from)
    if (dir === undefined) {
      if (isOptional) return
      throw new Error(`The package "${name}" is not installed: npm install`)
    }
    if (found.has(dir)) return
    found.add(dir)
    const { dependencies = {}, optionalDependencies = {} } = readManifest(dir)
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies }))
      visit(next, dir, next in optionalDependencies)
  }
  for (const name of names) visit(name, '.', false)
  return found
}

/** Looks upwards from a package, as Node does, but never above the project. */
function resolvePackage(name: string, from: string) {
  for (let dir = from; ; dir = dir === '.' ? '' : parentOf(dir)) {
    if (dir === '') return undefined
    const candidate = posix.join(dir, 'node_modules', name)
    if (existsSync(join(root, candidate, 'package.json'))) return candidate
  }
}

/** The package that `node_modules` belongs to; `.` for the project. */
const parentOf = (dir: string) => posix.join(dir.slice(0, dir.lastIndexOf('node_modules')), '.')
