import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { SlurmError } from '../errors.ts'
import { recorded } from '../model/gen.ts'
import { givenTokenSource } from '../tokens/given-token-source.ts'
import { Secret } from '../tokens/secret.ts'
import type { TokenSource } from '../tokens/token-source.ts'
import { systemClock } from './clock.ts'
import { Endpoint } from './endpoint.ts'
import {
  answerOf,
  clientOf,
  countingTokens,
  daemonOf,
  pingOf,
  startFakeRestd,
  type Answering,
  type FakeAnswer,
  type FakeRestd,
} from './gen.ts'
import { httpTransport } from './http-transport.ts'
import { slurmClient } from './slurm-client.ts'

const closers: (() => PromiseLike<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function world(
  answering: Answering,
  tokens?: TokenSource,
): Promise<{ fake: FakeRestd; client: ReturnType<typeof clientOf> }> {
  const fake = await startFakeRestd(answering)
  const client = clientOf(fake, tokens)
  closers.push(
    () => client[Symbol.asyncDispose](),
    () => fake[Symbol.asyncDispose](),
  )
  return { fake, client }
}

const idle: FakeAnswer = answerOf('nodes-idle-v0.0.45')
const nodes2605 = daemonOf('26.05', { 'GET /nodes/': idle })
const paths = (fake: FakeRestd): string[] => fake.requests.map(({ method, path }) => `${method} ${path}`)
const failureOf = (work: Promise<unknown>): Promise<SlurmError> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => (error instanceof SlurmError ? error : Promise.reject(error as Error)),
  )

describe('negotiation prevents that', () => {
  test('a newer version is left unused', async () => {
    const { fake, client } = await world(nodes2605)
    await client.listNodes()
    await client.listNodes()
    expect(paths(fake)).toEqual(['GET /slurm/v0.0.45/ping/', 'GET /slurm/v0.0.45/nodes/', 'GET /slurm/v0.0.45/nodes/'])
    expect(client.endpoint.daemon).toMatchObject({ version: 'v0.0.45', release: '26.05.5', clusterName: 'lab' })
  })

  test('Slurm 24.11 is not understood', async () => {
    const { client } = await world(daemonOf('24.11', { 'GET /nodes/': answerOf('slurm-24.11-nodes-idle') }))
    const listing = await client.listNodes()
    expect(listing).toMatchObject({ kind: 'listed', unreadable: [] })
    expect(client.endpoint.daemon).toMatchObject({ version: 'v0.0.42', release: '24.11.5' })
  })

  test('an upgrade of slurmrestd needs a restart of ours', async () => {
    const { fake, client } = await world(daemonOf('24.11', { 'GET /nodes/': answerOf('slurm-24.11-nodes-idle') }))
    await client.listNodes()
    fake.answering = daemonOf('26.05', { 'GET /nodes/': idle }) // v0.0.42 still works, the release is another
    await client.listNodes()
    await client.listNodes()
    expect(client.endpoint.daemon?.version).toBe('v0.0.45')
  })

  test('a downgrade of slurmrestd needs a restart of ours', async () => {
    const { fake, client } = await world(nodes2605)
    await client.listNodes()
    fake.answering = daemonOf('24.11', { 'GET /nodes/': answerOf('slurm-24.11-nodes-idle') })
    expect(await client.listNodes()).toMatchObject({ kind: 'listed' })
    expect(client.endpoint.daemon?.version).toBe('v0.0.42')
  })

  test.for([
    { serves: 'v0.0.46', says: /newer than all we know.*Upgrade the operator/ },
    { serves: 'v0.0.40', says: /older than all we know.*Upgrade Slurm/ },
    { serves: 'nothing', says: /no REST version that we know, or is not slurmrestd.*Check the URL/ },
  ])('a daemon that serves $serves fails without a reason', async ({ serves, says }) => {
    const { client } = await world(({ path }) =>
      path.includes(`/${serves}/`) ? pingOf('26.05', 'v0.0.45') : answerOf('error-404-version'),
    )
    const error = await failureOf(client.listNodes())
    expect(error.failure).toBe('refused')
    expect(error.message).toMatch(says)
  })

  test('many callers negotiate at the same time', async () => {
    const { fake, client } = await world(nodes2605)
    await Promise.all(Array.from({ length: 20 }, () => client.listNodes()))
    expect(paths(fake).filter((path) => path.includes('ping'))).toHaveLength(1)
  })

  test('an order that an old daemon ignores counts as done', async () => {
    const { fake, client } = await world(daemonOf('24.11'))
    const error = await failureOf(client.updateNode('a', { topology: 'x:y' }))
    expect(error.message).toMatch(/slurmrestd 24\.11\.5 serves v0\.0\.42 and this needs v0\.0\.43/)
    expect(paths(fake).some((path) => path.startsWith('POST'))).toBe(false)
  })
})

describe('tokens prevent that', () => {
  const refuse =
    (answer: FakeAnswer, goodToken: string): Answering =>
    async (request) =>
      request.headers['x-slurm-user-token'] === goodToken ? nodes2605(request) : answer

  test.for(['error-401-no-token', 'error-511-expired', 'error-511-bad-signature', 'ping-bad-token'])(
    'a token that is not accepted any more (%s) ends in an error',
    async (answer) => {
      const tokens = countingTokens()
      const { client } = await world(refuse(answerOf(answer), 'token-2'), tokens)
      expect(await client.listNodes()).toMatchObject({ kind: 'listed' })
      expect(tokens.refused).toBe(1)
    },
  )

  test('a wrong signing key makes us ask without end', async () => {
    const { fake, client } = await world(refuse(answerOf('error-511-bad-signature'), 'none'))
    const error = await failureOf(client.listNodes())
    expect(error).toMatchObject({ failure: 'unauthorized', errorNumber: 1007, status: 511 })
    expect(fake.requests).toHaveLength(2)
  })

  test('a given token that was refused is sent again at once', async () => {
    const tokens = givenTokenSource({ read: () => new Secret('the-only-one'), clock: systemClock })
    const { fake, client } = await world(refuse(answerOf('error-511-expired'), 'none'), tokens)
    await failureOf(client.listNodes())
    expect(fake.requests).toHaveLength(1)
  })

  test('a token can be read from what is printed or thrown', async () => {
    const tokens = givenTokenSource({ read: () => new Secret('very-secret-token'), clock: systemClock })
    const { client } = await world(() => ({ status: 200, manner: 'reset' }), tokens)
    const error = await failureOf(client.updateNode('a', { state: 'DRAIN' }))
    const printed = [
      inspect(error, { depth: 20, showHidden: true }),
      inspect(client, { depth: 20, showHidden: true }),
      JSON.stringify(error),
    ]
    expect(printed.join()).not.toContain('very-secret')
    expect(printed.join()).not.toContain(Buffer.from('very-secret').toString('hex').slice(0, 12))
  })
})

describe('a deadline prevents that', () => {
  async function impatient(answering: Answering): Promise<Endpoint> {
    const fake = await startFakeRestd(answering)
    const endpoint = new Endpoint({
      url: fake.url,
      transport: httpTransport({ url: fake.url }),
      tokens: countingTokens(),
      clock: systemClock,
    })
    closers.push(
      () => endpoint.close(),
      () => fake[Symbol.asyncDispose](),
    )
    return endpoint
  }

  test.for(['hang', 'half'] as const)('slurmrestd that goes silent (%s) holds us for ever', async (how) => {
    const silent: FakeAnswer = how === 'hang' ? { ...idle, manner: 'hang' } : { ...idle, manner: 'cut' }
    const endpoint = await impatient(daemonOf('26.05', { 'GET /nodes/': silent }))
    const error = await failureOf(endpoint.call({ method: 'GET', path: '/nodes/', timeoutMs: 100 }))
    expect(error.failure).toBe('unavailable')
    expect(error.message).toMatch(/^Cannot GET \/nodes\/: /)
  })

  test('slurmrestd that hangs in the negotiation holds us for ever', async () => {
    const endpoint = await impatient(() => ({ status: 200, manner: 'hang' }))
    const error = await failureOf(endpoint.call({ method: 'GET', path: '/nodes/', timeoutMs: 100 }))
    expect(error.message).toBe('Cannot GET /nodes/: no answer within 0.1 s (unavailable)')
  })

  test('an absurdly large answer eats our memory', async () => {
    const fake = await startFakeRestd(daemonOf('26.05', { 'GET /nodes/': idle }))
    const limits = { listBytes: 1000, otherBytes: 2000 }
    const endpoint = new Endpoint({
      url: fake.url,
      transport: httpTransport({ url: fake.url }),
      tokens: countingTokens(),
      clock: systemClock,
      limits,
    })
    closers.push(
      () => endpoint.close(),
      () => fake[Symbol.asyncDispose](),
    )
    const error = await failureOf(slurmClient(endpoint).listNodes())
    expect(error).toMatchObject({ failure: 'malformed' })
    expect(error.message).toContain('larger than 1000 bytes')
  })
})

describe('reading lists prevents that', () => {
  test('an answer without a list counts as an empty list', async () => {
    const { client } = await world(daemonOf('26.05', { 'GET /nodes/': answerOf('node-delete') }))
    expect(await failureOf(client.listNodes())).toMatchObject({ failure: 'malformed' })
  })

  test.for([
    ['nothing', ''],
    ['text', 'hello'],
    ['half of it', '{"nodes":[{"name":"a"'],
    ['another type', '{"nodes":5}'],
  ])('an answer of 200 with %s counts as an empty list', async ([, body]) => {
    const { client } = await world(
      daemonOf('26.05', { 'GET /nodes/': { status: 200, body, contentType: 'application/json' } }),
    )
    expect(await failureOf(client.listNodes())).toMatchObject({ failure: 'malformed' })
  })

  test('a record that we do not understand costs the whole list', async () => {
    const body = recorded('nodes-idle-v0.0.45').response.body as { nodes: Record<string, unknown>[] }
    const answer = { status: 200, body: { ...body, nodes: [...body.nodes, { name: 'odd', state: 5 }, 'nonsense'] } }
    const { client } = await world(daemonOf('26.05', { 'GET /nodes/': answer }))
    const listing = await client.listNodes()
    if (listing.kind !== 'listed') throw new Error('it is not listed')
    expect(listing.records).toHaveLength(body.nodes.length)
    expect(listing.unreadable.map(({ name, index }) => [name, index])).toEqual([
      ['odd', body.nodes.length],
      [undefined, body.nodes.length + 1],
    ])
  })

  test.for([
    { list: 'nodes', answer: 'nodes-304-unchanged' },
    { list: 'jobs', answer: 'jobs-unchanged' },
  ])('an unchanged list of $list counts as an empty one', async ({ list, answer }) => {
    const { fake, client } = await world(daemonOf('26.05', { [`GET /${list}/`]: answerOf(answer) }))
    const listing = list === 'nodes' ? client.listNodes({ changedSince: 17 }) : client.listJobs({ changedSince: 17 })
    expect(await listing).toEqual({ kind: 'unchanged' })
    expect(paths(fake).at(-1)).toBe(`GET /slurm/v0.0.45/${list}/?update_time=17`)
  })

  test('a list without jobs counts as unchanged', async () => {
    const body = { jobs: [], last_update: { set: true, infinite: false, number: 17 }, errors: [], warnings: [] }
    const { client } = await world(daemonOf('26.05', { 'GET /jobs/': { status: 200, body } }))
    expect(await client.listJobs({ changedSince: 16 })).toMatchObject({ kind: 'listed', records: [] })
  })
})
