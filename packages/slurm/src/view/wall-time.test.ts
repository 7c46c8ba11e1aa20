import {
  createSimulatedSlurm,
  createVirtualClock,
  type SimulatedSlurm,
  type VirtualClock,
} from '@slurm-operator/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { steadyClock, systemClock } from '../client/clock.ts'
import { absent, seen, unknown, type Knowledge } from '../knowledge.ts'
import type { SlurmConnection } from '../registry/connection.ts'
import { SlurmRegistry } from '../registry/registry.ts'
import { Secret } from '../tokens/secret.ts'
import type { SlurmReader } from './slurm-view.ts'
import { inWallTime } from './wall-time.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const KEY = 'slurm/main'
/** Two readings of clocks may lie so far apart. */
const NOISE_MS = 100

interface World {
  readonly clock: VirtualClock
  readonly slurm: SimulatedSlurm
  readonly registry: SlurmRegistry
  readonly reader: SlurmReader
  readonly connection: SlurmConnection
}

/** A connection that has come to rest, and then reads nothing by itself for an hour. */
async function settled(): Promise<World> {
  const clock = createVirtualClock()
  const slurm = createSimulatedSlurm({ clock, workers: 3, latencyMs: 0 })
  const pace = { restMs: HOUR, longestAgeMs: 2 * HOUR, slowestMs: HOUR }
  const openTransport = () => slurm.openTransport()
  const registry = new SlurmRegistry({ clock, random: () => 0, openTransport, pace })
  const token = { kind: 'signing-key', key: new Secret(slurm.signingKey) } as const
  const connection = registry.ensure(KEY, { endpoints: ['http://a'], token })
  connection.view.jobs() // from now on jobs are read as well
  slurm.orders.submitJob({ requiredNodes: ['worker-1'], runMs: HOUR })
  await clock.advance(20 * SECOND)
  return { clock, slurm, registry, reader: registry.reader(KEY), connection }
}

/** How old a word of Slurm is for whoever subtracts it from the machine's time of day. */
function ageOf<T>({ clock }: World, known: Knowledge<T>): number {
  expect(known.kind).not.toBe('unknown')
  return clock.now() - (known.kind === 'seen' ? known.atMs : known.kind === 'absent' ? known.sinceMs : 0)
}

function agesOf(world: World): readonly number[] {
  const { reader } = world
  const [job] = world.slurm.truth.jobs()
  const jobs = [reader.jobs(), reader.jobsOn('worker-1'), reader.job(job?.id ?? 0)]
  return [reader.nodes(), reader.node('worker-1'), ...jobs].map((known) => ageOf(world, known as Knowledge<unknown>))
}

/** Both lists, so that all ages are the same. */
async function readLists({ clock, connection: { view } }: World): Promise<void> {
  const lists = Promise.all([view.refresh('nodes', 10 * SECOND), view.refresh('jobs', 10 * SECOND)])
  expect(await clock.drive(lists)).toEqual([true, true])
}

const same = (ms: number): number[] => Array.from({ length: 5 }, () => ms)

describe('times for users prevent that', () => {
  test('an old list seems fresh for ever, because the clock was set back by an hour', async () => {
    const world = await settled()
    await readLists(world)
    await world.clock.advance(100 * SECOND)
    expect(agesOf(world)).toEqual(same(100 * SECOND))
    world.clock.jumpWallClock(-HOUR)
    expect(agesOf(world)).toEqual(same(100 * SECOND))
    await world.clock.advance(SECOND)
    expect(agesOf(world)).toEqual(same(101 * SECOND))
    await world.registry.close()
  })

  test('every list seems too old for ever, because the clock was set forward by an hour', async () => {
    const world = await settled()
    world.clock.jumpWallClock(HOUR)
    await readLists(world)
    expect(agesOf(world)).toEqual(same(0))
    await world.clock.advance(100 * SECOND)
    expect(agesOf(world)).toEqual(same(100 * SECOND))
    await world.registry.close()
  })

  test('a list from before the machine slept for an hour seems fresh', async () => {
    const world = await settled()
    await readLists(world)
    await world.clock.advance(SECOND)
    world.clock.jumpWallClock(HOUR) // asleep, only the time of day goes on
    expect(agesOf(world)).toEqual(same(HOUR + SECOND))
    await world.registry.close()
  })

  test.each([-HOUR, HOUR])(
    'who has been absent for 100 s was so for ever, or will be, after a jump of %i',
    async (jump) => {
      const world = await settled()
      await readLists(world)
      world.slurm.orders.deleteNode('worker-3')
      await readLists(world)
      await world.clock.advance(100 * SECOND)
      expect(ageOf(world, world.reader.node('worker-3'))).toBe(100 * SECOND)
      const neverThereMs = ageOf(world, world.reader.node('never-there'))
      world.clock.jumpWallClock(jump)
      expect(ageOf(world, world.reader.node('worker-3'))).toBe(100 * SECOND)
      expect(ageOf(world, world.reader.node('never-there'))).toBe(neverThereMs)
      await world.registry.close()
    },
  )

  test.each([-HOUR, HOUR])(
    'what we deleted ourselves is absent since another time, after a jump of %i',
    async (jump) => {
      const world = await settled()
      world.clock.jumpWallClock(jump)
      await readLists(world)
      await world.clock.drive(world.connection.client.deleteNode('worker-3'))
      expect(world.reader.node('worker-3').kind).toBe('absent')
      expect(ageOf(world, world.reader.node('worker-3'))).toBe(0)
      await world.registry.close()
    },
  )

  test.each([-HOUR, HOUR])(
    'a connection that answers was last heard of in another hour, after a jump of %i',
    async (jump) => {
      const world = await settled()
      await readLists(world)
      await world.clock.advance(100 * SECOND)
      const { connection } = world
      const since = () => world.clock.now() - connection.health().sinceMs
      const contact = () => world.clock.now() - (connection.health().lastContactMs ?? 0)
      const before = [since(), contact()]
      world.clock.jumpWallClock(jump)
      expect([since(), contact()]).toEqual(before)
      expect(contact()).toBe(100 * SECOND)
      await world.registry.close()
    },
  )

  test('times that Slurm told are shifted like ours', async () => {
    const world = await settled()
    await readLists(world)
    const before = [world.reader.node('worker-1'), world.reader.jobsOn('worker-1')]
    world.clock.jumpWallClock(-HOUR)
    const after = [world.reader.node('worker-1'), world.reader.jobsOn('worker-1')]
    expect(after.map((each) => each.kind === 'seen' && each.value)).toEqual(
      before.map((each) => each.kind === 'seen' && each.value),
    )
    await world.registry.close()
  })

  test('10,000 words of Slurm are made anew in each pass, because two clocks differ by a few milliseconds', () => {
    const machine = { nowMs: 1_000_000, upMs: 0 }
    const clock = steadyClock({ ...systemClock, now: () => machine.nowMs, monotonic: () => machine.upMs })
    for (const noiseMs of [3, -2, 60, -NOISE_MS, NOISE_MS]) {
      machine.nowMs = 1_000_000 + noiseMs
      const known = seen('a record', 5)
      expect(inWallTime(known, { nowMs: clock.wallAheadMs(), atListMs: 0 })).toBe(known)
    }
    machine.nowMs = 1_000_000 + HOUR
    expect(clock.wallAheadMs()).toBe(HOUR)
    machine.nowMs += 60
    expect(clock.wallAheadMs()).toBe(HOUR)
  })

  test('what is unknown gets a time', () => {
    const known = unknown('unreachable', 'a record')
    expect(inWallTime(known, { nowMs: HOUR, atListMs: 0 })).toBe(known)
    expect(inWallTime(absent(5), { nowMs: -HOUR, atListMs: 0 })).toEqual(absent(5 - HOUR))
  })
})

type Step = { readonly do: 'pass' | 'jump'; readonly ms: number } | { readonly do: 'list' }
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('pass' as const), ms: fc.nat(200 * SECOND) }),
  fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -2 * HOUR, max: 2 * HOUR }) }),
  fc.record({ do: fc.constant('list' as const) }),
)

test('no clock that is set makes a list younger than it is, and the next list has its true age', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 8 }), async (steps) => {
      const world = await settled()
      const { clock, reader, registry } = world
      await readLists(world)
      let [listedAtMs, mayHaveSleptMs] = [clock.monotonic(), 0]
      for (const step of steps) {
        if (step.do === 'pass') await clock.advance(step.ms)
        if (step.do === 'jump') clock.jumpWallClock(step.ms)
        if (step.do === 'jump') mayHaveSleptMs += Math.max(0, step.ms)
        if (step.do === 'list') {
          await readLists(world)
          ;[listedAtMs, mayHaveSleptMs] = [clock.monotonic(), 0]
        }
        const trueMs = clock.monotonic() - listedAtMs
        const toldMs = ageOf(world, reader.nodes())
        expect(toldMs).toBeGreaterThanOrEqual(trueMs - NOISE_MS)
        expect(toldMs).toBeLessThanOrEqual(trueMs + mayHaveSleptMs + NOISE_MS)
      }
      await registry.close()
    }),
  )
})
