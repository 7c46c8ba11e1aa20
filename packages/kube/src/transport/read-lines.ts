import type { Clock } from './clock.ts'
import { createPace } from './pace.ts'

const NEWLINE = 10

/**
 * Split a stream into lines as it comes. Holds no more than the line that is not complete yet. What follows the last
 * newline, if anything, is a line as well: whoever reads it will find out whether it is whole.
 */
export async function* readLines(body: AsyncIterable<Uint8Array>, clock: Clock): AsyncGenerator<string> {
  const pace = createPace(clock)
  let begun: Uint8Array[] = []
  for await (const chunk of body) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      begun.push(chunk.subarray(start, end))
      const line = textOf(begun)
      begun = []
      start = end + 1
      if (line !== '') yield line
      const turn = pace(line.length)
      if (turn !== undefined) await turn
    }
    if (start < chunk.length) begun.push(chunk.subarray(start))
  }
  if (begun.length > 0) yield textOf(begun)
}

/** Bytes as text; characters may be cut between the pieces. */
export function textOf(pieces: readonly Uint8Array[]): string {
  const [only] = pieces
  const whole = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
  return Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).toString('utf8').trim()
}
