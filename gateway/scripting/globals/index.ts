import { atobGlobal, btoaGlobal } from './base64.ts'
import { consoleGlobal } from './console.ts'
import { cryptoGlobal, cryptoJsGlobal } from './crypto.ts'
import type { ScriptGlobal } from './define.ts'
import { fetchGlobal } from './fetch.ts'
import { kvGlobal } from './key-values.ts'
import { lodashGlobal, nlpGlobal, underscoreGlobal } from './libraries.ts'
import { ndjsonGlobal } from './ndjson.ts'
import { clearTimeoutGlobal, setTimeoutGlobal } from './timers.ts'

/** What every script may use without asking. A new global is one file and one line here. */
export const scriptGlobals: readonly ScriptGlobal[] = [
  consoleGlobal,
  fetchGlobal,
  setTimeoutGlobal,
  clearTimeoutGlobal,
  btoaGlobal,
  atobGlobal,
  cryptoGlobal,
  cryptoJsGlobal,
  lodashGlobal,
  underscoreGlobal,
  nlpGlobal,
  kvGlobal,
  ndjsonGlobal,
]
