import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import type { ViewChange } from '../view/slurm-view.ts'
import { isDrained } from '../states/node-states.ts'
import { Secret } from '../tokens/secret.ts'
import { SmallSlurm, VirtualClock } from '../view/gen.ts'
import type { ConnectionChange } from './connection.ts'
import { SlurmRegistry } from './registry.ts'
import type { ConnectionSettings } from './settings.ts'

const SECOND = 1000
const KEY = 'slurm/main'

/** A registry whose endpoints are small Slurms by URL, all of the same nodes unless a test says otherwise. */
class World {
  readonly clock = new VirtualClock()
  readonly slurms = new Map<string, SmallSlurm>()
  readonly opened: string[] = []
  readonly registry = new SlurmRegistry({
    clock: this.clock,
    random: () => 0.5,
    openTransport: ({ url, ca }) => {
      this.opened.push(ca === undefined ? url : `${url} with a CA`)
      return this.slurm(url)
    },
  })

  slurm(url: string): SmallSlurm {
    const known = this.slurms.get(url) ?? new SmallSlurm(this.clock, ['n0', 'n1', 'n2'])
    this.slurms.set(url, known)
    return known
  }

  requests(url: string): string[] {
    return this.slurm(url).requests.map(({ line }) => line)
  }
}

const settings = (changes: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
  endpoints: ['http://a'],
  token: { kind: 'signing-key', key: new Secret('signing') },
  ...changes,
})

let world = new World()
afterEach(async () => {
  await world.registry.close()
  world = new World()
})

describe('the registry prevents that', () => {
  test('each pass opens a connection of its own', async () => {
    const first = world.registry.ensure(KEY, settings())
    for (let pass = 0; pass < 50; pass++) expect(world.registry.ensure(KEY, settings())).toBe(first)
    await world.clock.advance(SECOND)
    expect(world.opened).toEqual(['http://a'])
  })

  test('what nobody is connected to looks empty', () => {
    expect(world.registry.reader('other').node('n0')).toEqual({ kind: 'unknown', why: 'no-client' })
    expect(world.registry.reader('other').nodes()).toEqual({ kind: 'unknown', why: 'no-client' })
    expect(world.registry.reader('other').jobsOn('n0')).toEqual({ kind: 'unknown', why: 'no-client' })
  })

  test('another URL or CA keeps the old connection, and the old nodes', async () => {
    world.registry.ensure(KEY, settings())
    await world.clock.advance(2 * SECOND)
    expect(world.registry.reader(KEY).node('n0').kind).toBe('seen')
    world.registry.ensure(KEY, settings({ endpoints: ['http://b'] }))
    expect(world.registry.reader(KEY).node('n0')).toEqual({ kind: 'unknown', why: 'not-listed-yet' })
    world.registry.ensure(KEY, settings({ endpoints: ['http://b'], tls: { ca: 'pem' } }))
    await world.clock.advance(2 * SECOND)
    expect(world.opened).toEqual(['http://a', 'http://b', 'http://b with a CA'])
    const requestsBefore = world.requests('http://a').length
    await world.clock.advance(120 * SECOND)
    expect(world.requests('http://a')).toHaveLength(requestsBefore)
  })

  test('another token makes us forget the nodes, or wait for the end of a long pause', async () => {
    world.registry.ensure(KEY, settings())
    await world.clock.advance(2 * SECOND)
    world.slurm('http://a').fault = 'bad-token'
    await world.clock.advance(10 * 60 * SECOND)
    const connection = world.registry.find(KEY)
    expect(connection?.health()).toMatchObject({ state: 'refused', lastError: { failure: 'unauthorized' } })
    world.slurm('http://a').fault = 'none'
    await world.clock.advance(SECOND) // the pause is minutes long by now
    expect(connection?.health().state).toBe('refused')
    expect(world.registry.ensure(KEY, settings({ token: { kind: 'given', token: new Secret('new') } }))).toBe(
      connection,
    )
    await world.clock.advance(SECOND)
    expect(connection?.health().state).toBe('reachable')
    expect(world.registry.reader(KEY).node('n0').kind).toBe('seen')
  })

  test('a slurmrestd that is back waits for the end of a long pause', async () => {
    const connection = world.registry.ensure(KEY, settings())
    await world.clock.advance(2 * SECOND)
    world.slurm('http://a').fault = 'reset'
    await world.clock.advance(10 * 60 * SECOND)
    expect(connection.health().state).toBe('unreachable')
    world.slurm('http://a').fault = 'none'
    connection.retryNow()
    await world.clock.advance(SECOND)
    expect(connection.health().state).toBe('reachable')
  })

  test('listeners are lost when a connection is replaced', async () => {
    const heard: string[] = []
    world.registry.subscribe((key, change) => heard.push(`${key} ${change.kind}`))
    world.registry.ensure(KEY, settings())
    await world.clock.advance(SECOND)
    heard.length = 0
    world.registry.ensure(KEY, settings({ endpoints: ['http://b'] }))
    await world.clock.advance(SECOND)
    expect(heard).toContain(`${KEY} node`)
    expect(heard).toContain(`${KEY} health`)
  })

  test('a connection without an owner polls for ever', async () => {
    world.registry.ensure(KEY, settings())
    await world.clock.advance(SECOND)
    world.registry.remove(KEY)
    const before = world.requests('http://a').length
    await world.clock.advance(300 * SECOND)
    expect(world.requests('http://a')).toHaveLength(before)
    expect(world.registry.keys()).toEqual([])
    expect(world.registry.reader(KEY).node('n0')).toMatchObject({ why: 'no-client' })
  })

  test('a listener with a bug stops the others and the polling', async () => {
    const errors: unknown[] = []
    const registry = new SlurmRegistry({
      clock: world.clock,
      random: () => 0.5,
      openTransport: () => world.slurm('http://a'),
      onListenerError: (error) => errors.push(error),
    })
    const heard: ConnectionChange[] = []
    registry.subscribe(() => {
      throw new Error('a bug')
    })
    registry.subscribe((_key, change) => heard.push(change))
    registry.ensure(KEY, settings())
    await world.clock.advance(60 * SECOND)
    expect(heard.length).toBeGreaterThan(3)
    expect(errors.length).toBe(heard.length)
    await registry.close()
  })

  test('a secret can be read from what is printed', async () => {
    const connection = world.registry.ensure(
      KEY,
      settings({ token: { kind: 'signing-key', key: new Secret('top-secret-key') } }),
    )
    await world.clock.advance(2 * SECOND)
    const printed = inspect([world.registry, connection, connection.health()], { depth: 30, showHidden: true })
    expect(printed).not.toMatch(/top-secret|eyJ/)
  })
})

describe('several slurmrestd prevent that', () => {
  const two = settings({ endpoints: ['http://a', 'http://b'] })

  test.for(['hang', 'reset', 'crash-500', 'controller-away', 'bad-token', 'cut'] as const)(
    'one that is broken (%s) makes Slurm unknown',
    async (fault) => {
      const connection = world.registry.ensure(KEY, two)
      await world.clock.advance(5 * SECOND)
      world.slurm('http://a').fault = fault
      await world.clock.advance(90 * SECOND)
      expect(connection.view.node('n0').kind).toBe('seen')
      expect(connection.health()).toMatchObject({ state: 'reachable' })
      expect(world.requests('http://b')).toContain('GET /nodes/')
    },
  )

  test('one that is healthy again is never used again', async () => {
    const connection = world.registry.ensure(KEY, two)
    world.slurm('http://a').fault = 'hang'
    await world.clock.advance(120 * SECOND)
    world.slurm('http://a').fault = 'none'
    await world.clock.advance(60 * SECOND)
    expect(connection.health().endpoints.map(({ breaker }) => breaker)).toEqual(['closed', 'closed'])
    const before = world.requests('http://b').length
    await world.clock.advance(120 * SECOND)
    expect(world.requests('http://b')).toHaveLength(before)
  })

  test('an order is given to both', async () => {
    const connection = world.registry.ensure(KEY, two)
    await world.clock.advance(2 * SECOND)
    world.slurm('http://a').fault = 'reset'
    const ordered = connection.client.updateNode('n0', { state: 'DRAIN' }).catch((error: unknown) => error)
    await world.clock.advance(2 * SECOND)
    expect(await ordered).toMatchObject({ failure: 'unavailable', neverSent: false })
    expect(world.requests('http://b').filter((line) => line.startsWith('POST'))).toEqual([])
  })

  test('one that hangs takes the other with it', async () => {
    const connection = world.registry.ensure(KEY, two)
    await world.clock.advance(2 * SECOND)
    world.slurm('http://a').fault = 'hang'
    const asked = connection.client.findNode('n0').catch((error: unknown) => error)
    await world.clock.advance(15_100)
    expect(await asked).toMatchObject({ failure: 'unavailable' })
    expect(connection.health().endpoints.map(({ breaker }) => breaker)).toEqual(['open', 'closed'])
  })

  test('one that hangs costs every call its whole deadline', async () => {
    const connection = world.registry.ensure(KEY, settings())
    await world.clock.advance(2 * SECOND)
    world.slurm('http://a').fault = 'hang'
    const outcomes: number[] = []
    for (let call = 0; call < 20; call++) {
      const beganMs = world.clock.now()
      void connection.client.findNode('n0').catch(() => outcomes.push(world.clock.now() - beganMs))
      await world.clock.advance(20 * SECOND)
    }
    expect(outcomes).toHaveLength(20)
    expect(outcomes.filter((ms) => ms > 6 * SECOND)).toHaveLength(1)
  })
})

describe('health tells', () => {
  test('versions, the active slurmctld and since when', async () => {
    const connection = world.registry.ensure(KEY, settings())
    const beganMs = world.clock.now()
    expect(connection.health()).toMatchObject({ state: 'connecting', sinceMs: beganMs, lastContactMs: undefined })
    await world.clock.advance(30 * SECOND)
    expect(connection.health()).toMatchObject({
      state: 'reachable',
      slurmVersion: '26.05.5',
      apiVersion: 'v0.0.45',
      clusterName: 'small',
      activeController: 'ctl',
    })
    expect(connection.health().sinceMs).toBeLessThan(beganMs + SECOND)
    world.slurm('http://a').fault = 'controller-away'
    await world.clock.advance(60 * SECOND)
    const { state, lastError, endpoints } = connection.health()
    expect(state).toBe('unreachable')
    expect(lastError?.message).toContain('Unable to contact slurm controller')
    expect(lastError?.message.length).toBeLessThan(200)
    expect(endpoints[0]?.nextTryMs).toBeGreaterThan(world.clock.now())
  })

  test('a change of it once, not with every answer', async () => {
    const states: string[] = []
    const connection = world.registry.ensure(KEY, settings())
    connection.subscribe((change) => change.kind === 'health' && states.push(change.health.state))
    await world.clock.advance(300 * SECOND)
    world.slurm('http://a').fault = 'hang'
    await world.clock.advance(300 * SECOND)
    world.slurm('http://a').fault = 'none'
    await world.clock.advance(100 * SECOND)
    expect(states).toEqual(['reachable', 'unreachable', 'reachable'])
  })
})

describe('the view prevents that', () => {
  test('a change in Slurm wakes nobody, or everybody all the time', async () => {
    const changes: ViewChange[] = []
    const { view } = world.registry.ensure(KEY, settings())
    view.subscribe((change) => changes.push(change))
    await world.clock.advance(100 * SECOND)
    expect(changes.filter(({ kind }) => kind === 'node')).toHaveLength(3)
    changes.length = 0
    world.slurm('http://a').startJob('n1')
    await world.clock.advance(40 * SECOND)
    expect(changes).toMatchObject([{ kind: 'node', name: 'n1', old: { allocatedCpus: 0 }, now: { allocatedCpus: 1 } }])
  })

  test('a drain that is not confirmed counts as one that is', async () => {
    const { view, client } = world.registry.ensure(KEY, settings())
    await world.clock.advance(5 * SECOND)
    world.slurm('http://a').startJob('n0') // just before, and unseen
    const drained = client.updateNode('n0', { state: 'DRAIN', reason: 'going' })
    await world.clock.advance(6) // answered, and the list that follows is not
    await drained
    expect(view.node('n0')).toMatchObject({ kind: 'unknown', last: { reason: 'going', states: ['IDLE', 'DRAIN'] } })
    await world.clock.advance(1100)
    expect(isDrained(view.node('n0'))).toBe('no')
    world.slurm('http://a').endJob('n0')
    await world.clock.advance(1100) // it drains, so we look every second
    expect(isDrained(view.node('n0'))).toBe('yes')
  })

  test('a comment makes a node unknown', async () => {
    const { view, client } = world.registry.ensure(KEY, settings())
    await world.clock.advance(5 * SECOND)
    const written = client.updateNode('n0', { comment: 'hello' })
    await world.clock.advance(6)
    await written
    expect(view.node('n0')).toMatchObject({ kind: 'seen', value: { comment: 'hello' } })
  })

  test('each write costs a read', async () => {
    const { client } = world.registry.ensure(KEY, settings())
    await world.clock.advance(60 * SECOND)
    const before = world.slurm('http://a').requests.length
    const orders = Array.from({ length: 50 }, (_, at) => client.updateNode(`n${at % 3}`, { state: 'DRAIN' }))
    await world.clock.advance(SECOND)
    await Promise.all(orders)
    await world.clock.advance(SECOND)
    expect(world.slurm('http://a').requests.length - before).toBeLessThanOrEqual(50 + 2)
  })

  test('a deleted node is still there, or never comes back', async () => {
    const { view, client } = world.registry.ensure(KEY, settings())
    await world.clock.advance(5 * SECOND)
    const deleted = client.deleteNodes(['n0', 'n1', 'n2'])
    await world.clock.advance(20)
    expect(await deleted).toMatchObject({ done: ['n0', 'n1', 'n2'] })
    expect(view.node('n0').kind).toBe('absent')
    await world.clock.advance(3 * SECOND)
    expect([view.node('n0').kind, view.nodes()]).toMatchObject(['absent', { kind: 'seen', value: [] }])
    world.slurm('http://a').nodes.set('n0', { drain: false, jobs: 0 })
    world.slurm('http://a').touch()
    view.hurry('nodes', 5 * SECOND)
    await world.clock.advance(2 * SECOND)
    expect(view.node('n0').kind).toBe('seen')
  })

  test('whoever waits for a fresh list waits for an old one, or for ever', async () => {
    const { view } = world.registry.ensure(KEY, settings())
    await world.clock.advance(10 * SECOND)
    const askedMs = world.clock.now()
    const waits = Array.from({ length: 20 }, () => view.refresh('nodes', 5 * SECOND))
    await world.clock.advance(100)
    expect(new Set(await Promise.all(waits))).toEqual(new Set([true]))
    expect(view.node('n0')).toMatchObject({ kind: 'seen', atMs: askedMs })
    world.slurm('http://a').fault = 'hang'
    const inVain = view.refresh('nodes', 5 * SECOND)
    await world.clock.advance(6 * SECOND)
    expect(await inVain).toBe(false)
  })

  test('a clock that is set back stops the polling', async () => {
    const { clock } = world
    let offsetMs = 0
    const jumping = {
      now: () => clock.now() + offsetMs,
      monotonic: clock.monotonic,
      schedule: clock.schedule,
    }
    const registry = new SlurmRegistry({
      clock: jumping,
      random: () => 0.5,
      openTransport: () => world.slurm('http://a'),
    })
    registry.ensure(KEY, settings())
    await clock.advance(40 * SECOND)
    offsetMs = -3600 * SECOND
    const before = world.slurm('http://a').requests.length
    await clock.advance(70 * SECOND)
    expect(world.slurm('http://a').requests.length - before).toBeGreaterThanOrEqual(2)
    await registry.close()
  })
})
