import { expect, test } from 'vitest'
import { givingBack } from './giving-back.ts'
import { liveThrough } from './history.ts'

const FIRST = 800_000
const HISTORIES = 200
const PER_TEST = 20

test.each(Array.from({ length: HISTORIES / PER_TEST }, (_, at) => FIRST + at * PER_TEST))(
  'a worker goes with a job that began on it after the last list, when it was given back: seeds from %i',
  async (from) => {
    for (let seed = from; seed < from + PER_TEST; seed++) {
      const { broken, story } = await liveThrough(seed, { also: [givingBack] })
      expect(broken, [`Seed ${seed}`, ...story].join('\n')).toEqual([])
    }
  },
)
