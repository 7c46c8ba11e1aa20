import { annotationKeys, YES } from '@slurm-operator/api'
import { expect, test } from 'vitest'
import { drainedDeletions } from './drained-deletion.ts'
import { liveThrough } from './history.ts'

const FIRST = 810_000
const HISTORIES = 200
const PER_TEST = 20
const wish = { also: drainedDeletions, annotations: { [annotationKeys.drainOnDelete]: YES } }

test.each(Array.from({ length: HISTORIES / PER_TEST }, (_, at) => FIRST + at * PER_TEST))(
  'a job ends with its NodeSet, which was asked to drain its workers first: seeds from %i',
  async (from) => {
    for (let seed = from; seed < from + PER_TEST; seed++) {
      const { broken, story } = await liveThrough(seed, wish)
      expect(broken, [`Seed ${seed}`, ...story].join('\n')).toEqual([])
    }
  },
)
