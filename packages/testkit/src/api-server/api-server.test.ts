import {
  configMapResource,
  createClientOn,
  createNodeTransport,
  customResourceDefinitionResource,
  isNotFound,
  tokenReviewResource,
} from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { createRandomSource } from '../random/random-source.ts'
import { describeChanges, failureOf } from '../contract/bench.ts'
import { configMap } from '../contract/objects.ts'
import { widget } from '../contract/widget.ts'
import { createApiServer } from './api-server.ts'
import { makeLaboratory } from './gen.ts'
import { limits } from './limits.ts'
import { openHttpDoor } from './transport/http-door.ts'

describe('a simulated server prevents that', () => {
  test('two runs from one seed differ', async () => {
    const run = async (seed: number) => {
      const { configMaps, server } = await makeLaboratory({ random: createRandomSource(seed) })
      await configMaps.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'default', generateName: 'made-' },
      })
      return JSON.stringify([(await configMaps.list()).items, server.version()])
    }
    expect(await run(5)).toBe(await run(5))
    expect(await run(5)).not.toBe(await run(6))
  })

  test('the past is never forgotten', async () => {
    const { configMaps, clock } = await makeLaboratory()
    const { metadata } = await configMaps.create(configMap('default', 'one'))
    await configMaps.delete({ namespace: 'default', name: 'one' })
    await clock.advance(6 * 60_000)
    const changes: string[] = []
    for await (const change of configMaps.watch({ resourceVersion: metadata.resourceVersion }))
      changes.push(...describeChanges([change]))
    expect(changes).toEqual(['ERROR 410'])
  })

  test('a silent watch looks dead, or lives for ever', async () => {
    const { configMaps, clock } = await makeLaboratory()
    const changes: string[] = []
    const watching = (async () => {
      for await (const change of configMaps.watch({ idleMs: 61_000 })) changes.push(change.type)
    })()
    await clock.advance(5 * 60_000)
    expect(changes).toEqual(Array.from({ length: 5 }, () => 'BOOKMARK'))
    await clock.drive(watching, 3_600_000)
    expect(clock.monotonic()).toBeGreaterThan(1_800_000)
  })

  test('a watch that nobody reads any more goes on', async () => {
    const { configMaps, clock } = await makeLaboratory()
    const stop = new AbortController()
    const watching = (async () => {
      for await (const _ of configMaps.watch({ signal: stop.signal }));
    })()
    watching.catch(() => {})
    await clock.settle()
    stop.abort()
    await clock.settle()
    expect(clock.nextInMs()).toBeUndefined()
  })

  test('a CRD goes before its objects, or leaves them behind', async () => {
    const { client, widgets, server } = await makeLaboratory()
    const definitions = client.resource(customResourceDefinitionResource)
    const key = { namespace: 'default', name: 'held' }
    await widgets.create({
      ...widget('default', 'held', { size: 1 }),
      metadata: { ...key, finalizers: ['test.dev/held'] },
    })
    await widgets.create(widget('default', 'free', { size: 1 }))
    await definitions.delete({ name: 'widgets.contract.test' })
    expect((await widgets.list()).items.map(({ metadata }) => metadata.name)).toEqual(['held'])
    await widgets.patch(key, { type: 'merge', body: { metadata: { finalizers: null } } })
    expect(await definitions.find({ name: 'widgets.contract.test' })).toBeUndefined()
    expect(isNotFound(await failureOf(widgets.list()))).toBe(true)
    expect(server.collectGarbage()).toBe(0)
  })

  test('a review is stored, or not answered', async () => {
    const userOf = (token: string) => (token === 'good' ? { username: 'somebody' } : undefined)
    const { client } = await makeLaboratory({ reviews: { userOf } })
    const ask = (token: string) =>
      client
        .resource(tokenReviewResource)
        .create({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token } })
    expect((await ask('good')).status).toEqual({ authenticated: true, user: { username: 'somebody' } })
    expect((await ask('bad')).status).toMatchObject({ authenticated: false })
  })

  test('somebody believes that it can do everything', () => {
    expect(limits.length).toBeGreaterThan(10)
    for (const { what, because } of limits) expect([what.length > 5, because.length > 20]).toEqual([true, true])
  })
})

test('other programs reach it over HTTP, watches included', async () => {
  const server = await createApiServer()
  await using door = await openHttpDoor(server.transport)
  const transport = createNodeTransport({
    server: door.url,
    namespace: 'default',
    skipTlsVerify: false,
    login: { kind: 'none' },
  })
  const client = createClientOn(transport)
  const configMaps = client.resource(configMapResource)
  await configMaps.create(configMap('default', 'one'))
  const told: string[] = []
  for await (const change of configMaps.watch({ namespace: 'default' })) {
    told.push(...describeChanges([change]))
    if (told.length === 1) await configMaps.delete({ namespace: 'default', name: 'one' })
    if (told.length === 2) break
  }
  expect(told).toEqual(['ADDED one', 'DELETED one'])
  transport.close()
})
