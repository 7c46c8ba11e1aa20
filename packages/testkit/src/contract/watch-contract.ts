import { describe, expect, test } from 'vitest'
import { describeChanges, failureOf, takeChanges, useBench } from './bench.ts'
import { configMap } from './objects.ts'
import type { GetServer } from './server-under-test.ts'

const NAMESPACE = 'watched'

/** Watches: what they tell, in which order, from where, and when they end. */
export function watchContract(getServer: GetServer): void {
  describe('a watch', () => {
    const bench = useBench(getServer, NAMESPACE)
    const key = (name: string) => ({ namespace: NAMESPACE, name })
    const make = (name: string, group: string) =>
      bench().configMaps.create(configMap(NAMESPACE, name, { metadata: { labels: { group } }, data: { a: '1' } }))
    const change = (name: string, body: object) => bench().configMaps.patch(key(name), { type: 'merge', body })
    const follow = (options: object, count?: number) =>
      takeChanges(bench(), bench().configMaps, { namespace: NAMESPACE, timeoutSeconds: 5, ...options }, count)

    test('tells every change after a version, in order, and nothing else', async () => {
      const first = await make('told', 'order')
      await change('told', { data: { a: '2' } })
      await make('other', 'elsewhere')
      await bench().configMaps.delete(key('told'))
      const changes = await follow({ resourceVersion: first.metadata.resourceVersion, labelSelector: 'group=order' }, 2)
      expect(describeChanges(changes)).toEqual(['MODIFIED told', 'DELETED told'])
      const versions = changes.map((one) => ('object' in one ? Number(one.object.metadata.resourceVersion) : 0))
      expect(versions).toEqual([...versions].sort((a, b) => a - b))
      expect(new Set(versions).size).toBe(2)
    })

    test('that goes on from what it saw last misses nothing and repeats nothing', async () => {
      const first = await make('resumed', 'resume')
      for (let count = 0; count < 3; count++) await change('resumed', { data: { a: `${count}` } })
      const whole = await follow({ resourceVersion: first.metadata.resourceVersion, labelSelector: 'group=resume' }, 3)
      const seen = whole[0] !== undefined && 'object' in whole[0] ? whole[0].object.metadata.resourceVersion : ''
      const rest = await follow({ resourceVersion: seen, labelSelector: 'group=resume' }, 2)
      expect(rest).toEqual(whole.slice(1))
    })

    test('takes an object that leaves its selection for deleted, in its last chosen state', async () => {
      const first = await make('leaving', 'inside')
      await change('leaving', { metadata: { labels: { group: 'outside' } } })
      await change('leaving', { metadata: { labels: { group: 'inside' } } })
      const changes = await follow(
        { resourceVersion: first.metadata.resourceVersion, labelSelector: 'group=inside' },
        2,
      )
      expect(describeChanges(changes)).toEqual(['DELETED leaving', 'ADDED leaving'])
      const left = changes[0]
      expect(left !== undefined && 'object' in left ? left.object.metadata.labels : undefined).toEqual({
        group: 'inside',
      })
      expect(left !== undefined && 'object' in left ? left.object.metadata.resourceVersion : '').not.toBe(
        first.metadata.resourceVersion,
      )
    })

    test('without a version begins with what there is', async () => {
      await make('present', 'now')
      expect(describeChanges(await follow({ labelSelector: 'group=now' }, 1))).toEqual(['ADDED present'])
      expect(describeChanges(await follow({ labelSelector: 'group=now', resourceVersion: '0' }, 1))).toEqual([
        'ADDED present',
      ])
    })

    test('with initial events says when they are over', async () => {
      await make('initial-a', 'initial')
      await make('initial-b', 'initial')
      const changes = await follow({ labelSelector: 'group=initial', initial: true }, 3)
      expect(describeChanges(changes)).toEqual(['ADDED initial-a', 'ADDED initial-b', 'INITIAL END'])
      const end = changes[2]
      expect(end?.type === 'BOOKMARK' && Number(end.resourceVersion) > 0).toBe(true)
    })

    test('ends in peace after its time, and tells nothing but bookmarks when nothing happens', async () => {
      const { metadata } = await make('ending', 'end')
      const options = { labelSelector: 'group=end', resourceVersion: metadata.resourceVersion, timeoutSeconds: 1 }
      expect(describeChanges(await follow(options)).filter((text) => text !== 'BOOKMARK')).toEqual([])
    })

    test('from a version that was forgotten is told so, in the stream', async () => {
      const { server, configMaps } = bench()
      const { metadata } = await make('old', 'forgotten')
      for (let count = 0; count < 3; count++) await change('old', { data: { a: `${count}` } })
      const page = await configMaps.list({ namespace: NAMESPACE, limit: 1 })
      await change('old', { data: { a: 'last' } })
      await server.compact()
      const changes = await follow({ resourceVersion: metadata.resourceVersion, labelSelector: 'group=forgotten' }, 1)
      expect(changes[0]).toMatchObject({ type: 'ERROR', error: { reason: 'Expired', code: 410 } })
      expect(
        await failureOf(
          configMaps.list({
            namespace: NAMESPACE,
            resourceVersion: metadata.resourceVersion,
            resourceVersionMatch: 'Exact',
          }),
        ),
      ).toMatchObject({ reason: 'Expired', code: 410 })
      const lost = await failureOf(
        configMaps.list({ namespace: NAMESPACE, limit: 1, continueToken: page.continueToken }),
      )
      expect(lost).toMatchObject({ reason: 'Expired', code: 410 })
      const rest = await configMaps.list({ namespace: NAMESPACE, continueToken: lost.continueToken })
      expect(rest.items.length).toBeGreaterThan(0)
    })

    const wrong: readonly { readonly query: string; readonly code: number }[] = [
      { query: 'sendInitialEvents=true', code: 422 },
      { query: 'sendInitialEvents=true&resourceVersionMatch=Exact', code: 422 },
      { query: 'resourceVersionMatch=NotOlderThan&resourceVersion=0', code: 422 },
      { query: 'resourceVersion=x', code: 500 },
    ]
    for (const { query, code } of wrong) {
      test(`is refused with ${query}`, async () => {
        const path = `/api/v1/namespaces/${NAMESPACE}/configmaps?watch=true&timeoutSeconds=1&${query}`
        expect((await failureOf(bench().client.raw({ method: 'GET', path }))).code).toBe(code)
      })
    }
  })
}
