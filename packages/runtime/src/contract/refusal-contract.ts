import { describe, expect, test } from 'vitest'
import { buildRecreateStep, carryOutChildren } from '../apply/carry-out.ts'
import { ensureChildren } from '../apply/ensure-children.ts'
import { kinds, useFamily, words } from './children.ts'
import type { GetServer } from './gen.ts'
import { workload } from './workload.ts'

const { maps, services, sets, deployments, things } = kinds

/** What the apply engine does not touch, and what the server does not let it do. */
export function refusalContract(getServer: GetServer): void {
  const family = useFamily(getServer)
  const config = (a: string) => family().object(maps, 'config', { data: { a } })
  const expectData = async (a: string) => expect(await family().read(maps, 'config')).toMatchObject({ data: { a } })

  describe('what is not ours', () => {
    test('is refused and stays as it is', async () => {
      await family().of(maps).create(config('theirs'))
      const [result] = await family().ensure(config('ours'))
      expect(result).toMatchObject({ kind: 'refused', step: { refusal: { reason: 'NotOurs', owner: undefined } } })
      await expectData('theirs')
    })

    test('is refused although the cache does not know it yet', async () => {
      const stale = await family().optionsNow()
      await family().of(maps).create(config('theirs'))
      expect(words(await ensureChildren([config('ours')], stale))).toEqual(['refused refuse config'])
      await expectData('theirs')
    })

    test('is not changed when it took the name of what we compared', async () => {
      await family().ensure(config('1'))
      const stale = await family().optionsNow()
      await family().of(maps).delete(family().key('config'))
      await family().of(maps).create(config('theirs'))
      expect(words(await ensureChildren([config('2')], stale))).toEqual(['failed apply config'])
      await expectData('theirs')
    })

    test('is not deleted when it took the name of what we no longer want', async () => {
      await family().ensure(config('1'))
      const stale = await family().optionsNow()
      await family().of(maps).delete(family().key('config'))
      await family().of(maps).create(config('theirs'))
      expect(words(await ensureChildren([], stale))).toEqual(['failed delete config'])
      await expectData('theirs')
    })

    test('is not made again in the place of what we compared', async () => {
      await family().ensure(config('1'))
      const stale = await family().optionsNow()
      await family().of(maps).delete(family().key('config'))
      const [result] = await ensureChildren([config('2')], stale)
      expect(result).toMatchObject({ kind: 'failed', error: { reason: 'Conflict' } })
    })

    test('and what is in another namespace is refused', async () => {
      const elsewhere = { ...config('1'), metadata: { namespace: 'default', name: 'config' } }
      const [result] = await family().ensure(elsewhere)
      expect(result).toMatchObject({ kind: 'refused', step: { refusal: { reason: 'OtherNamespace' } } })
    })
  })

  test('what is wanted twice is made once, and the second wish is refused', async () => {
    const results = await family().ensure(config('1'), config('2'))
    expect(words(results)).toEqual(['done create config', 'refused refuse config'])
    expect(results[1]).toMatchObject({ step: { refusal: { reason: 'WantedTwice' } } })
    await expectData('1')
  })

  describe('what the server refuses', () => {
    const named = (resource: (typeof kinds)[keyof typeof kinds], content: object) =>
      family().object(resource, 'a', content)
    const refusals = [
      {
        name: 'StatefulSet',
        before: () => named(sets, workload({ serviceName: 'x' })),
        after: () => named(sets, workload({ serviceName: 'y', replicas: 3 })),
        fields: ['spec.serviceName'],
      },
      {
        name: 'Service',
        before: () => named(services, { spec: { ports: [{ port: 80 }] } }),
        after: () => named(services, { spec: { clusterIP: 'None', ports: [{ port: 80 }] } }),
        fields: ['spec.clusterIPs[0]'],
      },
      {
        name: 'ConfigMap',
        before: () => named(maps, { immutable: true, data: { a: '1' } }),
        after: () => named(maps, { immutable: true, data: { a: '2' } }),
        fields: ['data.a'],
      },
      {
        name: 'Thing',
        before: () => named(things, { spec: { fixed: 'x' } }),
        after: () => named(things, { spec: { fixed: 'y' } }),
        fields: ['spec.fixed'],
        needs: 'rules in CEL (x-kubernetes-validations), ValidatingAdmissionPolicy and matchConditions',
      },
    ]
    for (const { name, before, after, fields, needs } of refusals) {
      test(`of a ${name} is told with the names of the fields`, async ({ skip }) => {
        const why = needs && getServer().whyNot(needs)
        skip(why !== undefined, why)
        await family().ensure(before())
        const [result] = await family().ensure(after())
        expect(result).toMatchObject({ kind: 'immutable', fields })
      })
    }

    test('is made anew on request', async () => {
      await family().ensure(named(sets, workload({ serviceName: 'x' })))
      const wanted = named(sets, workload({ serviceName: 'y' }))
      const [result] = await family().ensure(wanted)
      if (result?.kind !== 'immutable') throw new Error('it must be immutable')
      const steps = [buildRecreateStep(result, 'Background')]
      expect(await carryOutChildren(steps, await family().optionsNow())).toMatchObject([{ kind: 'done' }])
      expect(words(await family().ensure(wanted))).toEqual(['done create a'])
    })

    test('because a custom object does not fit its schema waits for a person', async () => {
      const results = await family().ensure(named(things, { spec: { size: 'large' } }))
      expect(results).toMatchObject([{ kind: 'invalid', fields: ['spec.size'] }])
    })

    test('because a built-in object does not fit its schema waits for a person', async ({ skip }) => {
      const why = getServer().whyNot('types and unknown fields of built-in kinds')
      skip(why !== undefined, why)
      const results = await family().ensure(
        family().object(deployments, 'a', workload({ replicas: 'many' })),
        family().object(deployments, 'b', { spec: {} }),
      )
      expect(results).toMatchObject([{ kind: 'invalid', fields: ['spec.replicas'] }, { kind: 'invalid' }])
    })
  })
}
