import { expect, test } from 'vitest'
import { liveThrough } from './history.ts'
import { jobSuspending } from './job-suspending.ts'

const FIRST = 820_000
const HISTORIES = 200
const PER_TEST = 20

test.each(Array.from({ length: HISTORIES / PER_TEST }, (_, at) => FIRST + at * PER_TEST))(
  'a job ends because it is suspended, and Slurm calls its node idle: seeds from %i',
  async (from) => {
    for (let seed = from; seed < from + PER_TEST; seed++) {
      const { broken, story } = await liveThrough(seed, { also: [jobSuspending] })
      expect(broken, [`Seed ${seed}`, ...story].join('\n')).toEqual([])
    }
  },
)
