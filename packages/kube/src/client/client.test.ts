import { describe, expect, test } from 'vitest'
import { KubeError } from '../errors/kube-error.ts'
import { collect, createManualClock } from '../transport/gen.ts'
import { namespaceResource, podResource, statefulSetResource } from '../types/generated/resources.ts'
import { createClientOn } from './client.ts'
import { createScriptedTransport, failure, podItem, podList, type Scripted } from './gen.ts'
import type { Change } from './watch.ts'

function setup(...answers: readonly Scripted[]) {
  const transport = createScriptedTransport(...answers)
  const client = createClientOn(transport, { retry: { maxTries: 1 } })
  return { transport, client, pods: client.resource(podResource) }
}

const key = { namespace: 'a', name: 'p' }

describe('a request goes to the right place', () => {
  test('one object', async () => {
    const { transport, pods } = setup({ body: podItem('p') })
    await pods.get(key)
    expect(transport.asked[0]).toMatchObject({
      method: 'GET',
      path: '/api/v1/namespaces/a/pods/p',
      purpose: 'get pods a/p',
    })
  })
  test('an object outside of namespaces, and one in a group', async () => {
    const { transport, client } = setup({ body: podItem('n') }, { body: podItem('s') })
    await client.resource(namespaceResource).get({ name: 'n' })
    await client.resource(statefulSetResource).status.get({ namespace: 'a', name: 's' })
    expect(transport.asked.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/n',
      '/apis/apps/v1/namespaces/a/statefulsets/s/status',
    ])
    expect(transport.asked[1]?.purpose).toBe('get statefulsets.apps/status a/s')
  })
  test('selectors and names are written so that nothing in them is taken for something else', async () => {
    const { transport, pods } = setup({ body: podList([]) }, { body: podItem('x') })
    await pods.list({ namespace: 'a', labelSelector: 'a in (b,c),d!=e&f', fieldSelector: '' })
    await pods.get({ namespace: 'a', name: 'x/../y?z' })
    expect(transport.asked[0]?.path).toBe('/api/v1/namespaces/a/pods?labelSelector=a+in+%28b%2Cc%29%2Cd%21%3De%26f')
    expect(transport.asked[1]?.path).toBe('/api/v1/namespaces/a/pods/x%2F..%2Fy%3Fz')
  })
})

describe('an accident that is stopped before anything is sent', () => {
  const accidents = [
    ['an empty name deletes all pods', { namespace: 'a', name: '' }],
    ['a name of dots deletes something else', { namespace: 'a', name: '..' }],
    ['a missing namespace deletes in another one', { name: 'p' }],
    ['an empty namespace', { namespace: '', name: 'p' }],
  ] as const
  for (const [name, key] of accidents) {
    test(name, async () => {
      const { transport, pods } = setup()
      await expect(pods.delete(key)).rejects.toMatchObject({ reason: 'BadRequest' })
      expect(transport.asked).toEqual([])
    })
  }
})

describe('writes', () => {
  test('each kind of patch says what it is', async () => {
    const { transport, pods } = setup(...[1, 2, 3, 4].map(() => ({ body: podItem('p') })))
    await pods.patch(key, { type: 'json', operations: [{ op: 'remove', path: '/a' }] })
    await pods.patch(key, { type: 'merge', body: { a: null } })
    await pods.patch(key, { type: 'strategic', body: {} }, { dryRun: true, fieldValidation: 'Strict' })
    await pods.apply({ apiVersion: 'v1', kind: 'Pod', metadata: key }, { fieldManager: 'me', force: true })
    expect(transport.asked.map(({ headers }) => headers['content-type'])).toEqual([
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
    ])
    expect(transport.asked[0]?.body).toBe('[{"op":"remove","path":"/a"}]')
    expect(transport.asked[2]?.path).toContain('?dryRun=All&fieldValidation=Strict')
    expect(transport.asked[3]).toMatchObject({
      path: '/api/v1/namespaces/a/pods/p?fieldManager=me&force=true',
      purpose: 'apply pods a/p',
    })
  })
  test('a delete carries its conditions, and both kinds of answers are told apart', async () => {
    const { transport, pods } = setup(
      { body: { kind: 'Status', status: 'Success', details: { uid: 'u' } } },
      { body: { kind: 'Pod', ...podItem('p') } },
    )
    expect(
      await pods.delete(key, { preconditions: { uid: 'u' }, propagation: 'Foreground', gracePeriodSeconds: 0 }),
    ).toEqual({ kind: 'deleted', uid: 'u' })
    expect(JSON.parse(transport.asked[0]?.body ?? '')).toEqual({
      ...{ apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 },
      ...{ propagationPolicy: 'Foreground', preconditions: { uid: 'u' } },
    })
    expect(await pods.delete(key)).toMatchObject({ kind: 'accepted', object: { metadata: { name: 'p' } } })
  })
  test('numbers with more digits than a double go out as they came in', async () => {
    const { transport, pods } = setup(
      { pieces: ['{"metadata":{"name":"p","namespace":"a"},"x":9007199254740993}'] },
      { body: {} },
    )
    await pods.update(await pods.get(key))
    expect(transport.asked[1]?.body).toContain('"x":9007199254740993')
  })
})

describe('lists', () => {
  test('items know what they are, although the server does not say', async () => {
    const { pods } = setup({ body: podList(['p', 'q']) })
    const { items, resourceVersion } = await pods.list()
    expect(items.map(({ kind, apiVersion, metadata }) => [kind, apiVersion, metadata.name])).toEqual([
      ['Pod', 'v1', 'p'],
      ['Pod', 'v1', 'q'],
    ])
    expect(resourceVersion).toBe('7')
  })
  test('pages follow the token and do not repeat the resourceVersion, which servers refuse', async () => {
    const { transport, pods } = setup(
      { body: podList(['p'], { resourceVersion: '7', continue: 'more', remainingItemCount: 1 }) },
      { body: podList(['q']) },
    )
    const pages = await collect(pods.pages({ limit: 1, resourceVersion: '5' }))
    expect(pages.map(({ items, restart }) => [items[0]?.metadata.name, restart])).toEqual([
      ['p', false],
      ['q', false],
    ])
    expect(transport.asked.map(({ path }) => path)).toEqual([
      '/api/v1/pods?limit=1&resourceVersion=5',
      '/api/v1/pods?limit=1&continue=more',
    ])
  })
  test('a snapshot that expires between two pages is replaced by a whole list, and says so', async () => {
    const { transport, pods } = setup(
      { body: podList(['p'], { resourceVersion: '7', continue: 'more' }) },
      failure(410, 'Expired'),
      {
        body: podList(['p', 'q'], { resourceVersion: '9' }),
      },
    )
    const pages = await collect(pods.pages({ limit: 1 }))
    expect(pages.map(({ items, restart, resourceVersion }) => [items.length, restart, resourceVersion])).toEqual([
      [1, false, '7'],
      [2, true, '9'],
    ])
    expect(transport.asked[2]?.path).toBe('/api/v1/pods')
  })
  test('a first page that expires is an error and no endless loop', async () => {
    const { pods } = setup(failure(410, 'Expired'))
    await expect(collect(pods.pages())).rejects.toMatchObject({ reason: 'Expired' })
  })
  test('a list that is cut off is malformed, not short', async () => {
    const { pods } = setup({ pieces: ['{"metadata":{},"items":[{"metadata":{}}'] })
    await expect(pods.list()).rejects.toMatchObject({ reason: 'Malformed' })
  })
})

const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`
const initialEnd = {
  kind: 'Pod',
  metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } },
}

describe('watches', () => {
  test('all kinds of changes, cut anywhere', async () => {
    const text = [
      event('ADDED', podItem('p')),
      event('BOOKMARK', { metadata: { resourceVersion: '8' } }),
      event('BOOKMARK', initialEnd),
    ].join('')
    const { transport, pods } = setup({ pieces: [text.slice(0, 25), text.slice(25, 26), text.slice(26)] })
    const changes: Change<unknown>[] = await collect(pods.watch({ namespace: 'a', initial: true, timeoutSeconds: 60 }))
    expect(changes).toMatchObject([
      { type: 'ADDED', object: { kind: 'Pod' } },
      { type: 'BOOKMARK', resourceVersion: '8', isInitialEnd: false },
      { type: 'BOOKMARK', resourceVersion: '9', isInitialEnd: true },
    ])
    const { path, use } = transport.asked[0] ?? {}
    expect(use).toBe('watch')
    expect(path).toBe(
      '/api/v1/namespaces/a/pods?resourceVersionMatch=NotOlderThan&watch=true&allowWatchBookmarks=true&timeoutSeconds=60&sendInitialEvents=true',
    )
  })
  test('410 in the stream is a change that ends it; 410 instead of a stream is thrown', async () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }
    const { pods } = setup({ pieces: [event('ERROR', status), event('ADDED', podItem('p'))] }, failure(410, 'Expired'))
    const changes = await collect(pods.watch())
    expect(changes).toHaveLength(1)
    expect(changes[0]).toMatchObject({ type: 'ERROR', error: { reason: 'Expired', request: 'watch pods' } })
    await expect(collect(pods.watch())).rejects.toMatchObject({ reason: 'Expired' })
  })
  test('half a line and unknown words are malformed', async () => {
    for (const piece of ['{"type":"ADDED","obj', event('RENAMED', {}), '{"type":"ADDED"}\n']) {
      const { pods } = setup({ pieces: [event('ADDED', podItem('p')), piece] })
      await expect(collect(pods.watch())).rejects.toMatchObject({ reason: 'Malformed' })
    }
  })
})

describe('a visit', () => {
  const visitor = () => {
    const names: string[] = []
    return {
      names,
      item: ({ metadata }: { readonly metadata: { readonly name: string } }) => void names.push(metadata.name),
      gone: ({ metadata }: { readonly metadata: { readonly name: string } }) =>
        void names.splice(names.indexOf(metadata.name), 1),
      restart: () => void names.splice(0),
    }
  }
  test('streams, also when objects vanish meanwhile', async () => {
    const pieces = [
      event('ADDED', podItem('p')),
      event('ADDED', podItem('q')),
      event('DELETED', podItem('p')),
      event('BOOKMARK', initialEnd),
    ]
    const [{ pods }, seen] = [setup({ pieces }), visitor()]
    expect(await pods.visit({}, seen)).toEqual({ resourceVersion: '9' })
    expect(seen.names).toEqual(['q'])
  })
  test('goes page by page where the server has no streaming lists', async () => {
    const [{ pods }, seen] = [setup(failure(422, 'Invalid'), { body: podList(['p', 'q']) }), visitor()]
    expect(await pods.visit({}, seen)).toEqual({ resourceVersion: '7' })
    expect(seen.names).toEqual(['p', 'q'])
  })
  test('begins again when the stream ends before its end', async () => {
    const [{ pods }, seen] = [setup({ pieces: [event('ADDED', podItem('old'))] }, { body: podList(['p']) }), visitor()]
    await pods.visit({}, seen)
    expect(seen.names).toEqual(['p'])
  })
})

describe('metadata only', () => {
  test('is asked for with a fallback, and the rest is left out whoever sent it', async () => {
    const { transport, client } = setup({ body: { ...podItem('p'), spec: { secret: true } } }, { body: podList(['p']) })
    const reader = client.metadata(podResource)
    expect(await reader.get(key)).toEqual({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      ...podItem('p'),
    })
    expect((await reader.list()).items[0]?.kind).toBe('PartialObjectMetadata')
    expect(transport.asked.map(({ headers }) => headers['accept'])).toEqual([
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    ])
  })
})

describe('around every request', () => {
  test('absence is an answer for find and an error for get', async () => {
    const { pods } = setup(failure(404, 'NotFound'), failure(404, 'NotFound'), failure(403, 'Forbidden'))
    expect(await pods.find(key)).toBeUndefined()
    await expect(pods.get(key)).rejects.toThrow('Cannot get pods a/p: told so (NotFound)')
    await expect(pods.find(key)).rejects.toMatchObject({ reason: 'Forbidden' })
  })
  test('an answer that is not JSON is malformed and not quoted', async () => {
    const { pods } = setup({ pieces: ['sesame'] })
    const error = await pods.get(key).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ reason: 'Malformed' })
    expect(String(error)).not.toContain('sesame')
  })
  test('observers hear of every try, warnings come once, and busy servers are asked again', async () => {
    const clock = createManualClock()
    const told: (number | undefined)[] = []
    const warnings: string[] = []
    const unreachable = new KubeError({ reason: 'Unreachable', request: 'x', detail: '' })
    const headers = { warning: '299 - "old"' }
    const busy = { ...failure(429, 'TooManyRequests'), headers: { 'retry-after': '1', ...headers } }
    const transport = createScriptedTransport(unreachable, busy, { body: podItem('p'), headers })
    const client = createClientOn(transport, {
      clock,
      random: () => 0,
      onRequest: ({ code, host }) => told.push(host === 'scripted' ? code : 0),
      onWarning: (warning) => warnings.push(warning),
    })
    const answer = client
      .resource(podResource)
      .create({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'a', generateName: 'p-' } })
    await clock.advance(5_000)
    expect((await answer).metadata.name).toBe('p')
    expect([told, warnings]).toEqual([[undefined, 429, 200], ['old']])
    expect(transport.asked.map(({ path }) => path)).toEqual(Array(3).fill('/api/v1/namespaces/a/pods'))
  })
})
