import { annotationKeys, YES } from '@slurm-operator/api'
import { expect, test } from 'vitest'
import { liveThrough } from './history.ts'
import { nodeEmptying } from './node-emptying.ts'

const FIRST = 700_000
const HISTORIES = 200
const PER_TEST = 20
const wish = { also: [nodeEmptying], annotations: { [annotationKeys.protectUntilDrained]: YES } }

test.each(Array.from({ length: HISTORIES / PER_TEST }, (_, at) => FIRST + at * PER_TEST))(
  'kubectl drain ends a job of a worker that is protected until it is drained: seeds from %i',
  async (from) => {
    for (let seed = from; seed < from + PER_TEST; seed++) {
      const { broken, story } = await liveThrough(seed, wish)
      expect(broken, [`Seed ${seed}`, ...story].join('\n')).toEqual([])
    }
  },
)
