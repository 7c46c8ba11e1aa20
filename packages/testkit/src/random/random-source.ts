/**
 * One seed for everything that looks like chance. Each consumer takes a stream by its name; a stream depends on the seed
 * and on its name only, so one consumer more, or one that draws more often, changes nothing for the others.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import type { Random } from '@slurm-operator/kube'
import { createXoshiro, toRandom, type XoshiroState } from './xoshiro.ts'

/** Chance, with the questions that tests ask of it. */
export interface RandomSource {
  /** A number from 0 up to, not including, 1. */
  readonly next: Random
  /** A whole number from 0 up to, not including, the given one. */
  readonly below: (limit: number) => number
  /** True with this probability. */
  readonly chance: (probability: number) => boolean
  /** One of the list, which must not be empty. */
  readonly pick: <T>(choices: readonly T[]) => T
  /** The same things in another order. */
  readonly shuffle: <T>(things: readonly T[]) => T[]
  /** A stream of its own. The same name gives the same stream, from its beginning. */
  readonly stream: (name: string) => RandomSource
}

/** The source for a seed; the seed may be any number or text. */
export function createRandomSource(seed: number | string): RandomSource {
  const next = toRandom(createXoshiro(stateFor(String(seed))))
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => {
      if (choices.length === 0) throw new Error('Cannot pick from an empty list.')
      return choices[below(choices.length)] as (typeof choices)[number]
    },
    shuffle: (things) => {
      const left = [...things]
      return things.map(() => left.splice(below(left.length), 1)[0] as (typeof things)[number])
    },
    stream: (name) => createRandomSource(`${seed}/${name}`),
  }
}

function stateFor(seed: string): XoshiroState {
  const hash = createHash('sha256').update(seed).digest()
  return [hash.readUInt32LE(0), hash.readUInt32LE(4), hash.readUInt32LE(8), hash.readUInt32LE(12) | 1]
}
