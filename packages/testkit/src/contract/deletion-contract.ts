import { isNotFound, namespaceResource, podDisruptionBudgetResource, podResource } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { describeChanges, failureOf, takeChanges, useBench } from './bench.ts'
import { configMap, pod } from './objects.ts'
import type { GetServer } from './server-under-test.ts'

const NAMESPACE = 'deleted'

/** How objects go: at once, when others agree, or after a while. */
export function deletionContract(getServer: GetServer): void {
  describe('a deletion', () => {
    const bench = useBench(getServer, NAMESPACE)
    const key = (name: string) => ({ namespace: NAMESPACE, name })
    const make = (name: string, finalizers: readonly string[] = []) =>
      bench().configMaps.create(configMap(NAMESPACE, name, { metadata: { finalizers } }))

    test('of something that nobody holds is at once', async () => {
      const { metadata } = await make('free')
      expect(await bench().configMaps.delete(key('free'))).toEqual({ kind: 'deleted', uid: metadata.uid })
      expect(isNotFound(await failureOf(bench().configMaps.delete(key('free'))))).toBe(true)
    })

    test('waits for finalizers, and ends when the last is taken away', async () => {
      const { configMaps } = bench()
      await make('held', ['test.dev/one', 'test.dev/two'])
      const deletion = await configMaps.delete(key('held'))
      expect(deletion).toMatchObject({ kind: 'accepted', object: { metadata: { deletionGracePeriodSeconds: 0 } } })
      const again = await configMaps.delete(key('held'))
      expect(again).toEqual(deletion)
      await configMaps.patch(key('held'), { type: 'merge', body: { metadata: { finalizers: ['test.dev/two'] } } })
      const last = await configMaps.patch(key('held'), { type: 'merge', body: { metadata: { finalizers: null } } })
      expect(last.metadata).toMatchObject({ uid: expect.any(String) as string, deletionGracePeriodSeconds: 0 })
      expect(last.metadata.finalizers ?? []).toEqual([])
      expect(await configMaps.find(key('held'))).toBeUndefined()
    })

    test('can get no new finalizers', async () => {
      const { configMaps } = bench()
      await make('closing', ['test.dev/one'])
      await configMaps.delete(key('closing'))
      const add = configMaps.patch(key('closing'), {
        type: 'merge',
        body: { metadata: { finalizers: ['test.dev/one', 'test.dev/new'] } },
      })
      expect((await failureOf(add)).message).toContain(
        'no new finalizers can be added if the object is being deleted, found new finalizers []string{"test.dev/new"}',
      )
    })

    test('cannot be taken back', async () => {
      const { configMaps } = bench()
      await make('final', ['test.dev/one'])
      await configMaps.delete(key('final'))
      const object = await configMaps.get(key('final'))
      const { deletionTimestamp: _, ...metadata } = object.metadata
      expect((await configMaps.update({ ...object, metadata })).metadata.deletionTimestamp).toBe(
        object.metadata.deletionTimestamp,
      )
    })

    test('is of the very object that was meant', async () => {
      const { configMaps } = bench()
      const { metadata } = await make('meant')
      const wrongUid = await failureOf(configMaps.delete(key('meant'), { preconditions: { uid: 'other' } }))
      expect(wrongUid.message).toContain('the UID in the precondition (other) does not match the UID in record')
      const wrongVersion = await failureOf(configMaps.delete(key('meant'), { preconditions: { resourceVersion: '1' } }))
      expect(wrongVersion).toMatchObject({ reason: 'Conflict', code: 409 })
      await configMaps.delete(key('meant'), {
        preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
      })
      expect(await configMaps.find(key('meant'))).toBeUndefined()
    })

    for (const [propagation, finalizer] of [
      ['Foreground', 'foregroundDeletion'],
      ['Orphan', 'orphan'],
    ] as const) {
      test(`with propagation ${propagation} leaves a finalizer for the garbage collector`, async () => {
        const { configMaps } = bench()
        await make(propagation.toLowerCase())
        const deletion = await configMaps.delete(key(propagation.toLowerCase()), { propagation })
        expect(deletion).toMatchObject({ kind: 'accepted', object: { metadata: { finalizers: [finalizer] } } })
        expect(await configMaps.delete(key(propagation.toLowerCase()), { propagation: 'Background' })).toMatchObject({
          kind: 'deleted',
        })
      })
    }

    test('in a dry run is none', async () => {
      await make('dry')
      await bench().configMaps.delete(key('dry'), { dryRun: true })
      expect(await bench().configMaps.find(key('dry'))).toBeDefined()
    })

    test('of many is of those that were selected', async () => {
      const { configMaps } = bench()
      await configMaps.create(configMap(NAMESPACE, 'many-a', { metadata: { labels: { many: 'yes' } } }))
      await configMaps.create(configMap(NAMESPACE, 'many-b', { metadata: { labels: { many: 'no' } } }))
      await configMaps.deleteMany({ namespace: NAMESPACE, labelSelector: 'many=yes' })
      expect(await configMaps.find(key('many-a'))).toBeUndefined()
      expect(await configMaps.find(key('many-b'))).toBeDefined()
    })

    test('of a namespace closes it for new objects', async () => {
      const { client, configMaps } = bench()
      const namespaces = client.resource(namespaceResource)
      await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'closing' } })
      expect(await namespaces.delete({ name: 'closing' })).toMatchObject({
        object: { status: { phase: 'Terminating' } },
      })
      const error = await failureOf(configMaps.create(configMap('closing', 'late')))
      expect(error).toMatchObject({ reason: 'Forbidden', causes: [{ reason: 'NamespaceTerminating' }] })
    })
  })

  describe('a pod goes', () => {
    const bench = useBench(getServer, NAMESPACE)
    const key = (name: string) => ({ namespace: NAMESPACE, name })
    const pods = () => bench().client.resource(podResource)

    test('after its grace period when it is on a node, sooner when asked, at once when forced', async () => {
      await pods().create(pod(NAMESPACE, 'graceful', 'node-a'))
      const grace = async (gracePeriodSeconds?: number) => {
        const deletion = await pods().delete(
          key('graceful'),
          gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds },
        )
        return deletion.kind === 'accepted' ? deletion.object.metadata.deletionGracePeriodSeconds : deletion.kind
      }
      expect([await grace(), await grace(60), await grace(5)]).toEqual([30, 30, 5])
      await grace(0)
      expect(await pods().find(key('graceful'))).toBeUndefined()
    })

    test('at once when it is on no node, and is seen with its mark before', async () => {
      const { metadata } = await pods().create(pod(NAMESPACE, 'floating'))
      await pods().delete(key('floating'))
      const changes = await takeChanges(
        bench(),
        pods(),
        { namespace: NAMESPACE, resourceVersion: metadata.resourceVersion, fieldSelector: 'metadata.name=floating' },
        2,
      )
      expect(describeChanges(changes)).toEqual(['MODIFIED floating', 'DELETED floating'])
    })

    test('by eviction only as far as a budget allows', async () => {
      const budgets = bench().client.resource(podDisruptionBudgetResource)
      const budget = {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: key('budget'),
        spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'guarded' } } },
      } as const
      await budgets.create(budget)
      await pods().create(pod(NAMESPACE, 'guarded', 'node-a'))
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
      await pods().status.patch(key('guarded'), { type: 'strategic', body: { status } })
      const evict = () =>
        pods().eviction.create(
          key('guarded'),
          { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key('guarded') },
          { timeoutMs: 1_000 },
        )
      const refused = { code: 429, reason: 'TooManyRequests' }
      expect(await failureOf(evict())).toMatchObject({ ...refused, retryAfterSeconds: 10 })
      const count = (disruptionsAllowed: number) => {
        const status = {
          observedGeneration: 1,
          disruptionsAllowed,
          currentHealthy: 2,
          desiredHealthy: 1,
          expectedPods: 2,
        }
        return budgets.status.patch(key('budget'), { type: 'merge', body: { status } })
      }
      await count(0)
      expect(await failureOf(evict())).toMatchObject(refused)
      await count(1)
      await evict()
      expect((await pods().get(key('guarded'))).metadata.deletionTimestamp).toBeDefined()
      expect((await budgets.get(key('budget'))).status).toMatchObject({ disruptionsAllowed: 0 })
    })
  })
}
