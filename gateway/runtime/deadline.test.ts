import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { setDeadline } from './deadline.ts'

test('deadlines are reached in their order, cleared ones never', async () => {
  const reached: string[] = []
  const first = setDeadline(20, () => reached.push('first'))
  setDeadline(20, () => reached.push('second'))
  const third = setDeadline(20, () => reached.push('third'))
  setDeadline(20, () => reached.push('fourth'))
  setDeadline(5, () => reached.push('short'))
  first.clear()
  third.clear()
  third.clear()
  await sleep(60)
  expect(reached).toEqual(['short', 'second', 'fourth'])
})

test('one that is set while others wait is not reached early', async () => {
  const began = performance.now()
  const times: number[] = []
  setDeadline(30, () => times.push(performance.now() - began))
  await sleep(15)
  setDeadline(30, () => times.push(performance.now() - began))
  await sleep(60)
  expect(times).toHaveLength(2)
  expect(times[0]).toBeGreaterThanOrEqual(30)
  expect(times[1]).toBeGreaterThanOrEqual(45)
})

test('a deadline may set and clear others when it is reached', async () => {
  const reached: string[] = []
  setDeadline(10, () => {
    reached.push('a')
    next.clear()
    setDeadline(10, () => reached.push('c'))
  })
  const next = setDeadline(10, () => reached.push('b'))
  await sleep(50)
  expect(reached).toEqual(['a', 'c'])
})
