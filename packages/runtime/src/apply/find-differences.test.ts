import { describe, expect, test } from 'vitest'
import { parseJson, type JsonObject, type KubeObject } from '@slurm-operator/kube'
import { describeDifferences } from './difference.ts'
import { findDifferences } from './find-differences.ts'
import { findOwnFields, keepOwnFields } from './owned-fields.ts'

const meta = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: '' }

interface Row {
  readonly name: string
  readonly type?: string
  readonly wanted: JsonObject
  readonly live: JsonObject
  readonly owned: JsonObject
  /** In words; '' if there is none. */
  readonly differs: string
}

const env = (fields: JsonObject) => ({ 'f:spec': { 'f:env': fields } })
const spec = (fields: JsonObject) => ({ 'f:spec': fields })
const A = { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } }
const B = { 'k:{"name":"B"}': { '.': {}, 'f:name': {}, 'f:value': {} } }

/** Variables, from texts such as `A=1`. */
const variables = (...texts: readonly string[]) => ({
  env: texts.map((text) => ({ name: text.slice(0, 1), value: text.slice(2) })),
})

const rows: readonly Row[] = [
  {
    name: 'fields that the server added around ours are no difference',
    wanted: { spec: { replicas: 1 } },
    live: { spec: { replicas: 1, paused: false, strategy: { type: 'x' } }, status: { replicas: 1 } },
    owned: spec({ 'f:replicas': {} }),
    differs: '',
  },
  {
    name: 'a field with another value is one',
    wanted: { spec: { replicas: 1 } },
    live: { spec: { replicas: 2 } },
    owned: spec({ 'f:replicas': {} }),
    differs: 'spec.replicas has another value',
  },
  {
    name: 'a field that somebody took away is one',
    wanted: { spec: { replicas: 1 } },
    live: { spec: {} },
    owned: spec({}),
    differs: 'spec has another value',
  },
  {
    name: 'zero is a value: a field that somebody set to one must go back',
    wanted: { spec: { replicas: 0, paused: false, text: '' } },
    live: { spec: { replicas: 1, paused: true, text: 'x' } },
    owned: spec({ 'f:replicas': {}, 'f:paused': {}, 'f:text': {} }),
    differs: 'spec.replicas has another value, spec.paused has another value, spec.text has another value',
  },
  {
    name: 'what is empty and ours need not be shown by the server',
    wanted: { spec: { paused: false, text: '', none: [], map: {}, zero: 0 } },
    live: { spec: {} },
    owned: spec({ 'f:paused': {}, 'f:text': {}, 'f:none': {}, 'f:map': {}, 'f:zero': {} }),
    differs: '',
  },
  {
    name: 'what was empty and is no longer must be sent, although it was ours',
    wanted: { spec: { paused: true } },
    live: { spec: {} },
    owned: spec({ 'f:paused': {} }),
    differs: 'spec.paused is missing',
  },
  {
    name: 'a field that we set before and no longer want is noticed',
    wanted: { spec: { replicas: 1 } },
    live: { spec: { replicas: 1, paused: true } },
    owned: spec({ 'f:replicas': {}, 'f:paused': {} }),
    differs: 'spec.paused is no longer wanted',
  },
  {
    name: 'a label that we set before and no longer want is noticed, those of others are not',
    wanted: { metadata: { labels: { a: '1' } } },
    live: { metadata: { labels: { a: '1', b: '1', theirs: '1' } } },
    owned: { 'f:metadata': { 'f:labels': { 'f:a': {}, 'f:b': {} } } },
    differs: 'metadata.labels.b is no longer wanted',
  },
  {
    name: 'a whole branch that we no longer want is one difference',
    wanted: { spec: { replicas: 1 } },
    live: { spec: { replicas: 1, strategy: { rollingUpdate: { maxSurge: 1 } } } },
    owned: spec({ 'f:replicas': {}, 'f:strategy': { 'f:rollingUpdate': { 'f:maxSurge': {} } } }),
    differs: 'spec.strategy is no longer wanted',
  },
  {
    name: 'what we no longer want and is gone anyway is none',
    wanted: { spec: { replicas: 1 } },
    live: { spec: { replicas: 1 } },
    owned: spec({ 'f:replicas': {}, 'f:strategy': { 'f:type': {} } }),
    differs: '',
  },
  {
    name: 'the right value that somebody else holds: we would not notice if it went',
    wanted: { spec: { replicas: 1, paused: true } },
    live: { spec: { replicas: 1, paused: true } },
    owned: spec({ 'f:replicas': {} }),
    differs: 'spec.paused is not held by us yet',
  },
  {
    name: 'elements of others between ours are no difference',
    wanted: { spec: variables('A=1', 'B=2') },
    live: { spec: variables('A=1', 'X=9', 'B=2') },
    owned: env({ ...A, ...B }),
    differs: '',
  },
  {
    name: 'the order of variables has a meaning',
    wanted: { spec: variables('A=1', 'B=2') },
    live: { spec: variables('B=2', 'A=1') },
    owned: env({ ...A, ...B }),
    differs: 'spec.env is in another order',
  },
  {
    name: 'an element that we no longer want is noticed',
    wanted: { spec: variables('A=1') },
    live: { spec: variables('A=1', 'B=2') },
    owned: env({ ...A, ...B }),
    differs: 'spec.env[name=B] is no longer wanted',
  },
  {
    name: 'all elements are gone from the wish',
    wanted: { spec: { env: [] } },
    live: { spec: variables('A=1') },
    owned: env(A),
    differs: 'spec.env[name=A] is no longer wanted',
  },
  {
    name: 'a value in an element, and a new element',
    wanted: { spec: variables('A=2', 'C=3') },
    live: { spec: variables('A=1') },
    owned: env(A),
    differs: 'spec.env[name=A].value has another value, spec.env[1] is missing',
  },
  {
    name: 'an empty list of elements makes nothing ours',
    wanted: { spec: { replicas: 1, env: [] }, metadata: { finalizers: [] } },
    live: { spec: { replicas: 1 } },
    owned: spec({ 'f:replicas': {} }),
    differs: '',
  },
  {
    name: 'a port without protocol is the one of TCP, not the one of UDP',
    type: 'v1 Service',
    wanted: { spec: { ports: [{ port: 80 }] } },
    live: { spec: { ports: [{ port: 80, protocol: 'UDP' }] } },
    owned: spec({ 'f:ports': { 'k:{"port":80,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} } } }),
    differs: 'spec.ports[0] is missing, spec.ports[port=80,protocol=UDP] is no longer wanted',
  },
  {
    name: 'a port without protocol is at rest with the one of TCP',
    type: 'v1 Service',
    wanted: { spec: { ports: [{ port: 80 }] } },
    live: { spec: { ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] } },
    owned: spec({ 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } } }),
    differs: '',
  },
  {
    name: 'a set has no order',
    wanted: { metadata: { finalizers: ['a', 'b'] } },
    live: { metadata: { finalizers: ['b', 'theirs', 'a'] } },
    owned: { 'f:metadata': { 'f:finalizers': { 'v:"a"': {}, 'v:"b"': {} } } },
    differs: '',
  },
  {
    name: 'an element of a set that we no longer want',
    wanted: { metadata: { finalizers: ['a'] } },
    live: { metadata: { finalizers: ['b', 'a'] } },
    owned: { 'f:metadata': { 'f:finalizers': { 'v:"a"': {}, 'v:"b"': {} } } },
    differs: 'metadata.finalizers[b] is no longer wanted',
  },
  {
    name: 'a list that is one value has an order and no strangers',
    wanted: { spec: { args: ['a', 'b'] } },
    live: { spec: { args: ['b', 'a'] } },
    owned: spec({ 'f:args': {} }),
    differs: 'spec.args has another value',
  },
  {
    name: 'a field that goes from an element of such a list is noticed',
    type: 'apps/v1 Deployment',
    wanted: { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } },
    live: { spec: { tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 5 }] } },
    owned: spec({ 'f:tolerations': {} }),
    differs: 'spec.tolerations has another value',
  },
  {
    name: 'what the server adds to the elements of such a list is not',
    type: 'apps/v1 StatefulSet',
    wanted: {
      spec: {
        volumeClaimTemplates: [
          { metadata: { name: 'd', labels: {} }, spec: { resources: { requests: { storage: '1024Mi' } } } },
        ],
      },
    },
    live: {
      spec: {
        volumeClaimTemplates: [
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: { name: 'd' },
            spec: { resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' },
            status: { phase: 'Pending' },
          },
        ],
      },
    },
    owned: spec({ 'f:volumeClaimTemplates': {} }),
    differs: '',
  },
  {
    name: 'no storage class is another wish than the default one',
    type: 'apps/v1 StatefulSet',
    wanted: { spec: { volumeClaimTemplates: [{ spec: { storageClassName: '' } }] } },
    live: { spec: { volumeClaimTemplates: [{ spec: {} }] } },
    owned: spec({ 'f:volumeClaimTemplates': {} }),
    differs: 'spec.volumeClaimTemplates has another value',
  },
  {
    name: 'what others add to a map that is one value is noticed',
    type: 'v1 Service',
    wanted: { spec: { selector: { app: 'x' } } },
    live: { spec: { selector: { app: 'x', more: 'y' } } },
    owned: spec({ 'f:selector': {} }),
    differs: 'spec.selector has another value',
  },
  {
    name: 'a selector that becomes empty selects all: it must be sent',
    type: 'policy/v1 PodDisruptionBudget',
    wanted: { spec: { selector: {} } },
    live: { spec: { selector: { matchLabels: { app: 'x' } } } },
    owned: spec({ 'f:selector': {} }),
    differs: 'spec.selector has another value',
  },
  {
    name: 'an empty struct that the server filled with its defaults is as wanted',
    type: 'apps/v1 Deployment',
    wanted: { spec: { strategy: {} } },
    live: { spec: { strategy: { type: 'RollingUpdate' } } },
    owned: spec({ 'f:strategy': {} }),
    differs: '',
  },
  {
    name: 'amounts are compared by what they are worth',
    wanted: { resources: { limits: { cpu: '1000m', memory: '1Gi', 'x/y': '2' } } },
    live: { resources: { limits: { cpu: '1', memory: '1024Mi', 'x/y': '3' } } },
    owned: { 'f:resources': { 'f:limits': { 'f:cpu': {}, 'f:memory': {}, 'f:x/y': {} } } },
    differs: 'resources.limits.x/y has another value',
  },
  {
    name: 'a label that looks like an amount is a text',
    wanted: { metadata: { labels: { limits: '1000m' } }, data: { cpu: '1000m' } },
    live: { metadata: { labels: { limits: '1' } }, data: { cpu: '1' } },
    owned: { 'f:metadata': { 'f:labels': { 'f:limits': {} } }, 'f:data': { 'f:cpu': {} } },
    differs: 'data.cpu has another value, metadata.labels.limits has another value',
  },
  {
    name: 'a number is not the text of it: the server keeps them apart',
    wanted: { spec: { maxSurge: 1 } },
    live: { spec: { maxSurge: '1' } },
    owned: spec({ 'f:maxSurge': {} }),
    differs: 'spec.maxSurge has another value',
  },
  {
    name: 'bytes are compared, not their spelling',
    type: 'v1 Secret',
    wanted: { data: { a: 'YQ', b: 'Yg==' } },
    live: { data: { a: 'YQ==', b: 'Yw==' } },
    owned: { 'f:data': { 'f:a': {}, 'f:b': {} } },
    differs: 'data.b has another value',
  },
  {
    name: 'moments are compared, not their spelling',
    wanted: { spec: { renewTime: '2030-01-01T01:00:00.000000+01:00' } },
    live: { spec: { renewTime: '2030-01-01T00:00:00.000000Z' } },
    owned: spec({ 'f:renewTime': {} }),
    differs: '',
  },
  {
    name: 'numbers that a double cannot hold are compared with all digits',
    wanted: { spec: parseJson('{"a":9007199254740993,"b":9007199254740993}') as JsonObject },
    live: { spec: parseJson('{"a":9007199254740993,"b":9007199254740992}') as JsonObject },
    owned: spec({ 'f:a': {}, 'f:b': {} }),
    differs: 'spec.b has another value',
  },
  {
    name: 'a null that a server leaves behind is nothing',
    wanted: { spec: { free: {} } },
    live: { spec: { free: null } },
    owned: spec({ 'f:free': {} }),
    differs: '',
  },
  {
    name: 'a field called __proto__ is a field',
    wanted: JSON.parse('{"data":{"__proto__":"x"}}') as JsonObject,
    live: JSON.parse('{"data":{"__proto__":"y"}}') as JsonObject,
    owned: JSON.parse('{"f:data":{"f:__proto__":{}}}') as JsonObject,
    differs: 'data.__proto__ has another value',
  },
]

describe('what counts as a difference', () => {
  test.each(rows)('$name', ({ type = 'example.com/v1 Thing', wanted, live, owned, differs }) => {
    const [apiVersion = '', kind = ''] = type.split(' ')
    const object = {
      ...wanted,
      apiVersion,
      kind,
      metadata: { ...(wanted['metadata'] as object), name: 'a', namespace: 'n' },
    } as KubeObject
    const found = findDifferences(object, { ...live, metadata: { ...meta, ...(live['metadata'] as object) } }, owned)
    expect(describeDifferences(found)).toBe(differs)
  })

  test('an object that we never applied is one difference', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    expect(describeDifferences(findDifferences(object, { metadata: meta }, undefined))).toBe(
      'all of it is not held by us yet',
    )
  })

  test('many differences are told in one line', () => {
    const differences = Array.from({ length: 9 }, (_, index) => ({ path: `p${index}`, why: 'changed' as const }))
    expect(describeDifferences(differences)).toMatch(/^p0 has another value, .*, and 5 more$/)
  })
})

describe('which fields are ours', () => {
  const entry = (manager: string, operation: string, more: object = {}) => ({
    manager,
    operation,
    apiVersion: 'v1',
    fieldsV1: { 'f:x': {} },
    ...more,
  })
  const entries = [
    entry('me', 'Update'),
    entry('other', 'Apply'),
    entry('me', 'Apply', { subresource: 'status' }),
    entry('me', 'Apply'),
  ]

  test('only what we applied, not what we or others wrote in another way', () => {
    expect(keepOwnFields(entries, 'me')).toEqual([entries[3]])
    expect(keepOwnFields(undefined, 'me')).toEqual([])
  })
  test('a trimmed object is read like a whole one', () => {
    const trimmed = { metadata: { ...meta, managedFields: keepOwnFields(entries, 'me') } }
    expect(findOwnFields(trimmed, 'me', 'v1')).toEqual({ 'f:x': {} })
  })
  test('fields of another version of the API have other names: apply again', () => {
    expect(findOwnFields({ metadata: { ...meta, managedFields: entries } }, 'me', 'v2')).toBeUndefined()
  })
})
