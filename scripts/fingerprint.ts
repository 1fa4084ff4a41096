import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** One text for names, sizes and times of the files below `root` that match: another when one changes. */
export function fingerprint(root: string, patterns: string[]) {
  const hash = createHash('sha256')
  for (const file of globSync(patterns, { cwd: root }).toSorted()) {
    const info = statSync(join(root, file))
    if (info.isFile()) hash.update(`${file} ${info.size} ${info.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** The text a build left behind to say what it was made from; undefined when there is none. */
export function readStamp(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
