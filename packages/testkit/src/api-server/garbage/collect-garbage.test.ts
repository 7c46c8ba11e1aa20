import { namespaceResource, podResource, type ConfigMap, type Live } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { configMap, pod } from '../../contract/objects.ts'
import { widget } from '../../contract/widget.ts'
import { makeLaboratory, type Laboratory } from '../gen.ts'

const key = (name: string) => ({ namespace: 'default', name })

function ownedBy(owner: Live<ConfigMap>, name: string, more: object = {}): ConfigMap {
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, ...more }
  return configMap('default', name, { metadata: { ownerReferences: [reference] } })
}

const namesIn = async ({ configMaps }: Laboratory) =>
  (await configMaps.list({ namespace: 'default' })).items.map(({ metadata }) => metadata.name)

describe('the garbage collector', () => {
  test('takes what lost its last owner, and what that owned', async () => {
    const laboratory = await makeLaboratory()
    const { configMaps, server } = laboratory
    const owner = await configMaps.create(configMap('default', 'owner'))
    const child = await configMaps.create(ownedBy(owner, 'child'))
    await configMaps.create(ownedBy(child, 'grandchild'))
    await configMaps.create(configMap('default', 'stranger'))
    expect(server.collectGarbage()).toBe(0)
    await configMaps.delete(key('owner'))
    expect(await namesIn(laboratory)).toEqual(['child', 'grandchild', 'stranger'])
    server.collectGarbage()
    expect(await namesIn(laboratory)).toEqual(['stranger'])
  })

  test('takes another object of the same name for another owner', async () => {
    const laboratory = await makeLaboratory()
    const { configMaps, server } = laboratory
    await configMaps.create(ownedBy(await configMaps.create(configMap('default', 'owner')), 'child'))
    await configMaps.delete(key('owner'))
    await configMaps.create(configMap('default', 'owner'))
    server.collectGarbage()
    expect(await namesIn(laboratory)).toEqual(['owner'])
  })

  test('spares what has another owner, and removes the reference to the dead one', async () => {
    const { configMaps, server } = await makeLaboratory()
    const [one, two] = [
      await configMaps.create(configMap('default', 'one')),
      await configMaps.create(configMap('default', 'two')),
    ]
    const references = [
      ...(ownedBy(one, '').metadata.ownerReferences ?? []),
      ...(ownedBy(two, '').metadata.ownerReferences ?? []),
    ]
    await configMaps.create(configMap('default', 'child', { metadata: { ownerReferences: references } }))
    await configMaps.delete(key('one'))
    server.collectGarbage()
    expect((await configMaps.get(key('child'))).metadata.ownerReferences?.map(({ name }) => name)).toEqual(['two'])
  })

  test('keeps an owner in the foreground until what blocks it is gone', async () => {
    const laboratory = await makeLaboratory()
    const { configMaps, server } = laboratory
    const owner = await configMaps.create(configMap('default', 'owner'))
    const child = ownedBy(owner, 'child', { blockOwnerDeletion: true })
    await configMaps.create({ ...child, metadata: { ...child.metadata, finalizers: ['test.dev/held'] } })
    await configMaps.delete(key('owner'), { propagation: 'Foreground' })
    server.collectGarbage()
    expect(await namesIn(laboratory)).toEqual(['child', 'owner'])
    expect((await configMaps.get(key('child'))).metadata.deletionTimestamp).toBeDefined()
    const remove = [{ op: 'remove', path: '/metadata/finalizers/0' }]
    await configMaps.patch(key('child'), { type: 'json', operations: remove })
    server.collectGarbage()
    expect(await namesIn(laboratory)).toEqual([])
  })

  test('leaves orphans when asked to', async () => {
    const laboratory = await makeLaboratory()
    const { configMaps, server } = laboratory
    await configMaps.create(ownedBy(await configMaps.create(configMap('default', 'owner')), 'child'))
    await configMaps.delete(key('owner'), { propagation: 'Orphan' })
    server.collectGarbage()
    expect(await namesIn(laboratory)).toEqual(['child'])
    expect((await configMaps.get(key('child'))).metadata.ownerReferences).toBeUndefined()
  })

  test('gives pods on nodes their grace', async () => {
    const { client, configMaps, server } = await makeLaboratory()
    const owner = await configMaps.create(configMap('default', 'owner'))
    const { metadata } = ownedBy(owner, 'worker')
    await client.resource(podResource).create({ ...pod('default', 'worker', 'node-a'), metadata })
    await configMaps.delete(key('owner'))
    server.collectGarbage()
    expect((await client.resource(podResource).get(key('worker'))).metadata.deletionGracePeriodSeconds).toBe(30)
  })

  test('empties namespaces that are deleted, and lets them go', async () => {
    const { client, configMaps, widgets, server } = await makeLaboratory({ namespaces: ['leaving'] })
    await configMaps.create(configMap('leaving', 'one'))
    await widgets.create(widget('leaving', 'two', { size: 1 }))
    await client.resource(namespaceResource).delete({ name: 'leaving' })
    server.collectGarbage()
    expect(await client.resource(namespaceResource).find({ name: 'leaving' })).toBeUndefined()
    expect(await widgets.find({ namespace: 'leaving', name: 'two' })).toBeUndefined()
  })
})
