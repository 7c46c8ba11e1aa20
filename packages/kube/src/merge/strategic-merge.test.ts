import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json/json-value.ts'
import { applyStrategicMerge } from './apply-strategic-merge.ts'
import { createThreeWayPatch, createTwoWayPatch } from './create-strategic-patch.ts'
import { StrategicMergeError } from './directives.ts'
import { DEPLOYMENT, POD, podSchema } from './gen.ts'

interface Row {
  readonly name: string
  readonly spec: JsonObject
  readonly patch: JsonObject
  readonly after: JsonObject
}

const named = (...names: string[]) => names.map((name) => ({ name }))

// Every result is the one apimachinery 0.36 gives.
const rows: readonly Row[] = [
  {
    name: 'maps are merged, null deletes',
    spec: { nodeSelector: { a: '1', b: '2' } },
    patch: { nodeSelector: { a: null, c: '3' } },
    after: { nodeSelector: { b: '2', c: '3' } },
  },
  {
    name: 'nulls in a new map are dropped',
    spec: {},
    patch: { affinity: { nodeAffinity: { x: null } } },
    after: { affinity: { nodeAffinity: {} } },
  },
  {
    name: 'a list without key is replaced',
    spec: { tolerations: [{ key: 'a' }] },
    patch: { tolerations: [{ key: 'b' }] },
    after: { tolerations: [{ key: 'b' }] },
  },
  {
    name: 'containers are merged by name',
    spec: { containers: [{ name: 'a', image: '1' }, { name: 'b' }] },
    patch: { containers: [{ name: 'a', tty: true }] },
    after: { containers: [{ name: 'a', image: '1', tty: true }, { name: 'b' }] },
  },
  {
    name: 'new elements go before those nobody spoke about',
    spec: { containers: named('a') },
    patch: { containers: named('b') },
    after: { containers: named('b', 'a') },
  },
  {
    name: 'the order of the patch wins',
    spec: { containers: named('a', 'b', 'c', 'd') },
    patch: { containers: named('d', 'n', 'b') },
    after: { containers: named('a', 'c', 'd', 'n', 'b') },
  },
  {
    name: 'an empty list changes nothing',
    spec: { containers: named('a') },
    patch: { containers: [] },
    after: { containers: named('a') },
  },
  {
    name: 'ports of one number are told apart by nobody',
    spec: { containers: [{ name: 'a', ports: [{ containerPort: 1 }, { containerPort: 1, protocol: 'UDP' }] }] },
    patch: { containers: [{ name: 'a', ports: [{ containerPort: 1, name: 'q' }] }] },
    after: {
      containers: [
        {
          name: 'a',
          ports: [
            { containerPort: 1, name: 'q' },
            { containerPort: 1, protocol: 'UDP' },
          ],
        },
      ],
    },
  },
  {
    name: 'another kind of value replaces',
    spec: { containers: named('a') },
    patch: { containers: { x: null } },
    after: { containers: {} },
  },
  {
    name: '$patch: delete empties a map',
    spec: { nodeSelector: { a: '1' } },
    patch: { nodeSelector: { $patch: 'delete' } },
    after: { nodeSelector: {} },
  },
  {
    name: '$patch: replace replaces a map',
    spec: { nodeSelector: { a: '1' } },
    patch: { nodeSelector: { $patch: 'replace', b: '2' } },
    after: { nodeSelector: { b: '2' } },
  },
  {
    name: '$patch on a map that is not there does nothing',
    spec: {},
    patch: { nodeSelector: { $patch: 'replace', b: '2' } },
    after: {},
  },
  {
    name: '$patch: delete deletes an element',
    spec: { containers: named('a', 'b') },
    patch: { containers: [{ $patch: 'delete', name: 'a' }] },
    after: { containers: named('b') },
  },
  {
    name: '$patch: replace replaces a list',
    spec: { containers: named('a', 'b') },
    patch: { containers: [{ $patch: 'replace' }, { name: 'c' }] },
    after: { containers: named('c') },
  },
  {
    name: '$setElementOrder alone reorders',
    spec: { containers: named('a', 'b') },
    patch: { '$setElementOrder/containers': named('b', 'a') },
    after: { containers: named('b', 'a') },
  },
  {
    name: '$setElementOrder leaves room for strangers',
    spec: { containers: named('z', 'y', 'x') },
    patch: { '$setElementOrder/containers': named('n', 'x', 'z'), containers: named('n') },
    after: { containers: named('n', 'y', 'x', 'z') },
  },
  {
    name: '$setElementOrder of a list that is not there',
    spec: {},
    patch: { '$setElementOrder/containers': named('a') },
    after: {},
  },
  {
    name: 'an element deleted while another comes',
    spec: { containers: named('a', 'b') },
    patch: {
      '$setElementOrder/containers': named('a', 'c'),
      containers: [{ name: 'a', $patch: 'delete' }, { name: 'c' }],
    },
    after: { containers: named('b', 'c') },
  },
  {
    name: '$retainKeys clears the other members',
    spec: { volumes: [{ name: 'a', emptyDir: {} }] },
    patch: { volumes: [{ name: 'a', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/' } }] },
    after: { volumes: [{ name: 'a', hostPath: { path: '/' } }] },
  },
  {
    name: '$deleteFromPrimitiveList works on any list of scalars',
    spec: { containers: [{ name: 'a', command: ['x', 'y'] }] },
    patch: { containers: [{ name: 'a', '$deleteFromPrimitiveList/command': ['x'] }] },
    after: { containers: [{ name: 'a', command: ['y'] }] },
  },
  {
    name: 'no directive is left in a new element',
    spec: { volumes: [] },
    patch: { volumes: [{ name: 'a', $retainKeys: ['name'] }] },
    after: { volumes: named('a') },
  },
]

const applyToSpec = (spec: JsonObject, patch: JsonObject) =>
  applyStrategicMerge({ spec }, { spec: patch }, podSchema, POD)

describe('strategic merge does what the server does', () => {
  test.each(rows)('$name', ({ spec, patch, after }) => expect(applyToSpec(spec, patch)).toEqual({ spec: after }))

  test('finalizers are a set with an order', () => {
    const merge = (patch: JsonObject) =>
      applyStrategicMerge({ metadata: { finalizers: ['a', 'b', 'c'] } }, { metadata: patch }, podSchema, POD)
    expect(merge({ finalizers: ['d', 'a'] })).toEqual({ metadata: { finalizers: ['d', 'a', 'b', 'c'] } })
    expect(merge({ '$deleteFromPrimitiveList/finalizers': ['b', 'z'] })).toEqual({
      metadata: { finalizers: ['a', 'c'] },
    })
    expect(merge({ '$deleteFromPrimitiveList/finalizers': null })).toEqual({ metadata: {} })
    expect(
      merge({
        '$setElementOrder/finalizers': ['c', 'd', 'a'],
        finalizers: ['d'],
        '$deleteFromPrimitiveList/finalizers': ['b'],
      }),
    ).toEqual({ metadata: { finalizers: ['c', 'd', 'a'] } })
  })
  test('the whole document can be replaced or emptied', () => {
    expect(applyStrategicMerge({ a: 1 }, { $patch: 'replace', b: 2 }, podSchema, POD)).toEqual({ b: 2 })
    expect(applyStrategicMerge({ a: 1 }, { $patch: 'delete' }, podSchema, POD)).toEqual({})
  })
  test('keys are data: no prototype is read or poisoned', () => {
    const patch = JSON.parse('{"__proto__":{"bad":true},"constructor":{"x":1}}') as JsonObject
    const after = applyStrategicMerge({}, patch, podSchema, POD) as Record<string, unknown>
    expect(after['bad']).toBeUndefined()
    expect(JSON.stringify(after)).toBe('{"__proto__":{"bad":true},"constructor":{"x":1}}')
    expect(applyStrategicMerge({ a: [1] }, { a: [2] }, podSchema, 'constructor')).toEqual({ a: [2] })
  })
  test('neither argument is changed', () => {
    const original = Object.freeze({ spec: Object.freeze({ containers: Object.freeze(named('a')) }) })
    const patch = Object.freeze({ spec: Object.freeze({ containers: Object.freeze([{ name: 'a', image: 'x' }]) }) })
    expect(applyStrategicMerge(original, patch, podSchema, POD)).toEqual(patch)
  })
})

const refused: readonly (readonly [string, JsonObject])[] = [
  ['an unknown $patch for a map', { nodeSelector: { $patch: 'merge' } }],
  ['an unknown $patch for an element', { containers: [{ $patch: 'merge', name: 'a' }] }],
  ['an element without key', { containers: [{ image: 'x' }] }],
  ['a deletion without key', { containers: [{ $patch: 'delete' }] }],
  ['mixed elements', { containers: ['a'] }],
  ['null elements', { containers: [null] }],
  ['an order that is no list', { '$setElementOrder/containers': 5 }],
  ['an order of something that is no list', { '$setElementOrder/nodeSelector': [] }],
  ['an order of other things', { '$setElementOrder/containers': ['a'] }],
  ['an order that the patch contradicts', { '$setElementOrder/containers': named('a'), containers: named('q') }],
  ['$retainKeys that is no list', { nodeSelector: { $retainKeys: 'a' } }],
  ['a key that $retainKeys does not list', { nodeSelector: { $retainKeys: ['a'], b: '1' } }],
]

describe('a patch that contradicts itself is refused', () => {
  test.each(refused)('%s', (_name, patch) => {
    const spec = { nodeSelector: { a: '1' }, containers: named('a') }
    expect(() => applyToSpec(spec, patch)).toThrow(StrategicMergeError)
  })
})

describe('created patches', () => {
  const two = (original: JsonObject, modified: JsonObject) =>
    createTwoWayPatch({ spec: original }, { spec: modified }, podSchema, POD)
  const three = (original: JsonObject, modified: JsonObject, current: JsonObject, type = POD) =>
    createThreeWayPatch(
      { original: { spec: original }, modified: { spec: modified }, current: { spec: current } },
      podSchema,
      type,
    )

  test('nothing to change is an empty patch', () => {
    expect(two({ containers: named('a') }, { containers: named('a') })).toEqual({})
    expect(three({}, { nodeSelector: { a: '1' } }, { nodeSelector: { a: '1', b: '2' } })).toEqual({})
  })
  test('one changed image names one container', () => {
    expect(
      two(
        { containers: [{ name: 'a', image: '1' }, { name: 'b' }] },
        { containers: [{ name: 'a', image: '2' }, { name: 'b' }] },
      ),
    ).toEqual({
      spec: { '$setElementOrder/containers': named('a', 'b'), containers: [{ name: 'a', image: '2' }] },
    })
  })
  test('what others added stays, what we no longer want goes', () => {
    expect(
      three(
        { nodeSelector: { a: '1', b: '2' } },
        { nodeSelector: { a: '1' } },
        { nodeSelector: { a: '1', b: '2', c: '3' } },
      ),
    ).toEqual({ spec: { nodeSelector: { b: null } } })
    expect(
      three({ containers: named('a', 'b') }, { containers: named('a') }, { containers: named('a', 'b', 'sidecar') }),
    ).toEqual({
      spec: { '$setElementOrder/containers': named('a'), containers: [{ $patch: 'delete', name: 'b' }] },
    })
  })
  test('what is gone already is not deleted again', () => {
    expect(three({ nodeSelector: { a: '1' } }, { nodeSelector: {} }, { nodeSelector: {} })).toEqual({})
  })
  test('a volume that changes its kind forgets the old one, whoever wrote it', () => {
    expect(
      three({}, { volumes: [{ name: 'a', hostPath: { path: '/' } }] }, { volumes: [{ name: 'a', emptyDir: {} }] }),
    ).toEqual({
      spec: {
        '$setElementOrder/volumes': named('a'),
        volumes: [{ name: 'a', $retainKeys: ['hostPath', 'name'], hostPath: { path: '/' } }],
      },
    })
  })
  test('a member that the server added is forgotten even if nothing else changes', () => {
    const patch = three({}, { strategy: { type: 'x' } }, { strategy: { type: 'x', rollingUpdate: {} } }, DEPLOYMENT)
    expect(patch).toEqual({ spec: { strategy: { $retainKeys: ['type'] } } })
  })
  test('a strategy forgets the members of the old one', () => {
    const patch = three(
      {},
      { strategy: { type: 'Recreate' } },
      { strategy: { type: 'RollingUpdate', rollingUpdate: {} } },
      DEPLOYMENT,
    )
    expect(patch).toEqual({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } })
  })
  test('two ports of one number survive', () => {
    const ports = [
      { containerPort: 1, protocol: 'TCP' },
      { containerPort: 1, protocol: 'UDP' },
    ]
    const original = { containers: [{ name: 'a', ports: [{ containerPort: 1, protocol: 'TCP' }] }] }
    const modified = { containers: [{ name: 'a', ports }] }
    expect(applyToSpec(original, two(original, modified)['spec'] as JsonObject)).toEqual({ spec: modified })
  })
  test('elements that cannot be told apart are refused', () => {
    expect(() => two({ containers: [{ image: 'x' }] }, { containers: named('a') })).toThrow(StrategicMergeError)
  })
})
