import { configMapResource, type Change, type ConfigMap } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { describeChanges } from '../../contract/bench.ts'
import { configMap } from '../../contract/objects.ts'
import { clientOf, makeLaboratory } from '../gen.ts'

async function makeReplica() {
  const laboratory = await makeLaboratory()
  const replica = laboratory.server.addReplica()
  const configMaps = clientOf(laboratory, replica.transport).resource(configMapResource)
  const follow = (options: object) => {
    const told: Change<ConfigMap>[] = []
    const watching = (async () => {
      for await (const change of configMaps.watch({ namespace: 'default', ...options })) told.push(change)
    })()
    watching.catch(() => {})
    return async () => {
      await laboratory.clock.settle()
      return describeChanges(told)
    }
  }
  return { ...laboratory, replica, stale: configMaps, follow }
}

describe('a server that lags behind', () => {
  test('tells nothing until it learns everything, in order', async () => {
    const { configMaps, replica, follow } = await makeReplica()
    const told = follow({ resourceVersion: '0' })
    await told()
    replica.freeze()
    await configMaps.create(configMap('default', 'a'))
    await configMaps.delete({ namespace: 'default', name: 'a' })
    expect(await told()).toEqual([])
    replica.thaw()
    expect(await told()).toEqual(['ADDED a', 'DELETED a'])
  })

  test('gives old answers to those who allow them, and new ones to those who do not', async () => {
    const { configMaps, replica, stale } = await makeReplica()
    await configMaps.create(configMap('default', 'a'))
    replica.freeze()
    await configMaps.create(configMap('default', 'b'))
    const names = async (options: object) =>
      (await stale.list({ namespace: 'default', ...options })).items.map(({ metadata }) => metadata.name)
    expect([await names({ resourceVersion: '0' }), await names({})]).toEqual([['a'], ['a', 'b']])
    const key = { namespace: 'default', name: 'b' }
    expect([await stale.find(key, { resourceVersion: '0' }), (await stale.get(key)).metadata.name]).toEqual([
      undefined,
      'b',
    ])
  })

  test('still stores what is written to it', async () => {
    const { configMaps, replica, stale } = await makeReplica()
    replica.freeze()
    await stale.create(configMap('default', 'a'))
    expect((await configMaps.get({ namespace: 'default', name: 'a' })).metadata.name).toBe('a')
  })

  test('begins old watches with old states, and new ones when it can', async () => {
    const { configMaps, replica, follow } = await makeReplica()
    await configMaps.create(configMap('default', 'a'))
    replica.freeze()
    await configMaps.create(configMap('default', 'b'))
    const [old, newest] = [follow({ resourceVersion: '0', initial: true }), follow({ initial: true })]
    expect([await old(), await newest()]).toEqual([['ADDED a', 'INITIAL END'], []])
    replica.thaw()
    expect([await old(), await newest()]).toEqual([
      ['ADDED a', 'INITIAL END', 'ADDED b'],
      ['ADDED a', 'ADDED b', 'INITIAL END'],
    ])
  })

  test('does not tell again what a watcher has learnt from another one', async () => {
    const { configMaps, replica, follow } = await makeReplica()
    replica.freeze()
    const { metadata } = await configMaps.create(configMap('default', 'a'))
    const told = follow({ resourceVersion: metadata.resourceVersion })
    await configMaps.create(configMap('default', 'b'))
    expect(await told()).toEqual([])
    replica.thaw()
    expect(await told()).toEqual(['ADDED b'])
  })

  test('remembers its old state also when the data are compacted', async () => {
    const { configMaps, server, replica, stale } = await makeReplica()
    await configMaps.create(configMap('default', 'a'))
    replica.freeze()
    await configMaps.delete({ namespace: 'default', name: 'a' })
    server.compact()
    expect((await stale.list({ namespace: 'default', resourceVersion: '0' })).items.length).toBe(1)
  })
})
