import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SharedState } from '../../gateway/state/shared-state.ts'

/** Two stores on one and the same storage, as two gateways have them. */
interface Pair {
  first: SharedState
  second: SharedState
  /** A third one, opened now: what a gateway that starts sees. */
  reopen(): Promise<SharedState>
  close(): Promise<void>
}

/** What every implementation of `SharedState` has to do. `open` begins with empty storage. */
export function testSharedState(open: () => Promise<Pair>) {
  let pair: Pair
  beforeEach(async () => {
    pair = await open()
  })
  afterEach(() => pair.close())

  test('a document that was put can be read, on others after they synced', async () => {
    const { first, second } = pair
    const value = { text: 'ä "quoted" \u0000', list: [1.5, null, true], deep: { a: {} } }
    const written = await first.put('rule', 'a/b c:%?', value)
    expect(written).toEqual({ key: 'a/b c:%?', value, etag: expect.any(String) })
    expect(first.get('rule', 'a/b c:%?')).toEqual(written)
    expect(first.get('other', 'a/b c:%?')).toBeUndefined()
    await second.sync()
    expect(second.get('rule', 'a/b c:%?')).toEqual(written)
  })

  test('a list is in order of keys and holds one kind only', async () => {
    const { first, second } = pair
    for (const key of ['b', 'a', 'Z', 'ä', '10', '9']) await first.put('rule', key, { key })
    await first.put('ruleset', 'c', {})
    await second.sync()
    for (const state of [first, second])
      expect(state.list('rule').map(({ key }) => key)).toEqual(['10', '9', 'Z', 'a', 'b', 'ä'])
    expect(first.list('none')).toEqual([])
  })

  test('every write has another etag, also after a removal', async () => {
    const { first } = pair
    const etags = new Set<string>()
    for (const value of [1, 1, 2]) etags.add((await first.put('rule', 'a', value)).etag)
    await first.remove('rule', 'a')
    etags.add((await first.put('rule', 'a', 1)).etag)
    expect(etags.size).toBe(4)
  })

  test('a write with an old etag is refused, wherever the newer one was written', async () => {
    const { first, second } = pair
    const old = await first.put('rule', 'a', 1)
    await second.sync()
    const newer = await second.put('rule', 'a', 2, { ifVersion: old.etag })
    const conflict = { code: 'ETAG_MISMATCH', status: 412, message: expect.stringContaining('"a"') }
    await expect(first.put('rule', 'a', 3, { ifVersion: old.etag })).rejects.toMatchObject(conflict)
    await expect(first.remove('rule', 'a', { ifVersion: old.etag })).rejects.toMatchObject(conflict)
    await first.sync()
    expect(first.get('rule', 'a')).toEqual(newer)
    await expect(first.put('rule', 'a', 3, { ifVersion: 'nonsense' })).rejects.toMatchObject(
      conflict,
    )
    expect(await first.remove('rule', 'a', { ifVersion: newer.etag })).toBe(true)
    await expect(second.put('rule', 'a', 4, { ifVersion: newer.etag })).rejects.toMatchObject(
      conflict,
    )
  })

  test('of many that create the same document at once, one wins', async () => {
    const { first, second } = pair
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 ? first : second).put('claim', 'tick', at, { ifVersion: null }),
      ),
    )
    const won = results.filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(1)
    // Whoever lost sees what won before any sync.
    for (const state of [first, second])
      expect(won[0]).toMatchObject({ value: state.get('claim', 'tick') })
    await Promise.all([first.sync(), second.sync()])
    expect(first.get('claim', 'tick')).toEqual(second.get('claim', 'tick'))
  })

  test('no increment is lost when two count with conditions', async () => {
    const { first, second } = pair
    await first.put('count', 'n', 0)
    const countTo = async (state: SharedState) => {
      for (let done = 0; done < 15;) {
        await state.sync()
        const { value, etag } = state.get('count', 'n') ?? { value: 0, etag: '' }
        const attempt = state.put('count', 'n', Number(value) + 1, { ifVersion: etag })
        done += await attempt.then(
          () => 1,
          () => 0,
        )
      }
    }
    await Promise.all([countTo(first), countTo(second)])
    await first.sync()
    expect(first.get('count', 'n')?.value).toBe(30)
  })

  test('a removed document is gone everywhere; removing nothing says so', async () => {
    const { first, second } = pair
    await first.put('rule', 'a', 1)
    await second.sync()
    expect(await second.remove('rule', 'a')).toBe(true)
    expect(second.get('rule', 'a')).toBeUndefined()
    await first.sync()
    expect(first.list('rule')).toEqual([])
    expect(await first.remove('rule', 'a')).toBe(false)
  })

  test('listeners hear of own writes and of what a sync found, once each', async () => {
    const { first, second } = pair
    const heard: string[] = []
    const stop = second.onChange((changes) => {
      for (const { kind, key } of changes)
        heard.push(`${kind}/${key}=${JSON.stringify(second.get(kind, key)?.value)}`)
    })
    await second.put('rule', 'own', 1)
    await first.put('rule', 'other', 2)
    await second.sync()
    await second.sync()
    await first.remove('rule', 'other')
    await second.sync()
    await first.sync()
    await first.remove('rule', 'own')
    await second.sync()
    stop()
    await second.put('rule', 'own', 3)
    expect(heard).toEqual([
      'rule/own=1',
      'rule/other=2',
      'rule/other=undefined',
      'rule/own=undefined',
    ])
  })

  test('what others write shows by itself', async () => {
    const { first, second } = pair
    await first.put('rule', 'a', 'new')
    await expect
      .poll(() => second.get('rule', 'a')?.value, { timeout: 8_000, interval: 50 })
      .toBe('new')
  })

  test('a store opened later has read everything, more than one page of it', async () => {
    const { first, reopen } = pair
    const keys = Array.from({ length: 260 }, (_, at) => `key-${String(at).padStart(4, '0')}`)
    const long = `${'k'.repeat(600)}-long`
    await Promise.all(keys.map((key) => first.put('rule', key, { key })))
    await first.put('rule', long, { text: 'x'.repeat(300_000) })
    const third = await reopen()
    await third.sync()
    expect(third.health()).toMatchObject({ isLoaded: true, syncedAt: expect.any(Number) })
    expect(third.list('rule')).toEqual(first.list('rule'))
    expect(third.list('rule')).toHaveLength(261)
    await third.close()
  })
}
