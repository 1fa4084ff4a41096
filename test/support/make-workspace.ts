import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './start-sluice.ts'

/** A workspace with these files, gone at the end of the test. */
export function makeWorkspace(files: Record<string, string>) {
  const folder = temporaryFolder()
  const write = (path: string, text: string) => {
    const file = join(folder.dir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  write('sluice.yaml', 'name: test\n')
  for (const [path, text] of Object.entries(files)) write(path, text)
  return { ...folder, write, [Symbol.dispose]: folder[Symbol.dispose] }
}
