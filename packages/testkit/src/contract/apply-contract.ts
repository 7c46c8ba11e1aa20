import { serviceResource, type Live, type Service } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { failureOf, useBench, type Bench } from './bench.ts'
import { configMap } from './objects.ts'
import type { GetServer } from './server-under-test.ts'
import { widget, type Widget } from './widget.ts'

const NAMESPACE = 'applied'

/** Server-side apply: who owns which field, and what follows from it. */
export function applyContract(getServer: GetServer): void {
  describe('what is applied', () => {
    const bench = useBench(getServer, NAMESPACE)
    const apply = (name: string, spec: Widget['spec'], manager: string, force = false) =>
      bench().widgets.apply(widget(NAMESPACE, name, spec), { fieldManager: manager, force })

    test('is created, and owned by whoever applied it', async () => {
      const made = await apply(
        'made',
        { size: 2, labels: { a: '1' }, parts: [{ name: 'p', value: 'v' }], words: ['w'], list: ['l'], nested: {} },
        'one',
      )
      expect(ownersOf(made)).toEqual({
        'one Apply': {
          'f:spec': {
            'f:size': {},
            'f:labels': { 'f:a': {} },
            'f:parts': { 'k:{"name":"p"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
            'f:words': { 'v:"w"': {} },
            'f:list': {},
            'f:nested': {},
          },
        },
      })
      expect(made.spec).toMatchObject({
        replicas: 1,
        color: 'red',
        nested: { inner: 'given' },
        parts: [{ name: 'p', value: 'v', port: 80 }],
      })
    })

    test('twice is as if it were once', async () => {
      const first = await apply('twice', { size: 2, parts: [{ name: 'a' }] }, 'one')
      expect(await apply('twice', { size: 2, parts: [{ name: 'a' }] }, 'one')).toEqual(first)
    })

    test('with a uid, or with one of another object, is not taken for a new object', async () => {
      const { metadata } = await apply('known', { size: 2 }, 'one')
      const named = (name: string, uid: string) =>
        failureOf(
          bench().widgets.apply(
            { ...widget(NAMESPACE, name, { size: 2 }), metadata: { namespace: NAMESPACE, name, uid } },
            { fieldManager: 'one', force: true },
          ),
        )
      expect(await named('unknown', metadata.uid)).toMatchObject({ reason: 'Conflict', code: 409 })
      const other = '00000000-0000-4000-8000-000000000000'
      expect((await named('known', other)).code).toBeGreaterThanOrEqual(409)
      expect(await bench().widgets.find({ namespace: NAMESPACE, name: 'unknown' })).toBeUndefined()
    })

    test('and no longer mentioned goes away', async () => {
      await apply(
        'less',
        { size: 2, labels: { a: '1', b: '2' }, parts: [{ name: 'a' }, { name: 'b' }], words: ['x', 'y'], list: ['l'] },
        'one',
      )
      const { spec } = await apply('less', { size: 2, labels: { b: '2' }, parts: [{ name: 'b' }], words: ['y'] }, 'one')
      expect(spec).toEqual({
        size: 2,
        labels: { b: '2' },
        parts: [{ name: 'b', port: 80 }],
        words: ['y'],
        replicas: 1,
        color: 'red',
        nested: { inner: 'given' },
      })
    })

    test('and no longer mentioned stays while somebody else wants it', async () => {
      await apply('shared', { size: 2, labels: { a: '1' }, parts: [{ name: 'p' }] }, 'one')
      await apply('shared', { size: 2, labels: { a: '1' }, parts: [{ name: 'p' }] }, 'two')
      const { spec } = await apply('shared', { size: 2 }, 'one')
      expect(spec).toMatchObject({ labels: { a: '1' }, parts: [{ name: 'p' }] })
    })

    test('and a default where nobody wants anything comes back', async () => {
      await apply('defaulted', { size: 2, color: 'blue' }, 'one')
      expect((await apply('defaulted', { size: 2 }, 'one')).spec?.['color']).toBe('red')
    })

    test('against the will of another is a conflict that names the fields', async () => {
      await apply('fought', { size: 2, labels: { a: '1' }, list: ['l'] }, 'one')
      const error = await failureOf(apply('fought', { size: 3, labels: { a: '2' }, list: ['m'] }, 'two'))
      expect(error).toMatchObject({ reason: 'Conflict', code: 409 })
      expect(error.message).toContain(
        'Apply failed with 3 conflicts: conflicts with "one":\n- .spec.list\n- .spec.size\n- .spec.labels.a',
      )
      expect(error.causes.map(({ field }) => field)).toEqual(['.spec.list', '.spec.size', '.spec.labels.a'])
    })

    test('by force takes the fields over', async () => {
      await apply('taken', { size: 2, color: 'blue' }, 'one')
      const taken = await apply('taken', { size: 3 }, 'two', true)
      expect(ownersOf(taken)).toEqual({
        'one Apply': { 'f:spec': { 'f:color': {} } },
        'two Apply': { 'f:spec': { 'f:size': {} } },
      })
      expect((await apply('taken', { color: 'blue' }, 'one')).spec).toMatchObject({ size: 3, color: 'blue' })
    })

    test('to a map that is one value replaces it', async () => {
      await apply('atomic', { size: 2, whole: { a: '1' } }, 'one')
      expect(await failureOf(apply('atomic', { size: 2, whole: { b: '2' } }, 'two'))).toMatchObject({
        reason: 'Conflict',
      })
      expect((await apply('atomic', { size: 2, whole: { b: '2' } }, 'two', true)).spec?.['whole']).toEqual({ b: '2' })
    })

    test('loses its owner when somebody updates it, who then is in the way', async () => {
      const { widgets } = bench()
      await apply('updated', { size: 2, color: 'blue' }, 'one')
      await widgets.patch(
        { namespace: NAMESPACE, name: 'updated' },
        { type: 'merge', body: { spec: { size: 5 } } },
        { fieldManager: 'patcher' },
      )
      const error = await failureOf(apply('updated', { size: 2, color: 'blue' }, 'one'))
      expect(error.message).toContain('conflict with "patcher" using contract.test/v1: .spec.size')
    })

    test('keeps the order of the list, with foreign elements between', async () => {
      await apply('ordered', { size: 1, parts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }, 'one')
      const { spec } = await apply('ordered', { size: 1, parts: [{ name: 'x' }, { name: 'b' }] }, 'two')
      expect(spec?.['parts']).toMatchObject([{ name: 'a' }, { name: 'x' }, { name: 'b' }, { name: 'c' }])
    })

    test('needs a manager, no managedFields, a kind, and no old version', async () => {
      await apply('careful', { size: 2 }, 'one')
      const send = (change: object, query = '?fieldManager=one') =>
        failureOf(applyRaw(bench(), { ...widget(NAMESPACE, 'careful', { size: 2 }), ...change }, query))
      expect((await send({}, '')).message).toContain('fieldManager: Required value')
      expect((await send({ metadata: { name: 'careful', managedFields: [] } })).message).toContain(
        'metadata.managedFields must be nil',
      )
      expect((await send({ kind: undefined, apiVersion: undefined })).code).toBe(400)
      expect((await send({ metadata: { name: 'careful', resourceVersion: '1' } })).reason).toBe('Conflict')
    })
  })

  describe('ownership', () => {
    const bench = useBench(getServer, NAMESPACE)

    test('of an update is what it changed', async () => {
      const { configMaps } = bench()
      const made = await configMaps.create(
        configMap(NAMESPACE, 'plain', { data: { a: '1' }, metadata: { labels: { l: 'm' } } }),
        { fieldManager: 'one' },
      )
      expect(ownersOf(made)).toEqual({
        'one Update': { 'f:data': { '.': {}, 'f:a': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } },
      })
      const changed = await configMaps.update({ ...made, data: { b: '2' } }, { fieldManager: 'two' })
      expect(ownersOf(changed)).toEqual({
        'one Update': { 'f:data': {}, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } },
        'two Update': { 'f:data': { 'f:b': {} } },
      })
    })

    test('of a status is apart from that of the rest', async () => {
      const { widgets } = bench()
      await widgets.apply(widget(NAMESPACE, 'status', { size: 1 }), { fieldManager: 'one' })
      const sent = widget(
        NAMESPACE,
        'status',
        { size: 9 },
        { status: { phase: 'Fine', conditions: [{ type: 'Ready', status: 'True' }] } },
      )
      const written = await widgets.status.apply({ namespace: NAMESPACE, name: 'status' }, sent, {
        fieldManager: 'one',
      })
      expect(written.spec?.['size']).toBe(1)
      expect(ownersOf(written)).toEqual({
        'one Apply': { 'f:spec': { 'f:size': {} } },
        'one Apply status': {
          'f:status': {
            'f:phase': {},
            'f:conditions': { 'k:{"type":"Ready"}': { '.': {}, 'f:type': {}, 'f:status': {} } },
          },
        },
      })
    })

    test('of ports is by number and protocol, also where the protocol is left out', async () => {
      const services = bench().client.resource(serviceResource)
      const service: Service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { namespace: NAMESPACE, name: 'ports' },
        spec: { clusterIP: 'None', ports: [{ port: 80 }] },
      }
      const made = await services.apply(service, { fieldManager: 'one' })
      expect(ownersOf(made)['one Apply']).toMatchObject({
        'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } },
      })
      expect(await services.apply(service, { fieldManager: 'one' })).toEqual(made)
    })

    test('belongs to whom an update says, and then goes when that one no longer mentions it', async () => {
      const where = { namespace: NAMESPACE, name: 'given' }
      const { widgets } = bench()
      const wanted = widget(NAMESPACE, 'given', { size: 1, labels: { a: '1' } })
      await widgets.apply(wanted, { fieldManager: 'one' })
      const other = { fieldManager: 'two' }
      const body = { spec: { labels: { b: '2' } } }
      const { managedFields = [] } = (await widgets.patch(where, { type: 'merge', body }, other)).metadata
      const fieldsV1 = { 'f:spec': { 'f:size': {}, 'f:labels': { 'f:a': {}, 'f:b': {} } } }
      const given = managedFields.flatMap((entry) => (entry.manager === 'one' ? [{ ...entry, fieldsV1 }] : []))
      const change = { type: 'merge', body: { metadata: { managedFields: given } } } as const
      expect(ownersOf(await widgets.patch(where, change, other))).toEqual({ 'one Apply': fieldsV1 })
      expect((await widgets.apply(wanted, { fieldManager: 'one' })).spec?.['labels']).toEqual({ a: '1' })
    })
  })
}

function applyRaw({ client }: Bench, object: object, query: string): Promise<unknown> {
  const path = `/apis/contract.test/v1/namespaces/${NAMESPACE}/widgets/careful${query}`
  return client.raw({
    method: 'PATCH',
    path,
    body: JSON.stringify(object),
    contentType: 'application/apply-patch+yaml',
  })
}

/** Who owns what, without times and versions. */
function ownersOf(
  object: Live<Widget> | Live<Service> | Awaited<ReturnType<Bench['configMaps']['get']>>,
): Record<string, unknown> {
  const entries = object.metadata.managedFields ?? []
  return Object.fromEntries(
    entries.map(({ manager = '', operation = '', subresource, fieldsV1 }) => [
      [manager, operation, subresource ?? ''].join(' ').trim(),
      fieldsV1,
    ]),
  )
}
