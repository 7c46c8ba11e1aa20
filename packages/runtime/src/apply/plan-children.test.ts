import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  configMapResource,
  serviceResource,
  type KubeObject,
  type OwnerReference,
  type Resource,
} from '@slurm-operator/kube'
import type { ChildStep, LiveChild } from './child.ts'
import { anyKinds, owner } from './gen.ts'
import { stored } from './gen-model.ts'
import { normalizeWanted } from './normalize-wanted.ts'
import { fingerprintOf, NoOpMemory, noKnownNoOps } from './no-op-memory.ts'
import { observeChildren, planChildren, type ChildrenPicture, type ObservedKind } from './plan-children.ts'

const maps = configMapResource as unknown as Resource<KubeObject>
const services = serviceResource as unknown as Resource<KubeObject>
const map = (name: string, data: object = { a: '1' }): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }) as KubeObject
const reference = (changes: Partial<OwnerReference>): OwnerReference => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid, controller: true },
  ...changes,
})
const plan = (
  wanted: readonly KubeObject[],
  live: readonly LiveChild[],
  changes: Partial<ChildrenPicture> = {},
): ChildStep[] =>
  planChildren({
    owner,
    fieldManager: 'engine',
    knownNoOps: noKnownNoOps,
    wanted,
    kinds: [{ resource: maps, live }],
    ...changes,
  })
const words = (steps: readonly ChildStep[]) => steps.map((step) => `${step.do} ${step.key.name}`)

describe('steps', () => {
  test('what does not exist is created, with its owner and in its namespace', () => {
    const [step] = plan([map('a')], [])
    expect(step).toMatchObject({ do: 'create', key: { namespace: 'n', name: 'a' } })
    expect(step).toHaveProperty('object.metadata.ownerReferences.0', { ...reference({}), blockOwnerDeletion: true })
  })
  test('what is as wanted is left alone', () =>
    expect(words(plan([map('a')], [stored(map('a'))]))).toEqual(['nothing a']))
  test('what differs is applied, and the reason names fields, not values', () => {
    const [step] = plan([map('a', { key: 's3cret' })], [stored(map('a', { key: 'old' }))])
    expect(step).toMatchObject({ do: 'apply', because: 'data.key has another value' })
  })
  test('what is no longer wanted is deleted, in the state that we saw', () => {
    expect(plan([], [stored(map('a'), { resourceVersion: '5' })])).toMatchObject([
      { do: 'delete', uid: 'uid-a', version: '5' },
    ])
  })
  test('claims with data in them are kept', () => {
    expect(
      plan([], [stored(map('a'))], { kinds: [{ resource: maps, live: [stored(map('a'))], surplus: 'keep' }] }),
    ).toEqual([])
  })
  test('what is being deleted is waited for, and not deleted twice', () => {
    const live = [stored(map('a'), { deletionTimestamp: 'x' }), stored(map('b'), { deletionTimestamp: 'x' })]
    expect(words(plan([map('a')], live))).toEqual(['wait a'])
  })
  test('the same name in another kind is another object', () => {
    const service: KubeObject = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } }
    const kinds: ObservedKind[] = [
      { resource: maps, live: [stored(map('a'))] },
      { resource: services, live: [] },
    ]
    expect(plan([service], [], { kinds }).map(({ do: what, resource }) => `${what} ${resource.kind}`)).toEqual([
      'create Service',
      'delete ConfigMap',
    ])
  })
  test('a kind that nobody told us about is a mistake that is told', () => {
    expect(() => plan([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }], [])).toThrow('not among the kinds')
  })
})

describe('whose it is', () => {
  const withOwners = (...ownerReferences: OwnerReference[]) => stored(map('a'), { ownerReferences })

  test('an object that nobody owns is not taken over', () => {
    expect(plan([map('a')], [withOwners()])).toMatchObject([
      {
        do: 'refuse',
        refusal: { reason: 'NotOurs', owner: undefined },
        because:
          'Cannot use ConfigMap n/a: it exists and nobody owns it, so we did not make it. Delete or rename it, or choose another name.',
      },
    ])
  })
  test('an object of somebody else is not taken over, and people learn whose it is', () => {
    const [step] = plan([map('a')], [withOwners(reference({ kind: 'Deployment', name: 'web', uid: 'other' }))])
    expect(step).toMatchObject({ do: 'refuse', refusal: { owner: { name: 'web' } } })
    expect(step?.because).toContain('it belongs to Deployment web')
  })
  test('one that somebody else decides about is not ours even if we own it too', () => {
    const live = withOwners(
      reference({ controller: false }),
      reference({ kind: 'Deployment', name: 'web', uid: 'other' }),
    )
    expect(words(plan([map('a')], [live]))).toEqual(['refuse a'])
  })
  test('a child of an earlier owner of the same name goes away by itself', () => {
    expect(plan([map('a')], [withOwners(reference({ uid: 'earlier' }))])).toMatchObject([
      { do: 'wait', lookAgainInSeconds: 5 },
    ])
  })
  test('the same name in another group is a stranger', () => {
    expect(words(plan([map('a')], [withOwners(reference({ uid: 'earlier', apiVersion: 'example.com/v1' }))]))).toEqual([
      'refuse a',
    ])
  })
  test('after a restore from a backup the caller may allow it', () => {
    expect(words(plan([map('a')], [withOwners()], { mayAdopt: () => true }))).toEqual(['apply a'])
  })
  test('shared children have several owners and none that decides', () => {
    const shared = {
      ...map('a'),
      metadata: {
        name: 'a',
        ownerReferences: [reference({ uid: 'x', controller: false }), reference({ uid: 'y', controller: false })],
      },
    }
    expect(words(plan([shared], [stored(shared)]))).toEqual(['nothing a'])
    expect(words(plan([shared], [withOwners(reference({ uid: 'x', controller: false }))]))).toEqual(['apply a'])
    expect(words(plan([shared], [withOwners(reference({ uid: 'z', controller: false }))]))).toEqual(['refuse a'])
  })
  test('a shared child that somebody decides about is not shared any more', () => {
    const common = reference({ uid: 'x', controller: false })
    const shared = { ...map('a'), metadata: { name: 'a', ownerReferences: [common] } }
    const theirs = reference({ kind: 'Deployment', name: 'web', uid: 'other' })
    expect(words(plan([shared], [withOwners(common, theirs)]))).toEqual(['refuse a'])
  })
  test('a child that another object shall decide about does not wait for our earlier owner', () => {
    const handedOn = { ...map('a'), metadata: { name: 'a', ownerReferences: [reference({ name: 'key', uid: 'key' })] } }
    expect(words(plan([handedOn], [stored(handedOn)]))).toEqual(['nothing a'])
    expect(words(plan([handedOn], [withOwners(reference({ uid: 'earlier' }))]))).toEqual(['refuse a'])
  })
})

describe('mistakes of builders', () => {
  test('an object in another namespace is refused', () => {
    const elsewhere = { ...map('a'), metadata: { name: 'a', namespace: 'other' } }
    expect(plan([elsewhere], [])).toMatchObject([{ do: 'refuse', refusal: { reason: 'OtherNamespace' } }])
  })
  test('two objects of one name are refused, not applied in turns', () => {
    expect(plan([map('a'), map('a', { b: '2' })], [])).toMatchObject([
      { do: 'create' },
      { do: 'refuse', refusal: { reason: 'WantedTwice' } },
    ])
  })
  test('nulls, server fields and status are not sent', () => {
    const odd = {
      ...map('a'),
      metadata: { name: 'a', uid: 'x', generation: 3, labels: null },
      status: {},
      data: { a: null, b: '1' },
    }
    expect(normalizeWanted(odd as unknown as KubeObject, owner)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'n', ownerReferences: [{ ...reference({}), blockOwnerDeletion: true }] },
      data: { b: '1' },
    })
  })
  test('stringData becomes data, which the server remembers as ours', () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { x: 'eA==', y: 'eA==' },
      stringData: { y: 'ü' },
    }
    expect(normalizeWanted(secret, owner)).toMatchObject({ data: { x: 'eA==', y: 'w7w=' } })
    expect(normalizeWanted(secret, owner)).not.toHaveProperty('stringData')
  })
})

test('what the server does not take from us is not sent again', () => {
  const [first] = plan([map('a', { b: '2' })], [stored(map('a'))])
  if (first?.do !== 'apply') throw new Error('it must be sent once')
  const memory = new NoOpMemory()
  memory.learn('uid-a', fingerprintOf(first.differences))
  expect(words(plan([map('a', { b: '2' })], [stored(map('a'))], { knownNoOps: memory }))).toEqual(['nothing a'])
  expect(words(plan([map('a', { b: '3' })], [stored(map('a'))], { knownNoOps: memory }))).toEqual(['apply a'])
})

test('an object that was looked at before is compared with what is wanted now, and by whom', () => {
  const live = stored(map('a'))
  const wish = (data: object, changes: Partial<ChildrenPicture> = {}) => words(plan([map('a', data)], [live], changes))
  expect(wish({ a: '1' })).toEqual(['nothing a'])
  expect(wish({ a: '2' })).toEqual(['apply a'])
  expect(wish({ a: '1' })).toEqual(['nothing a'])
  expect(wish({ a: '1' }, { fieldManager: 'another' })).toEqual(['apply a'])
})

test('the cache is asked for wanted names and for children, and each object is seen once', () => {
  const live = stored(map('a'))
  const kinds = observeChildren(
    owner,
    [map('a')],
    [
      {
        resource: maps,
        find: ({ namespace, name }) => (namespace === 'n' && name === 'a' ? live : undefined),
        ownedBy: (uid) => (uid === owner.metadata.uid ? [live, stored(map('b'))] : []),
        read: () => Promise.reject(new Error('not while observing')),
        apply: () => Promise.reject(new Error('not while observing')),
        patch: () => Promise.reject(new Error('not while observing')),
        delete: () => Promise.reject(new Error('not while observing')),
      },
    ],
  )
  expect(kinds[0]?.live.map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
})

describe('any children', () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const anyOwner = fc
    .record({
      uid: fc.constantFrom(owner.metadata.uid, 'other'),
      controller: fc.boolean(),
      name: fc.constantFrom('owner', 'x'),
    })
    .map(reference)
  const anyLive = fc
    .record({ name, ownerReferences: fc.array(anyOwner, { maxLength: 2 }), namespace: fc.constantFrom('n', 'other') })
    .map(({ name, ...changes }) => stored(map(name), changes))

  test('nothing is deleted that our very owner does not decide about', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.array(anyLive, { maxLength: 5 }), (wanted, live) => {
        const deleted = plan(
          wanted.map((each) => map(each)),
          live,
        ).flatMap((step) => (step.do === 'delete' ? [step] : []))
        // Stated in raw facts: a mistake in the helpers must not hide itself.
        const mayGo = live.filter(
          ({ metadata }) =>
            metadata.namespace === 'n' &&
            metadata.ownerReferences?.find(({ controller }) => controller)?.uid === owner.metadata.uid,
        )
        expect(deleted.filter(({ key }) => !mayGo.some(({ metadata }) => metadata.name === key.name))).toEqual([])
        expect(deleted.filter(({ key }) => wanted.includes(key.name as 'a'))).toEqual([])
      }),
    )
  })

  test.each(anyKinds.map((kind) => [kind.resource.kind, kind] as const))(
    'applied once, %s is at rest',
    (_name, { resource, content }) => {
      fc.assert(
        fc.property(content, (rest) => {
          const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
          const wanted = { apiVersion, kind: resource.kind, metadata: { name: 'a' }, ...rest } as unknown as KubeObject
          const steps = plan([wanted], [], { kinds: [{ resource, live: [stored(wanted)] }] })
          expect(words(steps), steps[0]?.because).toEqual(['nothing a'])
        }),
        { numRuns: 50 },
      )
    },
  )
})
