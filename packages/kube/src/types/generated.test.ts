import { describe, expect, expectTypeOf, test } from 'vitest'
import { withHeader } from '../../generate/header.ts'
import { hashOfGenerator, whyFileStale, whyStale } from '../../generate/why-stale.ts'
import type { Live } from '../client/resource.ts'
import { applySchema } from './generated/apply-schema.ts'
import { mergeSchema } from './generated/merge-schema.ts'
import { eventsEventResource, nodeResource, podResource, statefulSetResource } from './generated/resources.ts'
import { schemaNames } from './generated/schema-names.ts'
import type { Container, Pod } from './generated/core-v1.ts'
import type { CustomResourceDefinition, JSONSchemaProps } from './generated/apiextensions-v1.ts'

test('the generated files are those that the generator makes: else run `npm run generate`', () => {
  expect(whyStale()).toBeUndefined()
})

describe('a stale file is noticed', () => {
  const file = withHeader('export type A = string\n', 'v1.36.3', 'abc')
  const cases = [
    ['nothing changed', file, 'abc', 'v1.36.3', undefined],
    ['a hand was faster', file.replace('string', 'number'), 'abc', undefined, 'was changed by hand'],
    ['the generator changed', file, 'def', undefined, 'was made by an older generator'],
    ['Kubernetes changed', file, 'abc', 'v1.37.0', 'is of Kubernetes v1.36.3, not v1.37.0'],
    ['no header', 'export {}\n', 'abc', undefined, 'has no header that says where it comes from'],
  ] as const
  for (const [name, text, sources, kubernetes, why] of cases) {
    test(name, () => expect(whyFileStale(text, sources, kubernetes)).toBe(why))
  }
  test('the hash of the generator is stable', () => expect(hashOfGenerator()).toBe(hashOfGenerator()))
})

describe('types', () => {
  test('a kind knows its name, and what the server adds is there when it answers', () => {
    expectTypeOf<Pod['kind']>().toEqualTypeOf<'Pod'>()
    expectTypeOf<Pod['metadata']['name']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Live<Pod>['metadata']['name']>().toEqualTypeOf<string>()
    expectTypeOf<Container['imagePullPolicy']>().toEqualTypeOf<'Always' | 'IfNotPresent' | 'Never' | undefined>()
  })
  test('schemas of CRDs refer to themselves', () => {
    expectTypeOf<JSONSchemaProps['additionalProperties']>().toEqualTypeOf<JSONSchemaProps | boolean | undefined>()
    expectTypeOf<CustomResourceDefinition['apiVersion']>().toEqualTypeOf<'apiextensions.k8s.io/v1'>()
  })
})

test('descriptors have the paths of the real server', () => {
  expect(podResource).toEqual({ group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true })
  expect([nodeResource.namespaced, statefulSetResource.group, eventsEventResource.group]).toEqual([
    false,
    'apps',
    'events.k8s.io',
  ])
})

test('the merge table leads from a kind to the keys of its lists', () => {
  const set = mergeSchema[schemaNames['apps/v1 StatefulSet'] ?? '']
  const template = mergeSchema[set?.['spec']?.of ?? '']?.['template']
  const podSpec = mergeSchema[mergeSchema[template?.of ?? '']?.['spec']?.of ?? '']
  expect(podSpec?.['containers']).toMatchObject({
    mergeKey: 'name',
    patchStrategy: 'merge',
    of: 'io.k8s.api.core.v1.Container',
  })
  expect(podSpec?.['volumes']?.patchStrategy).toBe('merge,retainKeys')
  expect(podSpec?.['nodeSelector']).toBeUndefined()
})

test('the apply table knows map lists, sets and maps that are one value', () => {
  const container = applySchema['io.k8s.api.core.v1.Container']
  expect(container?.['ports']).toMatchObject({ listType: 'map', keys: ['containerPort', 'protocol'] })
  expect(applySchema['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']?.['finalizers']).toMatchObject({
    listType: 'set',
  })
  expect(applySchema['io.k8s.api.core.v1.PodSpec']?.['nodeSelector']).toEqual({ mapType: 'atomic' })
  expect(applySchema['io.k8s.api.core.v1.ServiceSpec']?.['selector']).toEqual({ mapType: 'atomic' })
})
