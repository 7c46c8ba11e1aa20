/**
 * Whatever happens to Slurm, to its machines and to the way in between: a `yes` was true. The histories of the view's
 * own room know two facts of a node; these know the whole life of nodes, jobs, machines and daemons.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Answer, Knowledge } from '../knowledge.ts'
import type { SlurmNode } from '../model/node.ts'
import { isBusy, isDown, isDrain, isDrained, isDraining, isIdle } from '../states/node-states.ts'
import { anyHistory, buildWorld, factsNow, honestTrouble, live, NAMES, pass } from './gen.ts'
import type { Facts, World } from './gen.ts'

const SECOND = 1000
/** A delete counts from its answer, which may come that much later than the deed. */
const LONGEST_ANSWER_MS = 20 * SECOND

const wishes = process.env
const runs = {
  numRuns: Number(wishes['SIM_SEEDS'] ?? 200),
  ...(wishes['SIM_FROM'] !== undefined && { seed: Number(wishes['SIM_FROM']) }),
}
const everything = ['ours', 'ourDeletes', 'jobs', 'jobs', 'others', 'machines', 'reboots', 'loss'] as const
const anyChance = fc.infiniteStream(fc.integer({ min: 0, max: 999 }).map((number) => number / 1000))
const anyLooking = fc.constantFrom(true, false, false)
const dice = (stream: Iterator<number>) => (): number => stream.next().value as number

/** Each question, and the same in raw facts. */
const questions: readonly {
  readonly name: string
  readonly ask: (about: Knowledge<SlurmNode>) => Answer
  readonly isTrue: (facts: Facts) => boolean
}[] = [
  { name: 'drained', ask: isDrained, isTrue: ({ hasDrain, jobs }) => hasDrain && jobs === 0 },
  { name: 'draining', ask: isDraining, isTrue: ({ hasDrain, jobs }) => hasDrain && jobs > 0 },
  { name: 'asked to drain', ask: isDrain, isTrue: ({ hasDrain }) => hasDrain },
  { name: 'busy', ask: isBusy, isTrue: ({ jobs }) => jobs > 0 },
  { name: 'idle', ask: isIdle, isTrue: ({ isDown, running }) => !isDown && running === 0 },
  { name: 'down', ask: isDown, isTrue: (facts) => facts.isDown },
]

/**
 * Every yes, and every absence, was true at some moment since the list that says so was asked for.
 * Slurm's clock is not set back in these histories: after that "nothing has changed" is not true until we look at that
 * clock, half a minute later at the latest.
 */
function expectNoInvention({ connection, past, slurm }: World): void {
  slurm.truth.nodes() // lets everything happen that is due
  for (const name of NAMES) {
    const known = connection.view.node(name)
    const isAbsent = known.kind === 'absent'
    const sinceMs = isAbsent ? known.sinceMs - LONGEST_ANSWER_MS : 0
    const wasGone = isAbsent && past.wasSince(name, sinceMs, (facts) => facts === undefined)
    expect(wasGone, `${name} was there all the time`).toBe(isAbsent)
    if (known.kind !== 'seen') continue
    for (const { name: question, ask, isTrue } of questions) {
      const yes = ask(known) === 'yes'
      const was = yes && past.wasSince(name, known.atMs, (facts) => facts !== undefined && isTrue(facts))
      expect(was, `${name} ${question}`).toBe(yes)
    }
  }
}

describe('no history', () => {
  test('makes any answer yes that was no', async () => {
    const history = anyHistory(everything, [...honestTrouble, 'stall'])
    const anySkew = fc.constantFrom(0, 0, -40_000, 40_000)
    await fc.assert(
      fc.asyncProperty(history, anyChance, anySkew, anyLooking, async (steps, stream, skewMs, isLooking) => {
        const world = buildWorld(dice(stream), { skewMs, isLooking })
        await live(world, steps, () => expectNoInvention(world))
        await world.connection.close()
      }),
      runs,
    )
  })

  test('makes a node drained now that has work or takes some, while nobody but us undrains', async () => {
    const history = anyHistory(['ours', 'ours', 'jobs', 'jobs', 'machines', 'clock'], honestTrouble, 2)
    await fc.assert(
      fc.asyncProperty(history, anyChance, anyLooking, async (steps, stream, isLooking) => {
        const world = buildWorld(dice(stream), { isLooking })
        await live(world, steps, () => {
          for (const name of NAMES) {
            const isYes = isDrained(world.connection.view.node(name)) === 'yes'
            const facts = isYes ? factsNow(world, name) : undefined
            expect(isYes && !(facts?.hasDrain && facts.jobs === 0), `${name} only looks drained`).toBe(false)
          }
        })
        await world.connection.close()
      }),
      runs,
    )
  })

  test('lasts longer than its trouble: three minutes later the view is what Slurm is', async () => {
    const history = anyHistory([...everything, 'clock'], [...honestTrouble, 'stall'])
    await fc.assert(
      fc.asyncProperty(history, anyChance, anyLooking, async (steps, stream, isLooking) => {
        const world = buildWorld(dice(stream), { isLooking })
        await live(world, steps, () => {})
        world.connection.view.jobs()
        await pass(world, 180 * SECOND, () => {})
        expect(pictureOf(world)).toEqual(truthOf(world))
        expect(world.connection.health().state).toBe('reachable')
        await world.connection.close()
      }),
      runs,
    )
  })
})

function pictureOf({ connection }: World): unknown {
  return NAMES.map((name) => {
    const known = connection.view.node(name)
    const jobs = connection.view.jobsOn(name)
    const ids = jobs.kind === 'seen' ? jobs.value.map(({ id }) => id).toSorted((a, b) => a - b) : jobs.kind
    return { name, states: known.kind === 'seen' ? known.value.states : known.kind, jobs: ids }
  })
}

function truthOf({ slurm }: World): unknown {
  return NAMES.map((name) => {
    const node = slurm.truth.node(name)
    return { name, states: node?.states ?? 'absent', jobs: (node?.jobs ?? []).toSorted((a, b) => a - b) }
  })
}
