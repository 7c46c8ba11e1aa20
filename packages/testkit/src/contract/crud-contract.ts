import { leaseResource } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { failureOf, useBench } from './bench.ts'
import { configMap } from './objects.ts'
import type { GetServer } from './server-under-test.ts'
import { widget } from './widget.ts'

/** Create, read, update, delete, and what is refused. */
export function crudContract(getServer: GetServer): void {
  describe('objects are stored', () => {
    const bench = useBench(getServer, 'crud')

    test('with an identity that the server gives', async () => {
      const { configMaps } = bench()
      const created = await configMaps.create(configMap('crud', 'one', { data: { a: '1' } }))
      expect(created.metadata.uid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(0)
      expect(await configMaps.get({ namespace: 'crud', name: 'one' })).toEqual(created)
    })

    test('under a name that is free, and no other', async () => {
      const { configMaps } = bench()
      await configMaps.create(configMap('crud', 'taken'))
      const error = await failureOf(configMaps.create(configMap('crud', 'taken')))
      expect(error).toMatchObject({ reason: 'AlreadyExists', code: 409 })
      expect(error.message).toContain('configmaps "taken" already exists')
    })

    test('and read back as absent when they are', async () => {
      const error = await failureOf(bench().configMaps.get({ namespace: 'crud', name: 'nobody' }))
      expect(error).toMatchObject({ reason: 'NotFound', code: 404 })
      expect(error.message).toContain('configmaps "nobody" not found')
    })

    test('with a new resourceVersion for every change, and none for no change', async () => {
      const { configMaps } = bench()
      const first = await configMaps.create(configMap('crud', 'changing', { data: { a: '1' } }))
      const same = await configMaps.update(first)
      const changed = await configMaps.update({ ...first, data: { a: '2' } })
      expect(same.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
      expect(Number(changed.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion))
      expect(changed.metadata).toMatchObject({
        uid: first.metadata.uid,
        creationTimestamp: first.metadata.creationTimestamp,
      })
    })

    test('not at all in a dry run', async () => {
      const { configMaps } = bench()
      const created = await configMaps.create(configMap('crud', 'dry'), { dryRun: true })
      expect(created.metadata.name).toBe('dry')
      expect(created.metadata.resourceVersion).toBeUndefined()
      expect(await configMaps.find({ namespace: 'crud', name: 'dry' })).toBeUndefined()
    })

    test('with a generated name of five more characters', async () => {
      const { configMaps } = bench()
      const make = () =>
        configMaps.create({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace: 'crud', generateName: 'made-' },
        })
      const [one, other] = [await make(), await make()]
      expect(one.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
      expect(other.metadata.name).not.toBe(one.metadata.name)
      expect(one.metadata.generateName).toBe('made-')
    })
  })

  describe('what makes no sense is refused', () => {
    const bench = useBench(getServer, 'crud')
    const cases: readonly {
      readonly what: string
      readonly sent: object
      readonly code: number
      readonly words: string
    }[] = [
      {
        what: 'a name with capitals',
        sent: { metadata: { name: 'Big' } },
        code: 422,
        words: 'metadata.name: Invalid value: "Big"',
      },
      { what: 'no name', sent: { metadata: {} }, code: 422, words: 'name or generateName is required' },
      {
        what: 'a label value with blanks',
        sent: { metadata: { name: 'a', labels: { a: 'b c' } } },
        code: 422,
        words: 'metadata.labels: Invalid value: "b c"',
      },
      {
        what: 'a label key with two slashes',
        sent: { metadata: { name: 'a', labels: { 'a/b/c': '' } } },
        code: 422,
        words: 'metadata.labels: Invalid value: "a/b/c"',
      },
      {
        what: 'an annotation key with blanks',
        sent: { metadata: { name: 'a', annotations: { 'a b': '' } } },
        code: 422,
        words: 'metadata.annotations: Invalid value: "a b"',
      },
      {
        what: 'a finalizer without a domain',
        sent: { metadata: { name: 'a', finalizers: ['mine'] } },
        code: 422,
        words: 'metadata.finalizers[0]: Invalid value: "mine"',
      },
      {
        what: 'an owner without uid',
        sent: { metadata: { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p' }] } },
        code: 422,
        words: 'metadata.ownerReferences.uid',
      },
      {
        what: 'another namespace',
        sent: { metadata: { name: 'a', namespace: 'default' } },
        code: 400,
        words: 'the namespace of the provided object does not match',
      },
      {
        what: 'another kind',
        sent: { kind: 'Foo', metadata: { name: 'a' } },
        code: 400,
        words: 'cannot be handled as a ConfigMap',
      },
      {
        what: 'a resourceVersion',
        sent: { metadata: { name: 'a', resourceVersion: '5' } },
        code: 500,
        words: 'resourceVersion should not be set on objects to be created',
      },
    ]
    for (const { what, sent, code, words } of cases) {
      test(`a new object with ${what}`, async () => {
        const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...sent })
        const post = {
          method: 'POST',
          path: '/api/v1/namespaces/crud/configmaps',
          body,
          contentType: 'application/json',
        } as const
        const error = await failureOf(bench().client.raw(post))
        expect({ code: error.code, message: error.message }).toEqual({
          code,
          message: expect.stringContaining(words) as string,
        })
      })
    }

    const paths: readonly {
      readonly what: string
      readonly method: 'GET' | 'POST' | 'PATCH'
      readonly path: string
      readonly contentType?: string
      readonly code: number
    }[] = [
      { what: 'a resource that is not there', method: 'GET', path: '/api/v1/namespaces/crud/foos', code: 404 },
      { what: 'a group that is not there', method: 'GET', path: '/apis/foo.bar/v1/foos', code: 404 },
      {
        what: 'a namespace that is not there',
        method: 'POST',
        path: '/api/v1/namespaces/nowhere/configmaps',
        code: 404,
      },
      {
        what: 'a method that a place does not know',
        method: 'POST',
        path: '/api/v1/namespaces/crud/configmaps/x',
        code: 405,
      },
      {
        what: 'a patch of a collection',
        method: 'PATCH',
        path: '/api/v1/namespaces/crud/configmaps',
        contentType: 'application/merge-patch+json',
        code: 405,
      },
      {
        what: 'a body in no known format',
        method: 'POST',
        path: '/api/v1/namespaces/crud/configmaps',
        contentType: 'text/plain',
        code: 415,
      },
      { what: 'a patch in no known format', method: 'PATCH', path: '/api/v1/namespaces/crud/configmaps/x', code: 415 },
      {
        what: 'the status of a kind that has none',
        method: 'GET',
        path: '/api/v1/namespaces/crud/configmaps/x/status',
        code: 404,
      },
    ]
    for (const { what, method, path, contentType = 'application/json', code } of paths) {
      test(what, async () => {
        const body = method === 'GET' ? {} : { body: JSON.stringify(configMap('nowhere', 'x')) }
        expect((await failureOf(bench().client.raw({ method, path, contentType, ...body }))).code).toBe(code)
      })
    }
  })

  describe('only the state that was meant is overwritten', () => {
    const bench = useBench(getServer, 'crud')

    test('an older state loses', async () => {
      const { configMaps } = bench()
      const first = await configMaps.create(configMap('crud', 'raced', { data: { a: '1' } }))
      await configMaps.update({ ...first, data: { a: '2' } })
      const error = await failureOf(configMaps.update({ ...first, data: { a: '3' } }))
      expect(error).toMatchObject({ reason: 'Conflict', code: 409 })
      expect(error.message).toContain(
        'the object has been modified; please apply your changes to the latest version and try again',
      )
    })

    test('another object of the same name is another one', async () => {
      const { configMaps } = bench()
      const first = await configMaps.create(configMap('crud', 'reborn'))
      await configMaps.delete({ namespace: 'crud', name: 'reborn' })
      await configMaps.create(configMap('crud', 'reborn'))
      const { resourceVersion: _, ...metadata } = first.metadata
      expect((await failureOf(configMaps.update({ ...first, metadata }))).reason).toBe('Conflict')
    })

    test('some kinds must say which state they mean', async () => {
      const { client, widgets } = bench()
      await widgets.create(widget('crud', 'strict', { size: 1 }))
      const error = await failureOf(widgets.update(widget('crud', 'strict', { size: 2 })))
      expect(error.message).toContain('metadata.resourceVersion: Invalid value: 0: must be specified for an update')
      const lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { namespace: 'crud', name: 'l' },
        spec: { holderIdentity: 'a' },
      } as const
      await client.resource(leaseResource).create(lease)
      expect((await failureOf(client.resource(leaseResource).update(lease))).code).toBe(422)
    })

    test('an object cannot be renamed', async () => {
      const { configMaps } = bench()
      await configMaps.create(configMap('crud', 'named'))
      const error = await failureOf(
        configMaps.patch(
          { namespace: 'crud', name: 'named' },
          { type: 'merge', body: { metadata: { name: 'other' } } },
        ),
      )
      expect(error.message).toContain('the name of the object (other) does not match the name on the URL (named)')
    })
  })
}
