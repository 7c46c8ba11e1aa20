import { afterEach, describe, expect, test, vi } from 'vitest'
import { answerOf, countingTokens, daemonOf, startFakeRestd, type Answering, type FakeRestd } from '../client/gen.ts'
import { systemClock } from '../client/clock.ts'
import { Endpoint } from '../client/endpoint.ts'
import { httpTransport } from '../client/http-transport.ts'
import { StrangerError } from '../client/negotiate.ts'
import { SlurmError } from '../errors.ts'
import { slurmClient, type SlurmClient } from '../client/slurm-client.ts'
import { DeadlineError } from '../client/with-deadline.ts'
import { mayAskAnother, outcomeOf } from './call-outcome.ts'
import { EndpointGroup } from './endpoint-group.ts'
import type { ConnectionHealth } from './health.ts'

const closers: (() => PromiseLike<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function world(
  ...answerings: Answering[]
): Promise<{ fakes: FakeRestd[]; group: EndpointGroup; client: SlurmClient; told: ConnectionHealth[] }> {
  const fakes = await Promise.all(answerings.map((answering) => startFakeRestd(answering)))
  const tokens = countingTokens()
  const endpoints = fakes.map(
    ({ url }) => new Endpoint({ url, transport: httpTransport({ url }), tokens, clock: systemClock }),
  )
  const told: ConnectionHealth[] = []
  const onHealth = (health: ConnectionHealth): void => void told.push(health)
  const group = new EndpointGroup({ endpoints, clock: systemClock, random: Math.random, onHealth })
  closers.push(() => group.close(), ...fakes.map((fake) => () => fake[Symbol.asyncDispose]()))
  return { fakes, group, client: slurmClient(group), told }
}

describe('a group of slurmrestd prevents that', () => {
  test('a refused token looks like a slurmctld that is away to Slurm 24.11', async () => {
    const honest = daemonOf('24.11', {
      'GET /nodes/': answerOf('slurm-24.11-nodes-idle'),
      'GET /diag/': answerOf('slurm-24.11-reconfigure'),
    })
    const strict: Answering = async (request) => {
      if (request.headers['x-slurm-user-token'] === 'token-2') return honest(request)
      if (request.path.includes('/v0.0.42/ping/')) return answerOf('slurm-24.11-ping-bad-token')
      return request.path.includes('/v0.0.42/') ? answerOf('slurm-24.11-bad-signature') : honest(request)
    }
    const { client } = await world(strict)
    expect(await client.listNodes()).toMatchObject({ kind: 'listed' })
  })

  test('a slurmctld that is away costs eleven seconds at every try', async () => {
    const away = daemonOf('26.05', {
      'GET /ping/': answerOf('ping-slurmctld-down'),
      'GET /nodes/': { status: 200, manner: 'hang' },
    })
    const { fakes, group, client } = await world(away)
    await expect(client.listNodes()).rejects.toMatchObject({ failure: 'unavailable' })
    await expect(client.listNodes()).rejects.toMatchObject({ failure: 'unavailable', neverSent: true })
    expect(fakes[0]?.requests).toHaveLength(1)
    expect(group.health()).toMatchObject({
      state: 'unreachable',
      lastError: { message: expect.stringContaining('Unable to contact slurm controller') },
    })
  })

  test('a daemon that speaks no version of ours is asked again and again', async () => {
    const { fakes, group, client } = await world(() => answerOf('error-404-version'))
    await expect(client.listNodes()).rejects.toMatchObject({ failure: 'refused' })
    const before = fakes[0]?.requests.length
    await expect(client.listNodes()).rejects.toThrow('left alone for a while')
    expect(fakes[0]?.requests).toHaveLength(before ?? 0)
    expect(group.health().state).toBe('refused')
  })

  test('an upgrade to a version that we do not know looks like health', async () => {
    const known = daemonOf('26.05', { 'GET /nodes/': answerOf('nodes-idle-v0.0.45') })
    let isUpgraded = false
    const { group, client } = await world((request) => (isUpgraded ? answerOf('error-404-version') : known(request)))
    expect(await client.listNodes()).toMatchObject({ kind: 'listed' })
    isUpgraded = true
    const ask = () =>
      client.listNodes().then(
        () => 'listed',
        () => group.health().state,
      )
    await expect.poll(ask, { timeout: 5_000 }).toBe('refused')
    expect(group.health().lastError?.message).toContain('no REST version that we know')
  })

  test('a question fails although another slurmrestd could answer it', async () => {
    const good = daemonOf('26.05', { 'GET /nodes/': answerOf('nodes-idle-v0.0.45') })
    const { client, fakes } = await world(() => ({ status: 200, manner: 'reset' }), good)
    expect(await client.listNodes()).toMatchObject({ kind: 'listed' })
    expect(await client.listNodes()).toMatchObject({ kind: 'listed' })
    expect(fakes[1]?.requests.length).toBe(3)
  })

  test('slurmdbd that is away takes slurmctld with it', async () => {
    const { group, client } = await world(
      daemonOf('26.05', { 'GET /clusters/': answerOf('error-slurmdb-clusters-slurmdbd-down') }),
    )
    for (let round = 0; round < 5; round++)
      await expect(client.listAccountingClusters()).rejects.toMatchObject({ errorNumber: 7000 })
    expect(group.health()).toMatchObject({ state: 'reachable', endpoints: [{ breaker: 'closed' }] })
  })

  test('nothing is configured, and that sounds like an outage', async () => {
    const { client } = await world()
    await expect(client.ping()).rejects.toThrow('no slurmrestd is configured')
  })
})

const get = { method: 'GET', path: '/nodes/' } as const
const post = { method: 'POST', path: '/node/a' } as const
const rows: readonly {
  name: string
  error: SlurmError
  request?: typeof get | typeof post | object
  outcome: string
  another: boolean
}[] = [
  {
    name: 'a refused order proves that it works',
    error: new SlurmError('refused', '', ''),
    request: post,
    outcome: 'answered',
    another: false,
  },
  {
    name: 'a daemon of another version is of no use, but another one may be',
    error: new StrangerError('refused', '', ''),
    outcome: 'failed',
    another: true,
  },
  {
    name: 'a missing record proves that it works',
    error: new SlurmError('not-found', '', ''),
    outcome: 'answered',
    another: false,
  },
  {
    name: 'a deadline opens at once',
    error: new SlurmError('unavailable', '', '', { cause: new DeadlineError('') }),
    outcome: 'timed-out',
    another: true,
  },
  {
    name: 'an order that may have arrived is not repeated',
    error: new SlurmError('unavailable', '', ''),
    request: post,
    outcome: 'failed',
    another: false,
  },
  {
    name: 'an order that never left is',
    error: new SlurmError('unavailable', '', '', { neverSent: true }),
    request: post,
    outcome: 'failed',
    another: true,
  },
  {
    name: 'slurmctld away opens at once',
    error: new SlurmError('unavailable', '', '', { errorNumber: 1800, status: 502 }),
    outcome: 'timed-out',
    another: true,
  },
  {
    name: 'a bad token is a refusal',
    error: new SlurmError('unauthorized', '', ''),
    outcome: 'refused-token',
    another: true,
  },
  {
    name: 'a bad name of somebody else is not',
    error: new SlurmError('unauthorized', '', ''),
    request: { ...get, onBehalfOf: 'x' },
    outcome: 'answered',
    another: true,
  },
  {
    name: 'an answer that we cannot read is a failure',
    error: new SlurmError('malformed', '', ''),
    outcome: 'failed',
    another: true,
  },
]

describe('what a failed call says about slurmrestd', () => {
  test.for(rows)('$name', ({ error, request = get, outcome, another }) => {
    expect(outcomeOf(error, request as typeof get)).toBe(outcome)
    expect(mayAskAnother(error, request as typeof get)).toBe(another)
  })
})

describe('health with several slurmctld prevents that', () => {
  const pings = { both: answerOf('ping-ha-standby-v0.0.45'), backupOnly: answerOf('ping-ha-primary-down-v0.0.45') }
  const nodes = answerOf('nodes-idle-v0.0.45')
  const away = answerOf('error-nodes-slurmctld-down')

  test('a standby that answers pings is taken for the one that decides', async () => {
    const { group, client } = await world(daemonOf('26.05', { 'GET /ping/': pings.both, 'GET /nodes/': nodes }))
    await client.listNodes()
    expect(group.health()).toMatchObject({
      activeController: 'ctl',
      controllers: [
        { hostname: 'ctl', role: 'primary', responding: true },
        { hostname: 'worker-2', role: 'backup', responding: true },
      ],
    })
  })

  test('the order of the list decides who does', async () => {
    const { status, body } = pings.both as { status: number; body: { pings: unknown[] } }
    const turned = { status, body: { ...body, pings: body.pings.toReversed() }, contentType: 'application/json' }
    const { group, client } = await world(daemonOf('26.05', { 'GET /ping/': turned, 'GET /nodes/': nodes }))
    await client.listNodes()
    expect(group.health().activeController).toBe('ctl')
  })

  test('a Slurm whose primary has ended looks healthy before the backup has taken over', async () => {
    let hasTakenOver = false
    const { group, client } = await world(
      daemonOf('26.05', {
        'GET /ping/': pings.backupOnly,
        'GET /nodes/': () => (hasTakenOver ? nodes : away),
        'GET /diag/': () => (hasTakenOver ? answerOf('diag') : away),
      }),
    )
    await expect(client.listNodes()).rejects.toMatchObject({ failure: 'unavailable' })
    expect(group.health()).toMatchObject({ state: 'unreachable', activeController: undefined })
    hasTakenOver = true
    group.reset()
    await client.listNodes()
    expect(group.health()).toMatchObject({ state: 'reachable', activeController: 'worker-2' })
  })

  test('nobody hears of a standby that answers again before it has taken over', async () => {
    let ping = answerOf('ping-slurmctld-down')
    const { group, client, told } = await world(
      daemonOf('26.05', { 'GET /ping/': () => ping, 'GET /nodes/': away, 'GET /diag/': away }),
    )
    await expect(client.listNodes()).rejects.toMatchObject({ failure: 'unavailable' })
    const before = told.length
    ping = pings.backupOnly
    group.reset()
    await expect(client.listNodes()).rejects.toMatchObject({ failure: 'unavailable' })
    expect(told.slice(before).at(-1)).toMatchObject({
      state: 'unreachable',
      controllers: [{ responding: false }, { responding: true, pingedAtMs: expect.any(Number) }],
    })
  })

  test('a primary that ends is still said to decide, or one that returns is never', async () => {
    let ping = pings.both
    const { group, client } = await world(
      daemonOf('26.05', { 'GET /ping/': () => ping, 'GET /nodes/': nodes, 'GET /diag/': answerOf('diag') }),
    )
    await client.listNodes()
    ping = pings.backupOnly
    await client.ping()
    expect(group.health().activeController).toBeUndefined() // a ping does not prove that the standby decides
    await client.listNodes()
    expect(group.health().activeController).toBe('worker-2')
    ping = pings.both
    await client.ping()
    expect(group.health().activeController).toBe('ctl')
    await client.listNodes()
    expect(group.health().activeController).toBe('ctl')
  })

  test('a take-over that breaks nothing is never noticed', async () => {
    let nowMs = 0
    const clock = { ...systemClock, now: () => nowMs }
    let ping = pings.backupOnly
    const fake = await startFakeRestd(
      daemonOf('26.05', { 'GET /ping/': () => ping, 'GET /nodes/': nodes, 'GET /diag/': answerOf('diag') }),
    )
    const { url } = fake
    const endpoint = new Endpoint({ url, transport: httpTransport({ url }), tokens: countingTokens(), clock })
    const told: (string | undefined)[] = []
    const onHealth = ({ activeController }: ConnectionHealth): void => void told.push(activeController)
    const group = new EndpointGroup({ endpoints: [endpoint], clock, random: Math.random, onHealth })
    closers.push(
      () => group.close(),
      () => fake[Symbol.asyncDispose](),
    )
    await slurmClient(group).listNodes()
    expect(told.at(-1)).toBe('worker-2')
    ping = pings.both
    nowMs += 31_000
    await slurmClient(group).listNodes()
    await vi.waitFor(() => expect(told.at(-1)).toBe('ctl'))
  })
})
