import { podResource } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../../contract/bench.ts'
import { configMap, pod } from '../../contract/objects.ts'
import { widget } from '../../contract/widget.ts'
import { makeLaboratory } from '../gen.ts'
import type { AdmissionHandler, AdmissionQuestion } from './admission.ts'

const WIDGETS = ['widgets.contract.test']
const key = { namespace: 'default', name: 'one' }

const handler = (review: AdmissionHandler['review'], more: Partial<AdmissionHandler> = {}): AdmissionHandler => ({
  ...{ name: 'test.dev', operations: ['CREATE', 'UPDATE', 'DELETE'], resources: WIDGETS, review },
  ...more,
})

describe('admission', () => {
  test('asks with everything that a webhook gets', async () => {
    const { server, widgets } = await makeLaboratory()
    const asked: AdmissionQuestion[] = []
    server.admit(
      'validating',
      handler((question) => (asked.push(question), { isAllowed: true })),
    )
    const made = await widgets.create(widget('default', 'one', { size: 1 }))
    await widgets.update({ ...made, spec: { size: 2 } })
    await widgets.delete(key)
    expect(asked).toMatchObject([
      {
        operation: 'CREATE',
        name: 'one',
        namespace: 'default',
        oldObject: null,
        object: { spec: { size: 1, color: 'red' } },
        kind: { group: 'contract.test', kind: 'Widget' },
      },
      {
        operation: 'UPDATE',
        oldObject: { spec: { size: 1 } },
        object: { spec: { size: 2 } },
        resource: { resource: 'widgets' },
      },
      { operation: 'DELETE', oldObject: { spec: { size: 2 } }, object: null, dryRun: false },
    ])
    expect(new Set(asked.map(({ uid }) => uid)).size).toBe(3)
  })

  test('refuses with the words of the webhook', async () => {
    const { server, widgets } = await makeLaboratory()
    const remove = server.admit(
      'validating',
      handler(() => ({ isAllowed: false, message: 'not today' })),
    )
    const error = await failureOf(widgets.create(widget('default', 'one', { size: 1 })))
    expect(error).toMatchObject({ code: 403, reason: 'Forbidden' })
    expect(error.message).toContain('admission webhook "test.dev" denied the request: not today')
    remove()
    await widgets.create(widget('default', 'one', { size: 1 }))
  })

  test('lets a handler change the object, and checks the result', async () => {
    const { server, widgets } = await makeLaboratory()
    server.admit(
      'mutating',
      handler(({ object }) => ({ isAllowed: true, object: { ...object, spec: { size: 7, stranger: 1 } } }), {
        operations: ['CREATE'],
      }),
    )
    expect((await widgets.create(widget('default', 'one', { size: 1 }))).spec).toEqual({
      size: 7,
      replicas: 1,
      color: 'red',
      nested: { inner: 'given' },
    })
    server.admit(
      'mutating',
      handler(({ object }) => ({ isAllowed: true, object: { ...object, spec: { size: 99 } } }), {
        operations: ['CREATE'],
      }),
    )
    expect(await failureOf(widgets.create(widget('default', 'two', { size: 1 })))).toMatchObject({ reason: 'Invalid' })
  })

  test('passes warnings on', async () => {
    const { server, client } = await makeLaboratory()
    server.admit(
      'validating',
      handler(() => ({ isAllowed: true, warnings: ['careful'] })),
    )
    const path = '/apis/contract.test/v1/namespaces/default/widgets'
    const { headers } = await client.raw({
      method: 'POST',
      path,
      body: JSON.stringify(widget('default', 'one', { size: 1 })),
      contentType: 'application/json',
    })
    expect(headers['warning']).toBe('299 - "careful"')
  })

  test('that breaks is an error of the server, and nothing is stored', async () => {
    const { server, widgets } = await makeLaboratory()
    const broken = () => {
      throw new Error('no route to host')
    }
    server.admit('validating', handler(broken))
    const error = await failureOf(widgets.create(widget('default', 'one', { size: 1 })))
    expect(error).toMatchObject({ code: 500, reason: 'InternalError' })
    expect(error.message).toContain('failed calling webhook "test.dev": no route to host')
    expect(await widgets.find(key)).toBeUndefined()
  })

  test('is not asked about other resources', async () => {
    const { server, configMaps } = await makeLaboratory()
    server.admit(
      'validating',
      handler(() => ({ isAllowed: false })),
    )
    expect((await configMaps.create(configMap('default', 'one'))).metadata.name).toBe('one')
  })

  test('may change a binding on its way', async () => {
    const { server, client } = await makeLaboratory()
    const annotate = ({ object }: AdmissionQuestion) => ({
      isAllowed: true,
      object: { ...object, metadata: { annotations: { topology: 'a:b' } } },
    })
    server.admit('mutating', handler(annotate, { resources: ['pods/binding'], operations: ['CREATE'] }))
    const pods = client.resource(podResource)
    await pods.create(pod('default', 'one'))
    await pods.binding.create(key, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: key,
      target: { kind: 'Node', name: 'n' },
    })
    expect((await pods.get(key)).metadata.annotations).toEqual({ topology: 'a:b' })
  })

  test('that takes time does not lose the write of somebody faster', async () => {
    const { server, widgets, clock } = await makeLaboratory()
    await widgets.create(widget('default', 'one', { size: 1 }))
    let reviews = 0
    const slow = async () => {
      if (reviews++ === 0) await new Promise<void>((resolve) => void clock.schedule(1000, resolve))
      return { isAllowed: true }
    }
    server.admit('validating', handler(slow, { operations: ['UPDATE'] }))
    const slowPatch = widgets.patch(key, { type: 'merge', body: { spec: { color: 'blue' } } })
    await clock.settle()
    await widgets.patch(key, { type: 'merge', body: { spec: { size: 5 } } })
    expect((await clock.drive(slowPatch)).spec).toMatchObject({ color: 'blue', size: 5 })
  })
})
