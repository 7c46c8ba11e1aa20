/**
 * Reading one record that we do not trust yet. `Wire` is what slurmrestd's own document promises, so a misspelt
 * field does not compile; what really arrives is checked here.
 *
 * @module
 */
import { finiteOf, isBoundedShape, readBounded, type Bounded } from '../values/no-value.ts'
import { readTimeMs } from '../values/times.ts'

/** The names of fields that every version in the union `Wire` has. */
export type FieldOf<Wire> = keyof Wire & string

/** A field whose type is not what any version promises. Caught where the record is read; it never leaves `model/`. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}

/** A record and how strictly to read it. An absent field is always its empty value, except where `require` names it. */
export class Fields<Wire> {
  readonly #raw: Readonly<Record<string, unknown>>
  readonly #strict: boolean

  constructor(raw: unknown, strict = true) {
    if (!isObject(raw)) throw new FieldError(`it is ${describe(raw)}, not an object`)
    this.#raw = raw
    this.#strict = strict
  }

  /** For what is only shown: there a wrong type is as good as nothing. */
  forgiving(): Fields<Wire> {
    return new Fields(this.#raw, false)
  }

  /** A record without these is of no use. */
  require(...names: readonly FieldOf<Wire>[]): void {
    for (const name of names) {
      if (this.#raw[name] === undefined) throw new FieldError(`it has no ${name}`)
    }
  }

  text(name: FieldOf<Wire>): string {
    return this.#read(name, 'text', isText, (value) => value) ?? ''
  }

  /** A name or an id: text that must not be empty. */
  name(name: FieldOf<Wire>): string {
    const text = this.text(name)
    if (text === '') throw new FieldError(`its ${name} is empty`)
    return text
  }

  number(name: FieldOf<Wire>): number {
    const count = this.count(name)
    if (count === undefined) throw new FieldError(`its ${name} is not set`)
    return count
  }

  yes(name: FieldOf<Wire>): boolean {
    return this.#read(name, 'true or false', isBoolean, (value) => value) ?? false
  }

  /** A list of words; older daemons write some of them as one text with commas. */
  words(name: FieldOf<Wire>): readonly string[] {
    return this.#read(name, 'a list of words', areWords, asWords) ?? NO_WORDS
  }

  bounded(name: FieldOf<Wire>): Bounded {
    return this.#read(name, 'a number', isBoundedShape, (value) => readBounded(value))
  }

  count(name: FieldOf<Wire>): number | undefined {
    return finiteOf(this.bounded(name))
  }

  timeMs(name: FieldOf<Wire>): number | undefined {
    return this.#read(name, 'a time', isBoundedShape, readTimeMs)
  }

  /** A record inside the record; an empty one where there is none. */
  inner<Name extends FieldOf<Wire>>(name: Name): Fields<NonNullable<Wire[Name]>> {
    return new Fields(this.#read(name, 'an object', isObject, (value) => value) ?? {}, this.#strict)
  }

  #read<Raw, Value>(
    name: string,
    wanted: string,
    fits: (raw: unknown) => raw is Raw,
    convert: (raw: Raw) => Value,
  ): Value | undefined
  #read<Value>(
    name: string,
    wanted: string,
    fits: (raw: unknown) => boolean,
    convert: (raw: unknown) => Value,
  ): Value | undefined
  #read<Value>(
    name: string,
    wanted: string,
    fits: (raw: unknown) => boolean,
    convert: (raw: never) => Value,
  ): Value | undefined {
    const raw = this.#raw[name]
    if (raw === undefined) return undefined
    if (fits(raw)) return convert(raw as never)
    if (!this.#strict) return undefined
    throw new FieldError(`its ${name} is ${describe(raw)}, not ${wanted}`)
  }
}

const NO_WORDS: readonly string[] = Object.freeze([])

function asWords(raw: string | readonly string[]): readonly string[] {
  if (typeof raw !== 'string') return Object.freeze(raw)
  return raw === '' ? NO_WORDS : Object.freeze(raw.split(','))
}

/** A JSON object, which neither a list nor null is. */
export function isObject(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

function isText(raw: unknown): raw is string {
  return typeof raw === 'string'
}

function isBoolean(raw: unknown): raw is boolean {
  return typeof raw === 'boolean'
}

function areWords(raw: unknown): raw is string | readonly string[] {
  return isText(raw) || (Array.isArray(raw) && raw.every(isText))
}

/** What a value is, in a word. Never the value itself: it may be long, or not ours to repeat. */
export function describe(raw: unknown): string {
  if (raw === null) return 'null'
  if (Array.isArray(raw)) return 'a list'
  return KINDS[typeof raw] ?? 'nothing'
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  bigint: 'a number',
  boolean: 'true or false',
  object: 'an object',
}
