import { type RawLog, type RawRecord, sizeOf, type TextBounds, toRaw } from './raw-log.ts'

interface Services {
  bounds(): TextBounds
  /** Puts a batch on disk; tells why single records could not be kept. */
  write(records: readonly RawRecord[], bounds: TextBounds): Promise<readonly string[]>
  /** Tells of records that were lost, and why. */
  lost(count: number, why: string): void
}

/** What may wait to be written. Records share most of their texts with traces. */
const MOST_RECORDS = 2_000
const MOST_BYTES = 64 * 1024 * 1024
/** What one turn of the event loop hands to the thread. */
const BATCH_RECORDS = 64
const BATCH_BYTES = 2 * 1024 * 1024
const PATIENCE_MS = 250
/** Losses are told no more often. */
const TELL_MS = 1_000

/**
 * Holds finished runs until they are written. Its room is bounded: when records come faster than the
 * disk takes them the oldest are dropped, and counted.
 */
export function createLogQueue({ bounds, write, lost }: Services) {
  const waiting: { log: RawLog; bytes: number }[] = []
  let waitingBytes = 0
  let dropped = 0
  /** Counts by reason that nobody was told of yet. */
  const untold = new Map<string, number>()
  let telling: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  const lose = (count: number, why: string) => {
    dropped += count
    untold.set(why, (untold.get(why) ?? 0) + count)
    telling ??= setTimeout(tell, TELL_MS).unref()
  }
  const tell = () => {
    clearTimeout(telling)
    telling = undefined
    for (const [why, count] of untold) lost(count, why)
    untold.clear()
  }
  const takeOldest = () => {
    const oldest = waiting.shift()
    waitingBytes -= oldest?.bytes ?? 0
    return oldest
  }

  function makeRoom() {
    let count = 0
    while (waiting.length > 1 && (waiting.length > MOST_RECORDS || waitingBytes > MOST_BYTES)) {
      takeOldest()
      count++
    }
    if (count > 0) lose(count, 'they came faster than they could be written')
  }

  function takeBatch(): RawLog[] {
    const batch: RawLog[] = []
    let bytes = 0
    while (batch.length < BATCH_RECORDS && bytes < BATCH_BYTES) {
      const next = takeOldest()
      if (!next) break
      batch.push(next.log)
      bytes += next.bytes
    }
    return batch
  }

  async function writeBatch(batch: readonly RawLog[]) {
    try {
      const now = bounds()
      const records = batch.map((log) => toRaw(log, now))
      for (const why of await write(records, now)) lose(1, why)
    } catch (cause) {
      lose(batch.length, cause instanceof Error ? cause.message : String(cause))
    }
  }

  /** Writes what waits now; what comes meanwhile has the next turn, so that this ends. */
  async function writeWaiting() {
    let left = waiting.length
    while (left > 0 && waiting.length > 0) {
      const batch = takeBatch()
      left -= batch.length
      await writeBatch(batch)
    }
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    return (writing ??= writeWaiting().then(() => {
      writing = undefined
      if (waiting.length > 0) schedule()
    }))
  }

  function schedule() {
    timer ??= setTimeout(() => void flush(), PATIENCE_MS).unref()
  }

  return {
    add(log: RawLog) {
      const bytes = sizeOf(log)
      waiting.push({ log, bytes })
      waitingBytes += bytes
      makeRoom()
      if (waiting.length >= BATCH_RECORDS) void flush()
      else schedule()
    },
    /** Resolves when everything added before is written. */
    async flush() {
      await writing
      await flush()
      tell()
    },
    dropped: () => dropped,
  }
}
