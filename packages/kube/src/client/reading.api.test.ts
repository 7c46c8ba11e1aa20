import { describe, expect, test } from 'vitest'
import { isExpired, type KubeError } from '../errors/kube-error.ts'
import type { ConfigMap } from '../types/generated/core-v1.ts'
import { configMapResource } from '../types/generated/resources.ts'
import { startRealServer } from './real/gen.ts'
import { configMap, createMany, failureOf, newNamespace } from './gen.ts'
import type { KubeObject, Live } from './resource.ts'
import type { Change } from './watch.ts'

const { api, client } = await startRealServer()

describe('lists', () => {
  test('whole, by page and as a stream agree', async () => {
    const namespace = await newNamespace(client)
    await createMany(client, namespace, 25)
    const maps = client.resource(configMapResource)
    const whole = await maps.list({ namespace })
    expect(whole.items).toHaveLength(25)
    expect(whole.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
    const paged: string[] = []
    for await (const page of maps.pages({ namespace, limit: 10 }))
      paged.push(...page.items.map(({ metadata }) => metadata.uid))
    const streamed: string[] = []
    const never = () => expect.fail('nothing is deleted meanwhile')
    await maps.visit(
      { namespace },
      { item: ({ metadata }) => streamed.push(metadata.uid), gone: never, restart: never },
    )
    const uids = whole.items.map(({ metadata }) => metadata.uid).sort()
    expect([paged.sort(), streamed.sort()]).toEqual([uids, uids])
  })

  test('a page that is asked for after compaction does not end in a half list', async () => {
    const namespace = await newNamespace(client)
    await createMany(client, namespace, 6)
    const maps = client.resource(configMapResource)
    const pages = maps.pages({ namespace, limit: 2 })[Symbol.asyncIterator]()
    const first = await pages.next()
    await maps.create(configMap(namespace, 'late'))
    await api.compact()
    await api.restart() // it would remember the snapshot by itself for a while
    const second = await pages.next()
    expect([first.value?.items.length, second.value?.items.length, second.value?.restart]).toEqual([2, 7, true])
    expect((await pages.next()).done).toBe(true)
  })

  test('a big list does not stop everything else', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    const data = { big: 'x'.repeat(100_000) }
    for (let index = 0; index < 100; index++) await maps.create(configMap(namespace, `big-${index}`, data))
    let [longestMs, last] = [0, process.threadCpuUsage()]
    const beat = setInterval(() => {
      const { user, system } = process.threadCpuUsage(last) // a busy machine takes time from us, but no such time
      longestMs = Math.max(longestMs, (user + system) / 1000)
      last = process.threadCpuUsage()
    }, 5)
    const { items } = await maps.list({ namespace })
    clearInterval(beat)
    expect(items).toHaveLength(100)
    expect(longestMs).toBeLessThan(500) // the benchmark holds it to 100 ms
  })

  test('metadata only', async () => {
    const namespace = await newNamespace(client)
    await client.resource(configMapResource).create(configMap(namespace, 'one', { secret: 'x' }))
    const metadata = client.metadata(configMapResource)
    const { items } = await metadata.list({ namespace, labelSelector: 'of=test' })
    expect(items).toMatchObject([{ kind: 'PartialObjectMetadata', metadata: { name: 'one', labels: { of: 'test' } } }])
    expect(items[0]).not.toHaveProperty('data')
    expect((await metadata.get({ namespace, name: 'one' })).metadata.uid).toBe(items[0]?.metadata.uid)
    for await (const change of metadata.watch({ namespace, initial: true })) {
      expect(change).toMatchObject({ type: 'ADDED', object: { kind: 'PartialObjectMetadata' } })
      break
    }
  })
})

/** Everything a watch tells, until somebody has seen enough. */
async function watchUntil<T extends KubeObject>(
  changes: AsyncIterable<Change<Live<T>>>,
  isEnough: (change: Change<Live<T>>) => boolean,
): Promise<Change<Live<T>>[]> {
  const seen: Change<Live<T>>[] = []
  for await (const change of changes) {
    seen.push(change)
    if (isEnough(change)) break
  }
  return seen
}

const namesOf = (changes: readonly Change<Live<ConfigMap>>[]) =>
  changes.map((change) => ('object' in change ? `${change.type} ${change.object.metadata.name}` : change.type))

describe('watches', () => {
  test('tell everything that exists, say so, and go on', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    await maps.create(configMap(namespace, 'one'))
    const begun = Promise.withResolvers<void>()
    const watching = watchUntil(maps.watch({ namespace, initial: true, timeoutSeconds: 60 }), (change) => {
      if (change.type === 'BOOKMARK') begun.resolve()
      return change.type === 'DELETED'
    })
    await begun.promise
    await maps.create(configMap(namespace, 'two'))
    await maps.patch({ namespace, name: 'two' }, { type: 'merge', body: { data: { a: 'b' } } })
    await maps.delete({ namespace, name: 'one' })
    expect(namesOf(await watching)).toEqual(['ADDED one', 'BOOKMARK', 'ADDED two', 'MODIFIED two', 'DELETED one'])
  })

  test('end in peace when their time is over', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    const changes = await watchUntil(maps.watch({ namespace, initial: true, timeoutSeconds: 1 }), () => false)
    expect(changes.at(-1)?.type).toBe('BOOKMARK')
  })

  test('a resourceVersion that compaction took away is Expired, in or instead of the stream', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    const { resourceVersion } = await maps.list({ namespace })
    await createMany(client, namespace, 150) // more than a server that is started again still knows
    await api.compact()
    await api.restart()
    const changes = await watchUntil(maps.watch({ namespace, resourceVersion }), () => true).catch(
      (error: unknown) => error,
    )
    const error = Array.isArray(changes)
      ? (changes[0] as Change<never> & { readonly error?: KubeError }).error
      : changes
    expect(isExpired(error)).toBe(true)
  })

  test('a server that is killed ends them with an error, and calls go on when it is back', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    const begun = Promise.withResolvers<void>()
    const broken = failureOf(
      watchUntil(maps.watch({ namespace, initial: true }), (change) => {
        if (change.type === 'BOOKMARK') begun.resolve()
        return false
      }),
    )
    await begun.promise
    await api.kill()
    expect((await broken).reason).toBe('Unreachable')
    client.close() // or the write may go out on a connection whose end has not been noticed yet, and then it may have happened
    const writing = maps.create(configMap(namespace, 'meanwhile'), { timeoutMs: 60_000 }) // refused, tried again, not done twice
    await api.restart()
    await writing
    // From the beginning: a server that is started again remembers nothing, and any write meanwhile, such as of its own
    // lease, makes the version where a watch has ended too old for it.
    const again = maps.watch({ namespace, initial: true })
    const after = await watchUntil(again, (change) => change.type === 'BOOKMARK')
    expect(namesOf(after)).toEqual(['ADDED meanwhile', 'BOOKMARK'])
  })
})
