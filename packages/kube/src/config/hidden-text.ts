import { inspect } from 'node:util'

const MASK = '<hidden>'

/** A value that shows itself only when asked: not in logs, not in JSON, not in a string. */
export class HiddenText {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The value itself; for the wire only. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return MASK
  }

  toJSON(): string {
    return MASK
  }

  [inspect.custom](): string {
    return MASK
  }
}
