import type { KubeObject } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { ensureChildren } from '../apply/ensure-children.ts'
import { acted, kinds, useFamily, words } from './children.ts'
import type { GetServer } from './gen.ts'
import { template, workload } from './workload.ts'

const { maps, secrets, services, sets, deployments, things } = kinds

/** The engine that makes, mends and removes children. */
export function applyContract(getServer: GetServer): void {
  const family = useFamily(getServer)
  const config = (data: object) => family().object(maps, 'config', { data })
  const rolling = (replicas: number) => workload({ replicas, strategy: { type: 'RollingUpdate' } })
  const allKinds = () => [
    config({ a: '1', b: '2' }),
    family().object(secrets, 'keys', { stringData: { key: 's3cret' } }),
    family().object(services, 'front', { spec: { selector: { app: 'x' }, ports: [{ port: 80, targetPort: 'http' }] } }),
    family().object(sets, 'set', workload({ serviceName: 'front', replicas: 0 })),
    family().object(deployments, 'web', rolling(1)),
    family().object(things, 'thing', {
      spec: { keyed: [{ name: 'a' }], set: ['x'], atomic: [{ note: '' }], on: false },
    }),
  ]
  const allBut = (one: KubeObject) => allKinds().map((each) => (each.kind === one.kind ? one : each))
  const change = (name: string, body: object) => family().of(maps).patch(family().key(name), { type: 'merge', body })
  const settle = async () => {
    await family().ensure(...allKinds())
    await family().ensure(...allKinds())
  }

  describe('the apply engine', () => {
    test('makes everything, and then does nothing at all', async () => {
      const made = await family().ensure(...allKinds())
      expect(made.map(({ kind }) => kind)).toEqual(['done', 'done', 'done', 'done', 'done', 'done'])
      // A keyed element whose key the CRD defaults is learned, not known: one apply more, and then never again.
      expect(acted(await family().ensure(...allKinds()))).toEqual(['done apply thing'])
      expect(acted(await family().ensure(...allKinds()))).toEqual([])
    })

    test('sends exactly the one object in which a field differs', async () => {
      await settle()
      const changed = family().object(deployments, 'web', rolling(2))
      expect(acted(await family().ensure(...allBut(changed)))).toEqual(['done apply web'])
      expect(await family().read(deployments, 'web')).toMatchObject({ spec: { replicas: 2 } })
    })

    test('puts back what somebody changed, and lets alone what somebody added', async () => {
      await settle()
      await change('config', { data: { theirs: 'x' }, metadata: { labels: { theirs: 'x' } } })
      expect(acted(await family().ensure(...allKinds()))).toEqual([])
      await change('config', { data: { a: 'spoiled', b: null } })
      expect(acted(await family().ensure(...allKinds()))).toEqual(['done apply config'])
      expect(await family().read(maps, 'config')).toMatchObject({ data: { a: '1', b: '2', theirs: 'x' } })
    })

    test('takes away what it set before and no longer wants', async () => {
      await settle()
      expect(acted(await family().ensure(...allBut(config({ a: '1' }))))).toEqual(['done apply config'])
      expect((await family().read(maps, 'config')) as object).toMatchObject({ data: { a: '1' } })
      expect(await family().read(maps, 'config')).not.toHaveProperty('data.b')
    })

    test('makes again what somebody deleted', async () => {
      await settle()
      await family().of(maps).delete(family().key('config'))
      expect(acted(await family().ensure(...allKinds()))).toEqual(['done create config'])
    })

    test('deletes children that are no longer wanted, and nothing else', async () => {
      await family().ensure(...allKinds())
      await family().of(maps).create(family().object(maps, 'users-own'))
      const rest = allKinds().filter(({ kind }) => kind !== 'ConfigMap' && kind !== 'Service')
      const deleted = acted(await family().ensure(...rest)).filter((word) => word.includes('delete'))
      expect(deleted).toEqual(['done delete config', 'done delete front'])
      const { items } = await family().of(maps).list({ namespace: family().namespace })
      expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(['owner', 'users-own'])
    })

    test('does not delete what somebody just set free', async () => {
      await family().ensure(config({}))
      const stale = await family().optionsNow()
      await change('config', { metadata: { ownerReferences: null } })
      expect(words(await ensureChildren([], stale))).toEqual(['failed delete config'])
      expect((await family().read(maps, 'config')).metadata.deletionTimestamp).toBeUndefined()
    })

    test('takes over once what another program made for the same owner', async () => {
      const { name, uid } = family().owner.metadata
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name, uid, controller: true, blockOwnerDeletion: true }
      const theirs = config({ a: '1' })
      const metadata = { ...theirs.metadata, ownerReferences: [reference] }
      await family()
        .of(maps)
        .create({ ...theirs, metadata })
      expect(acted(await family().ensure(theirs))).toEqual(['done apply config'])
      expect(acted(await family().ensure(theirs))).toEqual([])
    })

    test('lets no default that no longer fits stand in the way', async () => {
      await family().ensure(...allKinds())
      const recreate = family().object(deployments, 'web', workload({ replicas: 1, strategy: { type: 'Recreate' } }))
      await family().ensure(...allBut(recreate))
      expect(await family().read(deployments, 'web')).toMatchObject({ spec: { strategy: { type: 'Recreate' } } })
      expect(acted(await family().ensure(...allBut(recreate)))).toEqual([])
    })

    test('sends a value that the server replaces by its own once, not in each pass', async () => {
      const livenessProbe = { httpGet: { port: 80, path: '' }, periodSeconds: 0 }
      const spec = { containers: [{ name: 'main', image: 'i', livenessProbe }] }
      const wanted = family().object(deployments, 'web', workload({ template: { ...template, spec } }))
      await family().ensure(wanted)
      expect(acted(await family().ensure(wanted))).toEqual(['done apply web'])
      expect(acted(await family().ensure(wanted))).toEqual([])
    })
  })
}
