import { parentPort, workerData } from 'node:worker_threads'
import ivm from 'isolated-vm'
import type { LibraryName } from './names.ts'
import { snapshotParts } from './snapshot-parts.ts'

// Safe: libraries/snapshots.ts is the only one who starts this file.
const names = workerData as LibraryName[]
const snapshot: unknown = ivm.Isolate.createSnapshot(snapshotParts(names)).copy()
// Safe: that is what createSnapshot makes, whatever its types say.
const bytes = snapshot as ArrayBuffer
parentPort?.postMessage(bytes, [bytes])
