import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOpenSearch } from './start-opensearch.ts'

/**
 * Keeps one OpenSearch for a whole test run: `node keep-opensearch.ts FOLDER OWNER`. Writes its
 * address, or why there is none, to FOLDER/answer.json and ends when the process OWNER has ended.
 */
const [folder = '', owner = ''] = process.argv.slice(2)

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const answer = (value: { url: string } | { failed: string }) => {
  const file = join(folder, 'answer.json')
  writeFileSync(`${file}.new`, JSON.stringify(value))
  renameSync(`${file}.new`, file)
}

const started = await startOpenSearch().catch((problem: unknown) => {
  answer({ failed: problem instanceof Error ? problem.message : String(problem) })
})
if (started) answer({ url: started.url })

const timer = setInterval(() => {
  if (isAlive(Number(owner))) return
  clearInterval(timer)
  rmSync(folder, { recursive: true, force: true })
  void started?.stop().then(() => process.exit())
}, 500)
