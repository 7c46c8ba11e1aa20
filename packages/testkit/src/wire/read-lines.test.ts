import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('lines are the same wherever the stream is cut, also within a character', async () => {
  const anyLine = fc.string({ unit: fc.constantFrom('a', 'ß', '€', '𝄞', '{'), minLength: 1 })
  await fc.assert(
    fc.asyncProperty(fc.array(anyLine), fc.integer({ min: 1, max: 7 }), fc.boolean(), async (lines, size, isEnded) => {
      const bytes = Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''))
      const read: string[] = []
      for await (const line of readLines(inPieces(bytes, size))) read.push(line)
      expect(read).toEqual(lines)
    }),
  )
})
