import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { EnvironmentFile, Manifest } from '../contract/manifest.ts'
import { errors } from '../errors.ts'

/**
 * Reads `sluice.yaml`. A folder without one is a workspace of its own name.
 * @throws {GatewayError} WORKSPACE_UNREADABLE naming line and column of the first problem.
 */
export function readManifest(root: string): Manifest {
  const text = readIfThere(join(root, 'sluice.yaml'))
  return text === undefined ? { name: basename(root) } : parseYaml('sluice.yaml', text, Manifest)
}

/** Names of the files in `envs/`, without their ending. */
export const listEnvironments = (root: string) => {
  try {
    return readdirSync(join(root, 'envs'))
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => name.replace(/\.ya?ml$/, ''))
      .toSorted()
  } catch {
    return []
  }
}

/** A value an environment file can give. */
export type EnvValue = string | number | boolean

/**
 * One environment as its file says; empty when there is none.
 * @throws {GatewayError} WORKSPACE_UNREADABLE
 */
export function readEnvironment(root: string, name: string): EnvironmentFile {
  for (const ending of ['yaml', 'yml']) {
    const file = `envs/${name}.${ending}`
    const text = readIfThere(join(root, file))
    if (text !== undefined) return parseYaml(file, text, EnvironmentFile)
  }
  return {}
}

const readIfThere = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

interface Schema<T> {
  safeParse(value: unknown): {
    data?: T
    error?: { issues: { message: string; path: PropertyKey[]; keys?: string[] }[] }
  }
}

function parseYaml<T>(file: string, text: string, schema: Schema<T>): T {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const refuse = (offset: number, why: string) => {
    const { line, col: column } = lines.linePos(offset)
    return errors.workspaceUnreadable(`${file}:${line}:${column}: ${why}`, {
      source: { file, line, column },
    })
  }
  const [problem] = document.errors
  if (problem) {
    const why = (problem.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
    throw refuse(problem.pos[0], why)
  }
  const parsed = schema.safeParse(document.toJS() ?? {})
  const [issue] = parsed.error?.issues ?? []
  if (parsed.data !== undefined && !issue) return parsed.data
  const path = (issue?.path ?? []).map(String)
  throw refuse(
    offsetOf(document, [...path, ...(issue?.keys?.slice(0, 1) ?? [])]),
    `${path.join('.') || 'the file'}: ${issue?.message ?? 'not understood'}`,
  )
}

/** Where the value at `path` begins, or the nearest one around it. */
function offsetOf(document: Document.Parsed, path: readonly string[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return document.contents?.range[0] ?? 0
}
