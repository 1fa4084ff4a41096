import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import ivm from 'isolated-vm'
import type { LibraryName } from './names.ts'

type Snapshot = ivm.ExternalCopy<ArrayBuffer>

const made = new Map<string, Promise<Snapshot>>()

/**
 * The heap of an isolate with these libraries loaded. Made on a thread of its own when it is first
 * asked for, up to a second of work, and kept for the life of the process: up to 5 MB.
 */
export function librarySnapshot(names: readonly LibraryName[]): Promise<Snapshot> {
  const key = names.toSorted().join()
  const known = made.get(key)
  if (known) return known
  const snapshot = makeSnapshot(names)
  made.set(key, snapshot)
  // The next one who asks starts another attempt.
  snapshot.catch(() => made.delete(key))
  return snapshot
}

/** Megabytes that they take of an isolate's heap before any script runs. */
const HEAP_MB: Record<LibraryName, number> = { lodash: 3, 'crypto-js': 2, compromise: 20 }

/** What these libraries take of a heap in megabytes; scripts have their own limit beside it. */
export const heapOfLibraries = (names: readonly LibraryName[]) =>
  names.reduce((sum, name) => sum + HEAP_MB[name], 0)

async function makeSnapshot(names: readonly LibraryName[]): Promise<Snapshot> {
  const worker = new Worker(new URL('./snapshot-worker.ts', import.meta.url), { workerData: names })
  worker.unref()
  // Safe: the only message of snapshot-worker.ts.
  const [bytes] = (await once(worker, 'message')) as [ArrayBuffer]
  return new ivm.ExternalCopy(bytes)
}
