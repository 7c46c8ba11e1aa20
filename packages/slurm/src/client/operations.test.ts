import { afterEach, describe, expect, test } from 'vitest'
import { recorded } from '../model/gen.ts'
import { answerOf, clientOf, daemonOf, startFakeRestd, type Answering, type FakeRestd } from './gen.ts'
import type { SlurmClient } from './slurm-client.ts'

const closers: (() => PromiseLike<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function world(
  answers: Parameters<typeof daemonOf>[1],
  release: '24.11' | '26.05' = '26.05',
): Promise<{ fake: FakeRestd; client: SlurmClient }> {
  const fake = await startFakeRestd(daemonOf(release, answers))
  const client = clientOf(fake)
  closers.push(
    () => client[Symbol.asyncDispose](),
    () => fake[Symbol.asyncDispose](),
  )
  return { fake, client }
}

/** What real slurmrestd understood, and our call that must send the same. */
const orders: readonly { fixture: string; order: (client: SlurmClient) => Promise<unknown> }[] = [
  {
    fixture: 'node-update-drain',
    order: (client) => client.updateNode('worker-1', { state: 'DRAIN', reason: 'slurm-operator: scale down' }),
  },
  { fixture: 'node-update-undrain', order: (client) => client.updateNode('worker-1', { state: 'UNDRAIN' }) },
  { fixture: 'node-update-resume', order: (client) => client.updateNode('worker-1', { state: 'RESUME' }) },
  {
    fixture: 'nodes-update-multi-drain',
    order: (client) => client.updateNodes(['worker-1', 'worker-2'], { state: 'DRAIN', reason: 'multi' }),
  },
  { fixture: 'node-delete', order: (client) => client.deleteNode('worker-3') },
  {
    fixture: 'new-node',
    order: (client) => client.createNodes('NodeName=ext-1 CPUs=4 RealMemory=1000 Feature=ext State=CLOUD'),
  },
  { fixture: 'job-cancel', order: (client) => client.cancelJob(3) },
  { fixture: 'reservation-delete', order: (client) => client.deleteReservation('op-res-3') },
  { fixture: 'reconfigure', order: (client) => client.reconfigure() },
  {
    fixture: 'job-submit',
    order: (client) =>
      client.submitJob({
        script: '#!/bin/sh\nsleep 600\n',
        name: 'fixture',
        partition: 'all',
        workingDirectory: '/tmp',
        environment: ['PATH=/bin:/usr/bin'],
        tasks: 1,
        cpusPerTask: 2,
        memoryPerNodeMib: 500,
        requiredNodes: ['worker-1'],
      }),
  },
  {
    fixture: 'reservation-create',
    order: (client) =>
      client.createReservation({
        name: 'op-maint-1',
        nodes: ['worker-1'],
        users: ['root'],
        startsAtMs: 1_794_773_874_000,
        durationInMinutes: 60,
        flags: ['MAINT', 'IGNORE_JOBS'],
      }),
  },
]

describe('orders are what real slurmrestd understood', () => {
  test.for(orders)('$fixture', async ({ fixture, order }) => {
    const { request } = recorded(fixture)
    const path = request.path.replace(/^\/slurm\/v0\.0\.\d+/, '')
    const { fake, client } = await world({ [`${request.method} ${path}`]: answerOf(fixture) })
    await order(client)
    const sent = fake.requests.at(-1)
    expect(`${sent?.method} ${sent?.path}`).toBe(`${request.method} ${request.path}`)
    expect(JSON.parse(sent?.body || '{}')).toMatchObject(request.body ?? {})
  })
})

const absences: readonly { name: string; fixture: string; find: (client: SlurmClient) => Promise<unknown> }[] = [
  { name: 'NS-413: a node', fixture: 'node-not-found', find: (client) => client.findNode('nope') },
  { name: 'a reservation', fixture: 'reservation-not-found', find: (client) => client.findReservation('nope') },
  { name: 'a partition', fixture: 'partition-not-found', find: (client) => client.findPartition('nope') },
  { name: 'a job', fixture: 'error-job-not-found', find: (client) => client.findJob(999_999) },
]

describe('operations prevent that', () => {
  test.for(absences)('$name that does not exist is an error, or a ghost without a name', async ({ fixture, find }) => {
    const { request } = recorded(fixture)
    const { client } = await world({ [`GET ${request.path.replace(/^\/slurm\/v0\.0\.\d+/, '')}`]: answerOf(fixture) })
    expect(await find(client)).toBeUndefined()
  })

  test('NS-413: a node that an answer of 200 does not list is an error', async () => {
    const { client } = await world({ 'GET /node/nope': { status: 200, body: { nodes: [], errors: [] } } })
    expect(await client.findNode('nope')).toBeUndefined()
  })

  test('NS-414, WP-55: an order for a node that is not there, answered with 404, is an error', async () => {
    const body = { errors: [{ error_number: 2018, error: 'Invalid node name specified', description: '' }] }
    const { client } = await world({ 'POST /node/nope': { status: 404, body } })
    expect(await client.updateNodes(['nope'], { state: 'DRAIN' })).toEqual({ done: [], missing: ['nope'], failed: [] })
    await expect(client.updateNode('nope', { state: 'DRAIN' })).rejects.toMatchObject({ failure: 'not-found' })
  })

  test('NS-399: an empty reason is left out, and the old one stays', async () => {
    const { fake, client } = await world({ 'POST /node/a': answerOf('node-update-undrain') })
    await client.updateNode('a', { state: 'UNDRAIN', reason: '' })
    expect(JSON.parse(fake.requests.at(-1)?.body ?? '')).toEqual({ state: ['UNDRAIN'], reason: '' })
  })

  test('a node whose name has brackets or slashes becomes another path', async () => {
    const { fake, client } = await world({ 'DELETE /node/a%2Fb%5B1%5D': answerOf('node-delete') })
    await client.deleteNode('a/b[1]')
    expect(fake.requests.at(-1)?.path).toBe('/slurm/v0.0.45/node/a%2Fb%5B1%5D')
    await expect(client.deleteNode('')).rejects.toThrow('the name is empty')
  })

  test('a cancel that did nothing counts as done', async () => {
    const { client } = await world({
      'DELETE /job/3': answerOf('job-cancel-again'),
      'DELETE /job/4': answerOf('job-cancel-not-found'),
    })
    expect(await client.cancelJob(3)).toBe('already-done')
    await expect(client.cancelJob(4)).rejects.toMatchObject({ failure: 'not-found' })
  })

  test('a submitted job acts as the wrong user', async () => {
    const { fake, client } = await world({ 'POST /job/submit': answerOf('job-submit') })
    await client.submitJob({ script: 'x', workingDirectory: '/', environment: ['A=b'], onBehalfOf: 'alice' })
    expect(fake.requests.at(-1)?.headers['x-slurm-user-name']).toBe('alice')
  })

  test('slurmdbd that is away looks like a bad answer of slurmctld', async () => {
    const { client } = await world({
      'GET /clusters/': answerOf('error-slurmdb-clusters-slurmdbd-down'),
      'GET /ping/': answerOf('ping-v0.0.45'),
    })
    await expect(client.listAccountingClusters()).rejects.toMatchObject({ failure: 'unavailable', errorNumber: 7000 })
  })

  test('what can be read is read for 26.05', async () => {
    const { client } = await world({
      'GET /diag/': answerOf('diag'),
      'GET /conf': answerOf('conf'),
      'GET /partitions/': answerOf('partitions'),
      'GET /reservations/': answerOf('reservations'),
      'GET /jobs/': answerOf('jobs'),
      'GET /jobs/state/': answerOf('jobs-state'),
      'GET /clusters/': answerOf('slurmdb-clusters'),
    })
    expect((await client.readStatistics()).jobs.submitted).toBeTypeOf('number')
    expect((await client.readConfiguration()).clusterName).toBe('lab')
    expect(await client.ping()).toMatchObject([{ hostname: 'ctl', responding: true }])
    for (const listing of [
      await client.listPartitions(),
      await client.listReservations(),
      await client.listJobs(),
      await client.listJobStates(),
    ])
      expect(listing).toMatchObject({ kind: 'listed', unreadable: [] })
    expect((await client.listAccountingClusters()).map(({ name }) => name)).toContain('lab')
  })

  test('a request that a daemon does not offer sounds like a missing record', async () => {
    const { client } = await world({}, '24.11')
    await expect(client.createReservation({ name: 'x' })).rejects.toMatchObject({ failure: 'refused', neverSent: true })
    await expect(client.deleteReservation('x')).rejects.toThrow('this slurmrestd does not offer it')
  })
})

describe('orders for many prevent that', () => {
  /** Slurm that knows these nodes; a group with a strange one is refused after the others were done. */
  function cluster(known: Set<string>): Answering {
    return ({ method, path, body }) => {
      const names = method === 'POST' ? (JSON.parse(body) as { name?: string[] }).name : undefined
      const wanted = names ?? decodeURIComponent(path.split('/').at(-1) ?? '').split(',')
      const missing = wanted.filter((name) => !known.has(name))
      if (method === 'DELETE') for (const name of wanted) known.delete(name)
      return missing.length > 0 ? answerOf('error-node-delete-not-found') : answerOf('node-delete')
    }
  }
  const daemon =
    (handler: Answering): Answering =>
    (request) =>
      request.path.includes('/ping/') ? answerOf('ping-v0.0.45') : handler(request)

  async function manyWorld(known: Set<string>): Promise<{ fake: FakeRestd; client: SlurmClient }> {
    const { fake, client } = await world({})
    fake.answering = daemon(cluster(known))
    return { fake, client }
  }

  test('a thousand nodes cost a thousand requests', async () => {
    const names = Array.from({ length: 1000 }, (_, at) => `w-${at}`)
    const { fake, client } = await manyWorld(new Set(names))
    expect((await client.updateNodes(names, { state: 'DRAIN' })).done).toHaveLength(1000)
    expect(fake.requests).toHaveLength(2) // one of them the ping
  })

  test('NS-414: one strange name hides the fate of the others', async () => {
    const { client } = await manyWorld(new Set(['a', 'b']))
    expect(await client.updateNodes(['a', 'x', 'b'], { comment: '' })).toMatchObject({
      done: ['a', 'b'],
      missing: ['x'],
      failed: [],
    })
    expect(await client.deleteNodes(['a', 'x', 'b'])).toMatchObject({ missing: ['a', 'x', 'b'], failed: [] }) // gone with the group
  })

  test('silence makes us try each of them', async () => {
    const { fake, client } = await manyWorld(new Set())
    fake.answering = daemon(() => answerOf('error-node-update-slurmctld-down'))
    const { failed } = await client.updateNodes(['a', 'b', 'c'], { state: 'DRAIN' })
    expect(failed.map(({ name, error }) => [name, error.failure])).toEqual(
      ['a', 'b', 'c'].map((name) => [name, 'unavailable']),
    )
    expect(fake.requests).toHaveLength(2)
  })

  test('names that do not fold make a path that is too long', async () => {
    const names = Array.from({ length: 2000 }, (_, at) => `node-${'abcdefghij'[at % 10]}${at}-x`)
    const { fake, client } = await manyWorld(new Set(names))
    await client.deleteNodes(names)
    expect(Math.max(...fake.requests.map(({ path }) => path.length))).toBeLessThan(8000)
  })
})
