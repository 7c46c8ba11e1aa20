import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collect, createManualClock } from './gen.ts'
import { readLines } from './read-lines.ts'

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0
  for (const size of sizes) {
    yield bytes.subarray(start, start + size)
    start += size
  }
  yield bytes.subarray(start)
}

test('lines come out whole, wherever the network cut them, even in the middle of a character', async () => {
  const lines = fc.array(
    fc
      .json()
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  )
  await fc.assert(
    fc.asyncProperty(lines, fc.array(fc.integer({ min: 0, max: 7 })), async (wanted, sizes) => {
      const bytes = Buffer.from(wanted.map((line) => `${line}é\n`).join(''))
      const found = await collect(readLines(inPieces(bytes, sizes), createManualClock()))
      expect(found).toEqual(wanted.map((line) => `${line}é`))
    }),
  )
})

test('half a line at the end is not swallowed', async () => {
  const found = await collect(readLines(inPieces(Buffer.from('{"a":1}\n{"b"'), [3]), createManualClock()))
  expect(found).toEqual(['{"a":1}', '{"b"'])
})

test('a burst lets others go first, again and again', async () => {
  let turns = 0
  const clock = { ...createManualClock(), breathe: async () => void turns++ }
  const burst = Buffer.from(`${'x'.repeat(9_999)}\n`.repeat(200))
  for await (const _ of readLines(inPieces(burst, []), clock));
  expect(turns).toBeGreaterThanOrEqual(6)
})
