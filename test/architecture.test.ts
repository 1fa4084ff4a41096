import { globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const RENDERER_BASE = ['renderer/ui', 'renderer/client', 'renderer/stores', 'renderer/host']
const BELOW_PANELS = [...RENDERER_BASE, 'gateway/contract']

/** folder → folders it may import. A folder may always import itself. The longest match wins. */
const MAY_IMPORT: Record<string, string[]> = {
  'gateway/contract': [],
  'gateway/errors.ts': [],
  'gateway/stop-signal.ts': [],
  'gateway/config.ts': ['gateway/errors.ts', 'gateway/contract'],
  'gateway/exchange-flags.ts': ['gateway/errors.ts', 'gateway/pipeline/dialect.ts'],
  'gateway/pipeline': ['gateway/contract', 'gateway/errors.ts'],
  'gateway/declarative': ['gateway/contract', 'gateway/errors.ts'],
  'gateway/engine': ['gateway/contract', 'gateway/errors.ts', 'gateway/stop-signal.ts'],
  'gateway/access': [
    'gateway/contract',
    'gateway/errors.ts',
    'gateway/state',
    'gateway/engine/client.ts',
  ],
  'gateway/envs': [
    'gateway/contract',
    'gateway/errors.ts',
    'gateway/state',
    'gateway/engine/client.ts',
  ],
  'gateway/state': ['gateway/contract', 'gateway/errors.ts', 'gateway/engine/client.ts'],
  'gateway/library': ['gateway/contract', 'gateway/errors.ts', 'gateway/pipeline', 'gateway/state'],
  'gateway/stages': [
    'gateway/contract',
    'gateway/errors.ts',
    'gateway/stop-signal.ts',
    'gateway/declarative',
  ],
  'gateway/scripting': ['gateway/errors.ts', 'gateway/stop-signal.ts'],
  'gateway/runtime': [
    'gateway/contract',
    'gateway/errors.ts',
    'gateway/stop-signal.ts',
    'gateway/pipeline',
    'gateway/stages/define.ts',
    'gateway/scripting/sandbox.ts',
  ],
  'gateway/schedule': ['gateway/contract', 'gateway/errors.ts', 'gateway/pipeline'],
  'gateway/trace': ['gateway/contract', 'gateway/errors.ts', 'gateway/runtime/observer.ts'],
  'gateway/logs': [
    'gateway/contract',
    'gateway/errors.ts',
    'gateway/runtime/observer.ts',
    'gateway/state',
    'gateway/trace/masking.ts',
    'gateway/trace/parse-lossless.ts',
    'gateway/trace/size-of.ts',
  ],
  'gateway/usage': [
    'gateway/contract',
    'gateway/errors.ts',
    'gateway/runtime/observer.ts',
    'gateway/state',
  ],
  'gateway/debug': ['gateway/contract', 'gateway/errors.ts', 'gateway/runtime/observer.ts'],
  'gateway/workspace': [
    'gateway/contract',
    'gateway/errors.ts',
    'gateway/pipeline',
    'gateway/state',
    'gateway/library',
    'gateway/envs/global-env-store.ts',
    'gateway/envs/current-global-envs.ts',
    'gateway/engine/client.ts',
  ],
  'gateway/http': ['gateway'],
  'gateway/main.ts': ['gateway'],
  'gateway/cli.ts': ['gateway'],
  'gateway/local-engine': [],
  electron: ['gateway/contract'],
  'renderer/ui': [],
  'renderer/styles': [],
  'renderer/host': ['electron/ipc/contract.ts'],
  'renderer/client': ['gateway/contract'],
  'renderer/stores': ['gateway/contract', 'renderer/client', 'renderer/host'],
  'renderer/commands': ['renderer/client', 'renderer/host', 'renderer/stores', 'gateway/contract'],
  'renderer/editor': BELOW_PANELS,
  'renderer/graph': BELOW_PANELS,
  'renderer/panels': BELOW_PANELS,
  'renderer/views': BELOW_PANELS,
  'renderer/documents': [
    ...BELOW_PANELS,
    'renderer/editor',
    'renderer/graph',
    'renderer/panels',
    'renderer/views',
  ],
  'renderer/app.tsx': ['renderer', 'gateway/contract'],
  'renderer/main.tsx': ['renderer', 'gateway/contract', 'electron/ipc/contract.ts'],
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

const ownerOf = (path: string) =>
  Object.keys(MAY_IMPORT)
    .filter((folder) => isWithin(path, folder))
    .toSorted((a, b) => b.length - a.length)[0]

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)].map((match) =>
    normalize(join(file, '..', match[1] ?? '')).replaceAll('\\', '/'),
  )

const files = globSync('{gateway,renderer,electron}/**/*.{ts,tsx}')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.(test|d)\./.test(file))

test('every file imports only what its layer allows', () => {
  const wrong: string[] = []
  for (const file of files) {
    const owner = ownerOf(file)
    if (!owner) {
      wrong.push(`${file} lies in no layer: add its folder to MAY_IMPORT`)
      continue
    }
    const allowed = [owner, ...(MAY_IMPORT[owner] ?? [])]
    for (const path of importsOf(file))
      if (!allowed.some((one) => isWithin(path, one)))
        wrong.push(`${file} imports ${path}, but ${owner} may import only ${allowed.join(', ')}`)
  }
  expect(wrong).toEqual([])
})
