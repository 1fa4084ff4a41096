import { posix } from 'node:path'
import type { Diagnostic } from '../../contract/diagnostic.ts'
import { writeBatches } from '../edit/write-batches.ts'
import type { ScriptLookup } from '../find-scripts.ts'
import { parsePipeline, type ParseServices } from '../parse-pipeline.ts'
import { isRaw, listOf, textOf } from '../raw.ts'
import { readDocument } from '../read-document.ts'
import { writtenId } from '../stage-ids.ts'
import { applyFix } from '../text-edit.ts'

/** A pipeline from elsewhere. */
export interface Incoming {
  /** Where it comes from, with forward slashes; empty when only the text is there. */
  path: string
  text: string
  /** A script beside it, by the text of a `scriptRef`. */
  resolveScript: (ref: string) => ScriptLookup
}

/** What a workspace gets: the pipeline first, then its scripts. */
export interface Imported {
  /** Absent when the text cannot be read. */
  files?: { path: string; text: string }[]
  diagnostics: Diagnostic[]
}

/** Variants that are mended on the way in (domain, section 1.4); aliases stay as they are written. */
const MENDED = new Set(['route-slash', 'unknown-category', 'classify-indent', 'wrong-type'])
const MOST_MENDED = 500

/**
 * The files of a workspace that hold a pipeline from elsewhere: slips that templates have are mended,
 * scripts inside of JSON become files, and scripts beside the pipeline come along.
 */
export function importPipeline(
  { path, text, resolveScript }: Incoming,
  services: Omit<ParseServices, 'resolveScript'>,
): Imported {
  const isJson = /\.json$/i.test(path) || (path === '' && text.trimStart().startsWith('{'))
  const extension = isJson ? 'json' : 'yaml'
  const source = readDocument(path || `pipeline.${extension}`, text)
  const broken = source.diagnostics.filter(({ severity }) => severity === 'error')
  if (broken.length > 0) return { diagnostics: broken }
  const id = isRaw(source.value) ? textOf(source.value['id']) : undefined
  const name = clean(id ?? '') || nameFrom(path)
  const target = `pipelines/${name}.pipeline.${extension}`

  const taken = new Map<string, string>()
  let imported = mend({ path: target, text }, { ...services, resolveScript })
  if (isJson) imported = takeScriptsOut({ path: target, text: imported }, name, taken)
  imported = bringScripts({ path: target, text: imported }, { name, taken, resolveScript })
  const { diagnostics } = parsePipeline(
    { path: target, text: imported },
    {
      ...services,
      resolveScript: (ref) => {
        const script = taken.get(placeOf(ref))
        return script === undefined ? { candidates: [] } : { path: placeOf(ref), text: script }
      },
    },
  )
  const scripts = [...taken].map(([path, text]) => ({ path, text }))
  return { files: [{ path: target, text: imported }, ...scripts], diagnostics }
}

/** Applies the fixes of known slips, one after the other: each changes the places of the rest. */
function mend(file: { path: string; text: string }, services: ParseServices): string {
  let { text } = file
  for (let round = 0; round < MOST_MENDED; round++) {
    const { diagnostics } = parsePipeline({ ...file, text }, services)
    const fix = diagnostics.find(({ code, fix }) => fix && MENDED.has(code))?.fix
    if (!fix) break
    text = applyFix(text, fix.edits)
  }
  return text
}

/** Turns `script` into `scriptRef` with a file each: nobody can work on code in a JSON text. */
function takeScriptsOut(
  file: { path: string; text: string },
  name: string,
  taken: Map<string, string>,
): string {
  let { text } = file
  const { value } = readDocument(file.path, text)
  for (const [index, stage] of listOf(isRaw(value) ? value['stages'] : []).entries()) {
    const script = isRaw(stage) ? textOf(stage['script']) : undefined
    if (script === undefined || (isRaw(stage) && 'scriptRef' in stage)) continue
    const ref = freeName(`${name}/${fileName(writtenId(stage) ?? `stage-${index + 1}`)}`, taken)
    const path = ['stages', index, 'script']
    const written = writeBatches({ ...file, text }, [[{ does: 'set', path, value: ref }]])
    if ('why' in written) continue
    const key = readDocument(file.path, written.text).rewriteKey(path, 'scriptRef')
    if (!key) continue
    text = applyFix(written.text, [key])
    taken.set(placeOf(ref), script)
  }
  return text
}

/** Takes script files along; a name that leads out of the folder is written anew. */
function bringScripts(
  file: { path: string; text: string },
  about: {
    name: string
    taken: Map<string, string>
    resolveScript: Incoming['resolveScript']
  },
): string {
  const { taken } = about
  let { text } = file
  const { value } = readDocument(file.path, text)
  for (const [index, stage] of listOf(isRaw(value) ? value['stages'] : []).entries()) {
    const ref = isRaw(stage) ? textOf(stage['scriptRef']) : undefined
    if (ref === undefined || taken.has(placeOf(ref))) continue
    const found = about.resolveScript(ref)
    if (!('path' in found)) continue
    const leadsOut = !placeOf(ref).startsWith('pipelines/')
    const own = leadsOut
      ? freeName(`${about.name}/${posix.basename(placeOf(ref), '.js')}`, taken)
      : ref
    if (leadsOut) {
      const path = ['stages', index, 'scriptRef']
      const rewrite = readDocument(file.path, text).rewrite(path, own)
      if (!rewrite) continue
      text = applyFix(text, [rewrite])
    }
    taken.set(placeOf(own), found.text)
  }
  return text
}

/** Where the file of a `scriptRef` goes, so that the workspace finds it (decisions.md 34). */
const placeOf = (ref: string) => {
  const path = posix.join('pipelines', ref.replaceAll('\\', '/').replace(/^\/+/, ''))
  return /\.m?js$/.test(path) ? path : `${path}.js`
}

function freeName(wanted: string, taken: ReadonlyMap<string, string>): string {
  let name = `${wanted}.js`
  for (let number = 2; taken.has(placeOf(name)); number++) name = `${wanted}-${number}.js`
  return name
}

const fileName = (text: string) => text.replaceAll(/[^\w.-]+/g, '-').replace(/^\.+/, '') || 'stage'

/** The name of the file, or of its folder when the file is called as all of them are. */
function nameFrom(path: string): string {
  const parts = path.split('/')
  const stem = clean((parts.at(-1) ?? '').replace(/(\.pipeline)?\.(ya?ml|json)$/i, ''))
  const isCommon = stem === '' || stem === 'pipeline' || stem === 'pipeline_oneclick'
  return (isCommon && clean(parts.at(-2) ?? '')) || stem || 'imported'
}

const clean = (name: string) => name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '')
