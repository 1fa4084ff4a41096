import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '../../electron/ipc/contract.ts'
import { buildShell, RELEASE } from '../../scripts/build-shell.ts'

const outDir = mkdtempSync(join(tmpdir(), 'sluice-preload-'))

beforeAll(() => buildShell({ ...RELEASE, outDir }))
afterAll(() => rmSync(outDir, { recursive: true, force: true }))

test('the bridge offers the channels of the contract, and passes arguments on as they are', () => {
  const bridge = loadPreload()
  expect(Object.keys(bridge.offered)).toEqual(channels)
  expect(bridge.offered['file.save']?.('a.har', 'text')).toBe('answer')
  expect(bridge.asked).toEqual([['file.save', 'a.har', 'text']])
})

/** Runs the bundle as a sandboxed page does: `electron` is all that it may require. */
function loadPreload() {
  const asked: unknown[][] = []
  const offered: Record<string, (...args: unknown[]) => unknown> = {}
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, bridge: object) =>
        name === 'sluice' && Object.assign(offered, bridge),
    },
    ipcRenderer: {
      invoke: (...args: unknown[]) => {
        asked.push(args)
        return 'answer'
      },
    },
  }
  const require = (name: string) => {
    if (name !== 'electron') throw new Error(`a sandboxed preload cannot load ${name}`)
    return electron
  }
  runInNewContext(readFileSync(join(outDir, 'preload.cjs'), 'utf8'), { require, module: {} })
  return { asked, offered }
}
