/**
 * Histories as tests: so many seeds from a first one on, some at a time. `--seeds` and `--from` of `npm run test:sim` choose
 * them.
 *
 * @module
 */
import { afterAll, describe, expect, test } from 'vitest'
import { liveThrough, type History, type HistoryWish } from './history.ts'

/** So many fit into about ten minutes on two cores. */
const USUAL_SEEDS = 2_000
const SEEDS_PER_TEST = 20
const DAY_MS = 86_400_000

/** Make the tests of one of several files, which run at the same time. */
export function testHistories(file: number, files: number): void {
  const [from, count] = [numberIn('SIM_FROM', 0), numberIn('SIM_SEEDS', USUAL_SEEDS)]
  const seeds = Array.from({ length: count }, (_, at) => from + at).filter((seed) => seed % files === file)
  const sum = { histories: 0, steps: 0, simulatedMs: 0 }
  describe('histories of users, accidents and faults', () => {
    if (seeds.length === 0) test('are all in another file', () => expect(count).toBeLessThan(files))
    for (let at = 0; at < seeds.length; at += SEEDS_PER_TEST) {
      const some = seeds.slice(at, at + SEEDS_PER_TEST)
      test(`keep the promises with seeds ${some[0] ?? 0} to ${some.at(-1) ?? 0}, each ${files}.`, async () => {
        for (const seed of some) {
          const history = await liveThrough(seed)
          sum.histories++
          sum.steps += history.steps
          sum.simulatedMs += history.simulatedMs
          expect(history.broken, describeHistory(history)).toEqual([])
        }
      })
    }
    afterAll(() => {
      const days = (sum.simulatedMs / DAY_MS).toFixed(1)
      console.log(`${sum.histories} histories, ${sum.steps} steps, ${days} simulated days`)
    })
  })
}

/** So many of each special kind. */
const SPECIAL_SEEDS = 200

/** Histories in which something more happens, and the accident that this might cause. */
export function testSpecialHistories(accident: string, firstSeed: number, wish: HistoryWish): void {
  const firsts = Array.from({ length: SPECIAL_SEEDS / SEEDS_PER_TEST }, (_, at) => firstSeed + at * SEEDS_PER_TEST)
  test.each(firsts)(`${accident}: seeds from %i`, async (from) => {
    for (let seed = from; seed < from + SEEDS_PER_TEST; seed++) {
      const { broken, story } = await liveThrough(seed, wish)
      expect(broken, [`Seed ${seed}`, ...story].join('\n')).toEqual([])
    }
  })
}

/** The whole story, so that nobody needs to replay it to understand it. */
function describeHistory({ seed, story }: History): string {
  const again = `npm run test:sim -- --seeds 1 --from ${seed}`
  return [`Seed ${seed} (again with: ${again})`, ...story].join('\n')
}

function numberIn(variable: string, usual: number): number {
  return Number(process.env[variable] ?? usual)
}
