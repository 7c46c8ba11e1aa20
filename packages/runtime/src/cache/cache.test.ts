import { systemClock, type Change, type Reader } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { Cache } from './cache.ts'
import { thing, words, type Thing } from './gen.ts'
import type { CacheChange } from './cached.ts'

/** A server that answers one list and then nothing, until told. */
function quietServer(...things: readonly Thing[]) {
  const changes = Promise.withResolvers<Change<Thing>[]>()
  const reader: Pick<Reader<Thing>, 'list' | 'visit' | 'watch'> = {
    list: async () => ({ items: things, resourceVersion: '100' }),
    async visit({ namespace }, visitor) {
      things
        .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
        .forEach((object) => visitor.item(object))
      return { resourceVersion: '100' }
    },
    async *watch({ signal } = {}) {
      yield* await changes.promise
      await new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
      )
    },
  }
  return { reader, send: (...sent: Change<Thing>[]) => changes.resolve(sent) }
}

async function startCache(
  server: ReturnType<typeof quietServer>,
  options: Partial<ConstructorParameters<typeof Cache<Thing, Thing>>[0]> = {},
) {
  const cache = new Cache<Thing, Thing>({
    name: 'things',
    reader: server.reader,
    keep: (raw) => raw,
    clock: systemClock,
    random: () => 0,
    ...options,
  })
  const told: CacheChange<Thing>[] = []
  cache.listen((change) => told.push(change))
  const stop = new AbortController()
  const ended = cache.run({ stop: stop.signal, abort: stop.signal, ready: () => {} })
  await cache.synced()
  return { cache, told, end: () => (stop.abort(), ended) }
}

describe('a cache', () => {
  test('it is ready before everything that existed was told', async () => {
    const { cache, told, end } = await startCache(quietServer(thing('one', 1), thing('two', 2)))
    expect(words(told)).toEqual(['+one@1', '+two@2'])
    expect(told.every((change) => change.kind === 'added' && change.isInitial)).toBe(true)
    expect(cache.hasSynced).toBe(true)
    await end()
  })

  test('a listener that throws keeps the others from hearing', async () => {
    const failures: unknown[] = []
    const cache = new Cache<Thing, Thing>({
      name: 'things',
      reader: quietServer().reader,
      keep: (raw) => raw,
      clock: systemClock,
      random: () => 0,
      observer: { listenerFailed: (error) => failures.push(error) },
    })
    const heard: string[] = []
    cache.listen(() => {
      throw new Error('a bug')
    })
    cache.listen(({ object }) => void heard.push(object.metadata.name))
    cache.wrote(thing('one', 1))
    expect([heard, failures.length]).toEqual([['one'], 1])
  })

  test('one object that cannot be read hides all others, or counts as deleted', async () => {
    const server = quietServer(thing('good', 1), thing('bad', 2, { value: 'readable' }))
    const broken: string[] = []
    const keep = (raw: Thing) => {
      if (raw.value === 'unreadable') throw new TypeError('image is a number')
      return raw
    }
    const { cache, told, end } = await startCache(server, { keep, observer: { unreadable: (key) => broken.push(key) } })
    server.send(
      { type: 'MODIFIED', object: thing('bad', 101, { value: 'unreadable' }) },
      { type: 'ADDED', object: thing('later', 102) },
    )
    await expect.poll(() => cache.size).toBe(3)
    expect(broken).toEqual(['a/bad'])
    expect(words(told)).toEqual(['+good@1', '+bad@2', '+later@102'])
    await end()
  })

  test('a namespace that nobody asked for is watched', async () => {
    const { cache, end } = await startCache(
      quietServer(thing('one', 1), thing('two', 2, { namespace: 'b' }), thing('three', 3, { namespace: 'c' })),
      { namespaces: ['a', 'b'] },
    )
    expect(cache.list().map(({ metadata }) => metadata.name)).toEqual(['one', 'two'])
    await end()
  })

  test('what the server forgot is never listed again', async () => {
    const things = [thing('one', 1)]
    const server = quietServer(...things)
    const { cache, told, end } = await startCache(server)
    server.send()
    cache.wrote(thing('ghost', 50)) // written, and gone before the list below
    cache.listAgain()
    await expect.poll(() => words(told)).toEqual(['+one@1', '+ghost@50', '-ghost@50'])
    await end()
  })
})
