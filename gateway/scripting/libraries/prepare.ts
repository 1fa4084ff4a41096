import { compileScript } from '../compiled-script.ts'
import { scriptGlobals } from '../globals/index.ts'
import type { ScriptSource } from '../sandbox.ts'
import { librarySnapshot } from './snapshots.ts'

const names = scriptGlobals.flatMap(({ name, library }) => (library ? [name] : []))
/** Only scripts that look as if they used a library are analysed before they run. */
const mentions = new RegExp(`(?<![\\w$])(?:${names.join('|')})(?![\\w$])`)

/** Starts to make the snapshot that these scripts will need, so that their first run finds it. */
export function prepareLibraries(scripts: readonly ScriptSource[]) {
  const libraries = scripts.flatMap((source) =>
    mentions.test(source.text) ? compileScript(source).libraries : [],
  )
  // The run that needs it tries again, and says what is wrong.
  if (libraries.length > 0) librarySnapshot([...new Set(libraries)]).catch(() => {})
}
