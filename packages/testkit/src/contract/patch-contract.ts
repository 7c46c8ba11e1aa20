import { deploymentResource, type Deployment } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { failureOf, useBench } from './bench.ts'
import { configMap } from './objects.ts'
import type { GetServer } from './server-under-test.ts'
import { widget } from './widget.ts'

const NAMESPACE = 'patches'

/** The three patches that are not apply. */
export function patchContract(getServer: GetServer): void {
  describe('a patch', () => {
    const bench = useBench(getServer, NAMESPACE)
    const key = (name: string) => ({ namespace: NAMESPACE, name })

    test('of merge form sets, and removes by null', async () => {
      const { configMaps } = bench()
      await configMaps.create(configMap(NAMESPACE, 'merged', { data: { a: '1', b: '2' } }))
      const patched = await configMaps.patch(key('merged'), { type: 'merge', body: { data: { a: null, c: '3' } } })
      expect(patched.data).toEqual({ b: '2', c: '3' })
    })

    test('of JSON form does its operations in order, and nothing if a test fails', async () => {
      const { configMaps } = bench()
      await configMaps.create(configMap(NAMESPACE, 'operated', { data: { a: '1' } }))
      const add = { op: 'add', path: '/data/b', value: '2' }
      const fine = [{ op: 'test', path: '/data/a', value: '1' }, add]
      expect((await configMaps.patch(key('operated'), { type: 'json', operations: fine })).data).toEqual({
        a: '1',
        b: '2',
      })
      const wrong = [
        { op: 'test', path: '/data/a', value: '9' },
        { ...add, path: '/data/c' },
      ]
      expect(await failureOf(configMaps.patch(key('operated'), { type: 'json', operations: wrong }))).toMatchObject({
        code: 422,
        reason: 'Invalid',
      })
      expect((await configMaps.get(key('operated'))).data).toEqual({ a: '1', b: '2' })
    })

    for (const operation of [
      { op: 'remove', path: '/data/none' },
      { op: 'burn', path: '/data' },
    ]) {
      test(`that cannot be done is refused: ${operation.op}`, async () => {
        const { configMaps } = bench()
        await configMaps.create(configMap(NAMESPACE, `not-${operation.op}`, { data: {} }))
        expect(
          (await failureOf(configMaps.patch(key(`not-${operation.op}`), { type: 'json', operations: [operation] })))
            .code,
        ).toBe(422)
      })
    }

    test('of strategic form merges lists by their key', async () => {
      const deployments = bench().client.resource(deploymentResource)
      await deployments.create(deployment('strategic'))
      const body = {
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'side', image: 'side:1' },
                { name: 'main', image: 'main:2' },
              ],
            },
          },
        },
      }
      const { spec } = await deployments.patch(key('strategic'), { type: 'strategic', body })
      expect(spec?.template.spec?.containers.map(({ name, image }) => `${name} ${image ?? ''}`).sort()).toEqual([
        'main main:2',
        'side side:1',
      ])
    })

    test('of strategic form is not for custom kinds', async () => {
      const { widgets } = bench()
      await widgets.create(widget(NAMESPACE, 'plain', { size: 1 }))
      expect(
        (await failureOf(widgets.patch(key('plain'), { type: 'strategic', body: { spec: { size: 2 } } }))).code,
      ).toBe(415)
    })

    test('with an old resourceVersion loses, with another uid is refused', async () => {
      const { configMaps } = bench()
      await configMaps.create(configMap(NAMESPACE, 'guarded'))
      const patch = (metadata: object) =>
        failureOf(configMaps.patch(key('guarded'), { type: 'merge', body: { metadata } }))
      expect(await patch({ resourceVersion: '1' })).toMatchObject({ reason: 'Conflict' })
      expect(await patch({ uid: 'other' })).toMatchObject({ reason: 'Invalid' })
    })

    test('that changes nothing makes no new version', async () => {
      const { configMaps } = bench()
      const before = await configMaps.create(configMap(NAMESPACE, 'same', { data: { a: '1' } }))
      const after = await configMaps.patch(
        key('same'),
        { type: 'merge', body: { data: { a: '1' } } },
        { fieldManager: 'somebody-else' },
      )
      expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion)
    })

    test('of something absent is refused', async () => {
      expect((await failureOf(bench().configMaps.patch(key('nobody'), { type: 'merge', body: {} }))).reason).toBe(
        'NotFound',
      )
    })
  })
}

function deployment(name: string): Deployment {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: NAMESPACE, name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'main:1' }] } },
    },
  }
}
