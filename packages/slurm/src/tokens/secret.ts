import { createHash, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

const HIDDEN = '[secret]'

/** Bytes that must not be printed: whatever logs, inspects or serialises this object gets a placeholder. */
export class Secret {
  readonly #bytes: Buffer

  constructor(value: Uint8Array | string) {
    this.#bytes = Buffer.from(value)
  }

  /** The bytes themselves, for the one line that needs them. */
  reveal(): Buffer {
    return this.#bytes
  }

  /** Is it the same secret? */
  equals(other: Secret): boolean {
    return timingSafeEqual(this.digest(), other.digest())
  }

  /** Stands for it in comparisons and cannot be turned back. */
  digest(): Buffer {
    return createHash('sha256').update(this.#bytes).digest()
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
