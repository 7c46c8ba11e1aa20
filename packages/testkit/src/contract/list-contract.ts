import { podResource, type ListOptions } from '@slurm-operator/kube'
import { beforeAll, describe, expect, test } from 'vitest'
import { failureOf, useBench } from './bench.ts'
import { configMap, pod } from './objects.ts'
import type { GetServer } from './server-under-test.ts'

const NAMESPACE = 'lists'

/** Lists, their pages, their versions, and what selects. */
export function listContract(getServer: GetServer): void {
  describe('a list', () => {
    const bench = useBench(getServer, NAMESPACE)
    const names = async (options: ListOptions) =>
      (await bench().configMaps.list({ namespace: NAMESPACE, ...options })).items.map(({ metadata }) => metadata.name)

    beforeAll(async () => {
      for (const index of [3, 1, 4, 0, 2]) {
        const labels = { index: String(index), parity: index % 2 === 0 ? 'even' : 'odd', ...(index > 2 && { big: '' }) }
        await bench().configMaps.create(configMap(NAMESPACE, `m${index}`, { metadata: { labels } }))
      }
    })

    test('is in the order of names', async () => expect(await names({})).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']))

    test('says what its items are only for custom kinds', async () => {
      const { text } = await bench().client.raw({ method: 'GET', path: `/api/v1/namespaces/${NAMESPACE}/configmaps` })
      const { kind, items } = JSON.parse(text) as { kind: string; items: { kind?: string }[] }
      expect([kind, items[0]?.kind]).toEqual(['ConfigMapList', undefined])
    })

    test('without managedFields is the same list but for them, also as a stream', async () => {
      const { configMaps } = bench()
      const { items } = await configMaps.list({ namespace: NAMESPACE })
      expect(items[0]?.metadata.managedFields).toHaveLength(1)
      const bare = items.map((item) => ({ ...item, metadata: { ...item.metadata, managedFields: [] } }))
      const options = { namespace: NAMESPACE, skipManagedFields: true }
      expect((await configMaps.list(options)).items).toEqual(bare)
      const visited: unknown[] = []
      await configMaps.visit(options, { item: (item) => visited.push(item), gone: () => {}, restart: () => {} })
      expect(visited).toEqual(bare)
    })

    test('in pages is the state of its first page', async () => {
      const { configMaps } = bench()
      const first = await configMaps.list({ namespace: NAMESPACE, limit: 2 })
      await configMaps.create(configMap(NAMESPACE, 'm5'))
      const rest = await configMaps.list({ namespace: NAMESPACE, limit: 10, continueToken: first.continueToken })
      await configMaps.delete({ namespace: NAMESPACE, name: 'm5' })
      expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(['m2', 'm3', 'm4'])
      expect(rest.resourceVersion).toBe(first.resourceVersion)
    })

    test('of an exact version is the state of that time', async () => {
      const { configMaps } = bench()
      const { resourceVersion } = await configMaps.list({ namespace: NAMESPACE })
      await configMaps.create(configMap(NAMESPACE, 'm6'))
      expect(await names({ resourceVersion, resourceVersionMatch: 'Exact' })).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
      expect(await names({ resourceVersion, resourceVersionMatch: 'NotOlderThan' })).toContain('m6')
      await configMaps.delete({ namespace: NAMESPACE, name: 'm6' })
    })

    test('of the future is refused for now', async () => {
      const options = { namespace: NAMESPACE, resourceVersion: '999999999', timeoutMs: 15_000 }
      const error = await failureOf(bench().server.wait(bench().configMaps.list(options)))
      expect(error).toMatchObject({ reason: 'Timeout', code: 504, causes: [{ reason: 'ResourceVersionTooLarge' }] })
    })

    const wrong: readonly { readonly query: string; readonly code: number }[] = [
      { query: 'resourceVersionMatch=Exact', code: 422 },
      { query: 'resourceVersion=5&resourceVersionMatch=Foo', code: 422 },
      { query: 'resourceVersion=0&resourceVersionMatch=Exact', code: 422 },
      { query: 'resourceVersion=abc', code: 400 },
      { query: 'continue=abc', code: 400 },
      { query: 'sendInitialEvents=true', code: 422 },
      { query: 'labelSelector=a%3D%3D%3Db', code: 400 },
      { query: 'fieldSelector=data.a%3Db', code: 400 },
    ]
    for (const { query, code } of wrong) {
      test(`is refused with ${query}`, async () => {
        const path = `/api/v1/namespaces/${NAMESPACE}/configmaps?${query}`
        expect((await failureOf(bench().client.raw({ method: 'GET', path }))).code).toBe(code)
      })
    }

    const selectors: readonly { readonly selector: string; readonly found: readonly string[] }[] = [
      { selector: 'parity=even', found: ['m0', 'm2', 'm4'] },
      { selector: 'parity!=even', found: ['m1', 'm3'] },
      { selector: 'index in (1, 4)', found: ['m1', 'm4'] },
      { selector: 'index notin (1,4),parity', found: ['m0', 'm2', 'm3'] },
      { selector: 'big', found: ['m3', 'm4'] },
      { selector: '!big', found: ['m0', 'm1', 'm2'] },
      { selector: 'index>1,index<4', found: ['m2', 'm3'] },
    ]
    for (const { selector, found } of selectors) {
      test(`by labels ${selector}`, async () => expect(await names({ labelSelector: selector })).toEqual(found))
    }

    test('by name', async () => expect(await names({ fieldSelector: 'metadata.name=m2' })).toEqual(['m2']))

    test('of pods is by node and phase', async () => {
      const pods = bench().client.resource(podResource)
      await pods.create(pod(NAMESPACE, 'here', 'node-a'))
      await pods.create(pod(NAMESPACE, 'there', 'node-b'))
      const found = async (fieldSelector: string) =>
        (await pods.list({ namespace: NAMESPACE, fieldSelector })).items.map(({ metadata }) => metadata.name)
      expect(await found('spec.nodeName=node-a')).toEqual(['here'])
      expect(await found('spec.nodeName!=node-a,status.phase=Pending')).toEqual(['there'])
      expect(await found('status.phase=Running')).toEqual([])
    })

    test('of metadata has nothing but metadata', async () => {
      const { client } = bench()
      const { items } = await client
        .metadata(podResource)
        .list({ namespace: NAMESPACE, fieldSelector: 'metadata.name=here' })
      expect(items.map((item) => Object.keys(item).sort())).toEqual([['apiVersion', 'kind', 'metadata']])
      expect(items[0]?.metadata.labels).toEqual({ app: 'here' })
    })
  })
}
