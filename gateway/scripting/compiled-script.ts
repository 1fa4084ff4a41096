import { errors, type GatewayError } from '../errors.ts'
import { analyseScript } from './analysis/analyse-script.ts'
import type { ContextUse } from './analysis/context-use.ts'
import { scriptGlobals } from './globals/index.ts'
import type { LibraryName } from './libraries/names.ts'
import type { ScriptSource } from './sandbox.ts'
import { placeInFile } from './script-place.ts'

/** A script as the isolate wants it: the body of a function, called anew for every run. */
export interface CompiledScript {
  source: ScriptSource
  /** What is wrong with it; then the rest is empty. */
  problem?: GatewayError
  contextUse: ContextUse
  /** Globals made for each stage that the text names. */
  bindings: readonly string[]
  /** What must be loaded for it. */
  libraries: readonly LibraryName[]
  /** JavaScript that evaluates to the function; `columnOffset` keeps the first line's columns. */
  wrapped: string
  columnOffset: number
}

const perStageNames = scriptGlobals
  .filter(({ realm }) => 'perStage' in realm)
  .map(({ name }) => name)

const HANDLER = `\n;return typeof handleRequest === 'function' ? handleRequest :
  typeof handleResponse === 'function' ? handleResponse : undefined`

/** The libraries behind the globals that are used, except for what these offer without them. */
const librariesOf = (names: ReadonlyMap<string, ReadonlySet<string>>): LibraryName[] =>
  scriptGlobals.flatMap(({ name, library }) => {
    const members = names.get(name)
    if (!library || !members) return []
    const isEnough = [...members].every((member) => library.unless?.includes(member))
    return isEnough ? [] : [library.name]
  })

/** Analyses and wraps; runs nothing. */
export function compileScript(source: ScriptSource): CompiledScript {
  const analysis = analyseScript(source.text)
  if (!analysis.ok) {
    const problem = scriptSyntax(source, analysis.message, analysis.at)
    const contextUse = { whole: false, paths: [] }
    return {
      source,
      problem,
      contextUse,
      bindings: [],
      libraries: [],
      wrapped: '',
      columnOffset: 0,
    }
  }
  const { names, topLevelNames, implicitGlobals } = analysis
  const bindings = perStageNames.filter((name) => names.has(name) && !topLevelNames.has(name))
  const locals = [...implicitGlobals.keys()].filter((name) => !bindings.includes(name))
  const context = topLevelNames.has('context') ? '_context' : 'context'
  const head = `(function(${[context, ...bindings, ...locals].join(',')}){`
  return {
    source,
    contextUse: analysis.contextUse,
    bindings,
    libraries: librariesOf(names),
    wrapped: `${head}${source.text}${HANDLER}})`,
    columnOffset: -head.length,
  }
}

/** `at` is a place in the script's own text. */
export const scriptSyntax = (
  source: ScriptSource,
  message: string,
  at: { line: number; column: number },
) =>
  errors.scriptSyntax(`Script of stage "${source.stageId}": ${message}`, {
    stageId: source.stageId,
    source: placeInFile(source, at),
  })
