import { setImmediate } from 'node:timers/promises'

const TURN_MS = 10

/** Maps a long list without holding up the requests that come meanwhile. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let since = performance.now()
  for (const item of items) {
    results.push(map(item))
    if (performance.now() - since < TURN_MS) continue
    await setImmediate()
    since = performance.now()
  }
  return results
}
