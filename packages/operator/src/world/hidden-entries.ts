/**
 * Entries of Secrets that loops read are hidden in logs and Events. Not all entries: a user name or a host beside a
 * password is no secret, and lines without them would tell nobody anything.
 *
 * Whoever hands out a Secret says where its entries must be hidden; whoever reads an entry need not think of it.
 *
 * @module
 */
import type { SecretValues } from '@slurm-operator/runtime'

/** Every line is compared with all of them. */
const MOST = 256
const LONGEST = 8192

const hiders = new WeakMap<object, HiddenEntries>()

/** The values that are hidden: those that were read last, up to a number. */
export class HiddenEntries {
  readonly #values: SecretValues
  readonly #ends = new Map<string, () => void>()

  constructor(values: SecretValues) {
    this.#values = values
  }

  /** What is read from this Secret is to be hidden. */
  follow(secret: object): void {
    hiders.set(secret, this)
  }

  /** Hide this value, given as it stands in the Secret. */
  add(encoded: string): void {
    if (encoded.length > LONGEST) return
    const end = this.#ends.get(encoded) ?? this.#values.register(Buffer.from(encoded, 'base64'))
    this.#ends.delete(encoded) // to the end of the line: the one that was not read for longest goes first
    this.#ends.set(encoded, end)
    if (this.#ends.size > MOST) this.#dropOldest()
  }

  #dropOldest(): void {
    const [oldest] = this.#ends
    if (oldest === undefined) return
    const [encoded, end] = oldest
    end()
    this.#ends.delete(encoded)
  }
}

/** An entry of this Secret was read. */
export function hideEntry(secret: object, encoded: string): void {
  hiders.get(secret)?.add(encoded)
}
