import type { IncomingMessage } from 'node:http'

/** What came of reading a body. */
export type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'cut-off' }

/** So much of what is too large is still taken in and thrown away: who is cut off while sending never reads why. */
const DRAIN_FACTOR = 8

/** Read a request's body, and keep no more than `limitBytes` of it. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Body> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length <= limitBytes) chunks.push(chunk)
      else chunks.length = 0
      if (length > limitBytes * DRAIN_FACTOR) break
    }
  } catch {
    return { kind: 'cut-off' } // the client went away in the middle: nobody waits for an answer
  }
  return length > limitBytes ? { kind: 'too-large' } : { kind: 'whole', bytes: Buffer.concat(chunks) }
}
