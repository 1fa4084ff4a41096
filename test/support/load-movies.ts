import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const data = join(import.meta.dirname, '../../samples/data')

/**
 * Puts the sample's movies into an index, in one segment: the order of equal scores then is the
 * order of the file. An index of that name is replaced.
 */
export async function loadMovies(url: string, index: string) {
  // The sample's own file.
  const mapping = JSON.parse(readFileSync(join(data, 'movies.mapping.json'), 'utf8')) as {
    settings: object
  }
  const settings = { ...mapping.settings, refresh_interval: '-1' }
  await fetch(`${url}/${index}`, { method: 'DELETE' })
  await ask(`${url}/${index}`, 'PUT', JSON.stringify({ ...mapping, settings }))
  const documents = readFileSync(join(data, 'movies.ndjson'), 'utf8')
  await ask(`${url}/${index}/_bulk?refresh=true`, 'POST', documents)
  await ask(`${url}/${index}/_forcemerge?max_num_segments=1`, 'POST')
}

async function ask(url: string, method: string, body = '') {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method, ...(body !== '' && { body, headers }) })
  if (!answer.ok) throw new Error(`${method} ${url}: ${await answer.text()}`)
}
