import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes movies.ndjson, the body of a bulk request, from movies.json of the npm package
 * vega-datasets. README.md says where that file comes from and what is changed on the way.
 */
const [source] = process.argv.slice(2)
if (!source) {
  console.error('make-movies: name the movies.json to read (README.md says how to get it)')
  process.exit(2)
}

type Row = Record<string, string | number | null>

const FIELDS: Record<string, string> = {
  Title: 'title',
  Director: 'director',
  Distributor: 'distributor',
  'Release Date': 'release_date',
  'Major Genre': 'major_genre',
  'Creative Type': 'creative_type',
  Source: 'source',
  'MPAA Rating': 'mpaa_rating',
  'Running Time min': 'running_time_min',
  'Production Budget': 'production_budget',
  'US Gross': 'us_gross',
  'Worldwide Gross': 'worldwide_gross',
  'US DVD Sales': 'us_dvd_sales',
  'Rotten Tomatoes Rating': 'rotten_tomatoes_rating',
  'IMDB Rating': 'imdb_rating',
  'IMDB Votes': 'imdb_votes',
}
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
/** The last year the data covers: later ones were two digits that belong to the century before. */
const LAST_YEAR = 2011

const macintosh = new TextDecoder('macintosh')
const macByteOf = new Map(
  Array.from({ length: 256 }, (_, byte) => [macintosh.decode(Uint8Array.of(byte)), byte]),
)

/** Accents were once read in the wrong code page, `AmÈlie` for `Amélie`; this reads them again. */
const repairAccents = (text: string) => {
  const bytes = Array.from(text, (character) => macByteOf.get(character))
  if (bytes.includes(undefined)) return text
  return new TextDecoder('windows-1252').decode(Uint8Array.from(bytes, (byte) => byte ?? 0))
}

const toIsoDate = (text: string) => {
  const match = /^([A-Z][a-z]{2}) (\d\d) (\d{4})$/.exec(text)
  const month = MONTHS.indexOf(match?.[1] ?? '') + 1
  if (!match || month === 0) throw new Error(`"${text}" is no date such as "Jun 12 1998"`)
  const year = Number(match[3])
  return `${year > LAST_YEAR ? year - 100 : year}-${String(month).padStart(2, '0')}-${match[2]}`
}

const toSource = (row: Row) => {
  const entries = Object.entries(FIELDS).flatMap(([from, to]) => {
    const value = row[from]
    if (value === null || value === undefined) return []
    if (to === 'release_date') return [[to, toIsoDate(String(value))]]
    if (to === 'title') return [[to, repairAccents(String(value))]]
    return [[to, value]]
  })
  return Object.fromEntries(entries)
}

// The file's shape is fixed by the version the README names.
const rows = JSON.parse(readFileSync(source, 'utf8')) as Row[]
const lines = rows.flatMap((row, index) => [
  JSON.stringify({ index: { _id: String(index + 1) } }),
  JSON.stringify(toSource(row)),
])
writeFileSync(join(import.meta.dirname, 'movies.ndjson'), `${lines.join('\n')}\n`)
console.log(`${rows.length} movies`)
