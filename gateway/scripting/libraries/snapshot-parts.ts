import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { REALM_FILE } from '../realm/file-name.ts'
import { guardBuiltIns } from '../realm/guard-built-ins.ts'
import type { LibraryName } from './names.ts'
import { setUpLibraries } from './set-up-libraries.ts'

const require = createRequire(import.meta.url)

/** Builds for browsers: one text each, which puts one name on the global object. */
const FILES: Record<LibraryName, () => string[]> = {
  lodash: () => [require.resolve('lodash/lodash.min.js')],
  compromise: () => [require.resolve('compromise'), require.resolve('compromise-dates')],
  'crypto-js': () => [require.resolve('crypto-js/crypto-js.js')],
}

/** Scripts that make a realm with these libraries, ready to be shared by all runs. */
export function snapshotParts(names: readonly LibraryName[]): { code: string; filename: string }[] {
  const libraries = names.flatMap((name) => FILES[name]()).map((file) => inBrowser(file))
  return [
    `(${guardBuiltIns.toString()})(); globalThis.setUp = (${setUpLibraries.toString()})()`,
    ...libraries,
    'setUp.finish(); delete globalThis.setUp',
  ].map((code) => ({ code, filename: REALM_FILE }))
}

/** What the libraries expect around them: settings nobody can change, and a silent console. */
function inBrowser(file: string): string {
  const quiet = '{ log() {}, info() {}, warn() {}, error() {} }'
  return `(function (self, process, console) {${readFileSync(file, 'utf8')}
}).call(globalThis, { env: Object.freeze({}) }, undefined, ${quiet})`
}
