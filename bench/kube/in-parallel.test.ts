import { expect, test } from 'vitest'
import { inParallel } from './in-parallel.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('every number comes once, and no more than allowed at a time', async () => {
  const seen: number[] = []
  let running = 0
  let most = 0
  const done = await inParallel({ count: 20, atOnce: 3 }, async (number) => {
    most = Math.max(most, ++running)
    seen.push(number)
    await turn()
    running--
  })
  expect(done).toBe(20)
  expect(seen).toEqual(Array.from({ length: 20 }, (_, number) => number))
  expect(most).toBe(3)
})

test('when the time is over nothing new is begun, and the count is true', async () => {
  let begun = 0
  const done = await inParallel({ count: 100, atOnce: 2, goOn: () => begun < 7 }, async () => {
    begun++
    await turn()
  })
  expect(done).toBe(begun)
  expect(begun).toBe(7)
})

test('a failure ends it, but not before everything that was begun is done', async () => {
  let running = 0
  let begun = 0
  const work = async (number: number) => {
    begun++
    running++
    await turn()
    running--
    if (number === 1) throw new Error('broken')
  }
  await expect(inParallel({ count: 100, atOnce: 4 }, work)).rejects.toThrow('broken')
  expect(running).toBe(0)
  expect(begun).toBeLessThan(10)
})
