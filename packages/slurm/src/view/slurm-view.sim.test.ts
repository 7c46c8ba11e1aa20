import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unknown } from '../knowledge.ts'
import { connect, type SlurmConnection } from '../registry/connection.ts'
import { isDrain, isDrained } from '../states/node-states.ts'
import { Secret } from '../tokens/secret.ts'
import { SmallSlurm, VirtualClock, type Fault } from './gen.ts'

const NAMES = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5']
const SECOND = 1000
const LINGER_MS = 100

interface World {
  readonly clock: VirtualClock
  readonly slurm: SmallSlurm
  readonly connection: SlurmConnection
}

function buildWorld(random: () => number = () => 0.5, names: readonly string[] = NAMES): World {
  const clock = new VirtualClock()
  const slurm = new SmallSlurm(clock, names, random)
  const settings = { endpoints: ['http://small'], token: { kind: 'signing-key', key: new Secret('k') } } as const
  return { clock, slurm, connection: connect(settings, { clock, random, openTransport: () => slurm }) }
}

type Deed = 'drain' | 'undrain' | 'delete' | 'comment' | 'start-job' | 'end-job' | 'register'
type Step =
  | { readonly do: Deed; readonly name: string; readonly thenMs: number }
  | { readonly do: 'fault'; readonly fault: Fault; readonly forMs: number }
  | { readonly do: 'latency'; readonly ms: number; readonly thenMs: number }

/** Whole numbers, because those with a fraction are drawn near zero most of the time. */
const anyChance = fc.infiniteStream(fc.integer({ min: 0, max: 999 }).map((number) => number / 1000))
const anyName = fc.constantFrom(...NAMES)
const anyPause = fc.oneof(fc.nat(50), fc.nat(3 * SECOND), fc.nat(40 * SECOND))
const deeds: readonly Deed[] = [
  'drain',
  'drain',
  'undrain',
  'delete',
  'comment',
  'start-job',
  'start-job',
  'end-job',
  'end-job',
  'register',
]
const faults: readonly Fault[] = [
  'hang',
  'lost-answer',
  'lost-orders',
  'lost-orders',
  'reset',
  'cut',
  'crash-500',
  'bad-token',
  'controller-away',
  'empty-list',
  'short-list',
  'unreadable-record',
  'nameless-record',
]
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom(...deeds), name: anyName, thenMs: anyPause }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      fault: fc.constantFrom(...faults),
      forMs: fc.nat(25 * SECOND),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('latency' as const), ms: fc.nat(4 * SECOND), thenMs: anyPause }),
  },
)

/** Orders go out and are not waited for: that is what makes it interesting. */
function order({ connection, slurm }: World, deed: Deed, name: string): void {
  const supervised = (work: Promise<unknown>): void => void work.catch(() => {})
  switch (deed) {
    case 'drain':
      return supervised(connection.client.updateNode(name, { state: 'DRAIN', reason: 'test' }))
    case 'undrain':
      if (name === 'n1') return supervised(connection.client.updateNode(name, { state: 'UNDRAIN' }))
      return supervised(connection.client.updateNodes([name, 'n0'], { state: 'UNDRAIN' }))
    case 'delete':
      return supervised(connection.client.deleteNode(name))
    case 'comment':
      return supervised(connection.client.updateNode(name, { comment: 'hello' }))
    case 'start-job':
      return slurm.startJob(name)
    case 'end-job':
      return slurm.endJob(name)
    case 'register':
      if (!slurm.nodes.has(name)) slurm.nodes.set(name, { drain: false, jobs: 0 })
      return slurm.touch()
  }
}

async function live(world: World, steps: readonly Step[], check: () => void): Promise<void> {
  const { clock, slurm } = world
  for (const step of steps) {
    if (step.do === 'fault') slurm.fault = step.fault
    else if (step.do === 'latency') slurm.latencyMs = step.ms
    else order(world, step.do, step.name)
    if (step.do === 'fault') await clock.advance(step.forMs, check)
    else {
      await clock.advance(Math.min(step.thenMs, LINGER_MS), check) // a fault also meets the order that follows it
      slurm.fault = 'none'
      await clock.advance(Math.max(0, step.thenMs - LINGER_MS), check)
    }
  }
}

const wishes = process.env
const runs = {
  numRuns: Number(wishes['SIM_SEEDS'] ?? 300),
  ...(wishes['SIM_FROM'] !== undefined && { seed: Number(wishes['SIM_FROM']) }),
}
const anyHistory = fc.tuple(fc.array(anyStep, { maxLength: 25 }), anyChance)
const dice = (stream: Iterator<number>) => (): number => stream.next().value as number

/** Two nodes, orders that may get lost, slow answers: where a list and an order can miss each other. */
const anyOrder: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom<Deed>('drain', 'undrain', 'start-job', 'end-job'),
      name: fc.constantFrom('n0', 'n1'),
      thenMs: anyPause,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      fault: fc.constant<Fault>('lost-orders'),
      forMs: fc.nat(50),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('latency' as const), ms: fc.nat(4 * SECOND), thenMs: fc.nat(100) }),
  },
)
const anyOrders = fc.tuple(fc.array(anyOrder, { minLength: 4, maxLength: 30 }), anyChance)

async function expectNoFalseDrained(world: World, steps: readonly Step[]): Promise<void> {
  await live(world, steps, () => {
    for (const name of NAMES) {
      const known = world.connection.view.node(name)
      expect(isDrained(known) === 'yes' && !world.slurm.isDrained(name), `${name} only looks drained`).toBe(false)
    }
  })
  await world.connection.close()
}

describe('no history of faults', () => {
  test('makes a worker with jobs look drained', async () => {
    const property = fc.asyncProperty(anyHistory, ([steps, stream]) =>
      expectNoFalseDrained(buildWorld(dice(stream)), steps),
    )
    await fc.assert(property, runs)
  })

  test('makes a worker look drained because an order and a list missed each other', async () => {
    const property = fc.asyncProperty(anyOrders, ([steps, stream]) =>
      expectNoFalseDrained(buildWorld(dice(stream), ['n0', 'n1']), steps),
    )
    await fc.assert(property, { ...runs, numRuns: 2 * runs.numRuns })
  })

  test('makes the jobs of a drained node vanish', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async ([steps, stream]) => {
        const world = buildWorld(dice(stream))
        const { slurm, connection } = world
        const mayLookOld: readonly Step['do'][] = ['undrain', 'register'] // without these, jobs on a drained node only end
        await live(
          world,
          steps.filter((step) => !mayLookOld.includes(step.do)),
          () => {
            for (const name of NAMES) {
              const [node, jobs] = [connection.view.node(name), connection.view.jobsOn(name)]
              const saysFree = isDrain(node) === 'yes' && jobs.kind === 'seen' && jobs.value.length === 0
              const isFresh = saysFree && node.kind === 'seen' && jobs.atMs >= node.atMs
              expect(isFresh && (slurm.nodes.get(name)?.jobs ?? 0) > 0, `${name} only looks free`).toBe(false)
            }
          },
        )
        await connection.close()
      }),
      runs,
    )
  })

  test('makes a node absent that Slurm has', async () => {
    const lies: readonly Fault[] = ['empty-list', 'short-list', 'unreadable-record', 'nameless-record']
    await fc.assert(
      fc.asyncProperty(
        anyHistory,
        fc.constantFrom(...lies),
        fc.nat(25 * SECOND),
        async ([steps, stream], lie, forMs) => {
          const world = buildWorld(dice(stream))
          await world.clock.advance(5 * SECOND)
          const honest = steps.filter(
            (step) => !(step.do === 'fault' && lies.includes(step.fault)) && step.do !== 'register',
          )
          const half = Math.floor(honest.length / 2)
          const script: Step[] = [...honest.slice(0, half), { do: 'fault', fault: lie, forMs }, ...honest.slice(half)]
          await live(world, script, () => {
            for (const name of NAMES) {
              const isAbsent = world.connection.view.node(name).kind === 'absent'
              expect(isAbsent && world.slurm.nodes.has(name), `${name} only looks absent`).toBe(false)
            }
          })
          await world.connection.close()
        },
      ),
      runs,
    )
  })

  test('lasts longer than the faults: everything is known again within a minute', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async ([steps, stream]) => {
        const world = buildWorld(dice(stream))
        await live(world, steps, () => {})
        Object.assign(world.slurm, { latencyMs: 5, fault: 'none' })
        const had = (...some: Fault[]): boolean =>
          steps.some((step) => step.do === 'fault' && some.includes(step.fault))
        if (had('empty-list', 'short-list')) await world.clock.advance(2 * 60 * SECOND) // a lie that is "unchanged" since
        await world.clock.advance(had('bad-token') ? 16 * 60 * SECOND : 60 * SECOND)
        for (const name of NAMES) {
          const known = world.connection.view.node(name)
          const node = world.slurm.nodes.get(name)
          const truth = world.slurm.isDrained(name) ? 'yes' : 'no'
          expect([known.kind, isDrained(known)], name).toEqual(node ? ['seen', truth] : ['absent', 'unknown'])
        }
        expect(world.connection.health().state).toBe('reachable')
        await world.connection.close()
      }),
      runs,
    )
  })
})

/** How many requests of each kind began after this moment, per minute of ten. */
function countByMinute(slurm: SmallSlurm, fromMs: number): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const { atMs, line } of slurm.requests) if (atMs > fromMs) counted[line] = (counted[line] ?? 0) + 1
  return Object.fromEntries(Object.entries(counted).map(([line, count]) => [line, count / 10]))
}

test('whoever waits for a list hears that nothing has changed since one that was wrong', async () => {
  const { clock, slurm, connection } = buildWorld()
  slurm.fault = 'empty-list'
  await clock.advance(20 * SECOND)
  slurm.fault = 'none'
  await clock.advance(20 * SECOND)
  expect(connection.view.node('n0').kind).not.toBe('seen') // nothing has changed since, says Slurm
  const listing = connection.view.refresh('nodes', 5 * SECOND)
  await clock.advance(5 * SECOND)
  expect([await listing, connection.view.node('n0').kind]).toEqual([true, 'seen'])
  await connection.close()
})

test('a job whose record cannot be read any more leaves its node', async () => {
  const { clock, slurm, connection } = buildWorld()
  slurm.startJob('n0')
  connection.view.jobsOn('n0')
  await clock.advance(5 * SECOND)
  const there = [expect.objectContaining({ nodes: 'n0' })]
  expect(connection.view.jobsOn('n0')).toMatchObject({ kind: 'seen', value: there })
  slurm.fault = 'unreadable-record'
  slurm.touch()
  await clock.advance(60 * SECOND)
  expect(connection.view.jobsOn('n0')).toEqual(unknown('unreadable', there))
  await connection.close()
})

describe('the number of requests does not depend on who asks', () => {
  async function measure(
    askers: number,
    ask: (world: World, asker: number) => void,
    everyMs: number,
  ): Promise<Record<string, number>> {
    const world = buildWorld(
      Math.random,
      Array.from({ length: 100 }, (_, at) => `n${at}`),
    )
    world.connection.view.jobs()
    await world.clock.advance(60 * SECOND)
    const from = world.clock.now()
    for (let passed = 0; passed < 600 * SECOND; passed += everyMs) {
      for (let asker = 0; asker < askers; asker++) ask(world, asker)
      await world.clock.advance(everyMs)
    }
    const counted = countByMinute(world.slurm, from)
    await world.connection.close()
    return counted
  }

  test.for([1, 10, 100])('at rest %i askers cost one list of each kind per half minute', async (askers) => {
    const counted = await measure(
      askers,
      ({ connection }, asker) => {
        connection.view.node(`n${asker}`)
        connection.view.jobsOn(`n${asker}`)
        connection.view.nodes()
      },
      5 * SECOND,
    )
    const { 'GET /diag/': looksAtTheTime = 0, ...lists } = counted
    expect(lists).toEqual({ 'GET /nodes/': expect.closeTo(2, 0), 'GET /jobs/': expect.closeTo(2, 0) })
    expect(counted['GET /nodes/']).toBeLessThanOrEqual(2)
    expect(looksAtTheTime).toBeLessThanOrEqual(2)
  })

  test.for([1, 10, 100])('in motion %i askers cost one list per second', async (askers) => {
    const waiting: Promise<unknown>[] = []
    const counted = await measure(
      askers,
      ({ connection }) => {
        connection.view.hurry('nodes', 5 * SECOND)
        waiting.push(connection.view.refresh('nodes', 3 * SECOND))
      },
      2 * SECOND,
    )
    await Promise.all(waiting)
    expect(counted['GET /nodes/']).toBeGreaterThan(50)
    expect(counted['GET /nodes/']).toBeLessThanOrEqual(60)
    expect(counted['GET /jobs/']).toBeLessThanOrEqual(2)
  })

  test('a dead slurmrestd costs a ping now and then', async () => {
    const counted = await measure(
      10,
      ({ slurm, connection }) => {
        slurm.fault = 'hang'
        connection.view.refresh('nodes', 3 * SECOND).catch(() => {})
      },
      5 * SECOND,
    )
    expect(Object.values(counted).reduce((sum, count) => sum + count, 0)).toBeLessThan(6)
  })
})
