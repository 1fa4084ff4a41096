import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { contextTypes } from './globals/context-types.ts'
import { scriptGlobals } from './globals/index.ts'

/** A declaration file for editors; `path` is relative to where modules are looked up. */
export interface TypeFile {
  path: string
  text: string
}

const require = createRequire(import.meta.url)

/** Declarations of libraries as their packages have them: folder to read, name, files. */
const packages = () =>
  [
    [
      dirname(require.resolve('@types/lodash/index.d.ts')),
      '@types/lodash',
      '{index,common/*}.d.ts',
    ],
    [dirname(require.resolve('@types/crypto-js/index.d.ts')), '@types/crypto-js', 'index.d.ts'],
    [join(dirname(require.resolve('compromise')), '../..'), 'compromise', 'types/{*,view/*}.d.ts'],
  ] as const

/** TypeScript declarations of everything that scripts see, from the definitions the realm uses. */
export const scriptApi = () =>
  `${[
    '/// <reference path="node_modules/@types/crypto-js/index.d.ts" />',
    '// What scripts of Sluice see without importing it.',
    contextTypes,
    ...scriptGlobals.map(({ types }) => types),
  ].join('\n\n')}\n`

/** The same with what it refers to, as files for an editor. Reads 25 files: 600 kB. */
export const scriptTypes = (): TypeFile[] => [
  { path: 'script-api.d.ts', text: scriptApi() },
  ...packages().flatMap(([folder, name, pattern]) =>
    ['package.json', ...globSync(pattern, { cwd: folder })].map((file) => ({
      path: `node_modules/${name}/${file.replaceAll('\\', '/')}`,
      // Its own declaration of the global would be a second one.
      text: readFileSync(join(folder, file), 'utf8').replace(/^export as namespace .*$/m, ''),
    })),
  ),
]
