import { createHash } from 'node:crypto'

/** How OCI names content. */
export type Digest = `sha256:${string}`

/** The digest of a small piece of content. */
export function digestOf(content: string | Uint8Array): Digest {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

/** Size and digest of a stream, known when it has passed. */
export class Tally {
  readonly #hash = createHash('sha256')
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Ask once, at the end. */
  digest(): Digest {
    return `sha256:${this.#hash.digest('hex')}`
  }

  /** The same bytes, counted on their way. */
  async *count(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#hash.update(chunk)
      this.#size += chunk.length
      yield chunk
    }
  }
}
