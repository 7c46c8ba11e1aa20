import type { KubeObject, ManagedFieldsEntry } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import type { LiveChild } from './child.ts'
import { takeBackPorts } from './take-back.ts'

interface Port {
  readonly name?: string
  readonly port: number
}

const element = ({ port }: Port) => `k:{"port":${port},"protocol":"TCP"}`
const fieldsOf = (...ports: readonly Port[]) => ({
  'f:spec': { 'f:ports': Object.fromEntries(ports.map((one) => [element(one), { '.': {}, 'f:port': {} }])) },
})
const entry = (
  manager: string,
  operation: string,
  fieldsV1: Readonly<Record<string, unknown>>,
): ManagedFieldsEntry => ({
  ...{ manager, operation, apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 },
})
const service = (ports: readonly Port[], managedFields?: readonly ManagedFieldsEntry[]) =>
  ({
    ...{ apiVersion: 'v1', kind: 'Service', spec: { ports: ports.map((port) => ({ protocol: 'TCP', ...port })) } },
    metadata: {
      name: 's',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '',
      ...(managedFields && { managedFields }),
    },
  }) as unknown as KubeObject & LiveChild

const ours = entry('engine', 'Apply', { 'f:spec': { 'f:type': {} } })
const wanted = service([
  { name: 'http', port: 80 },
  { name: 'metrics', port: 90 },
])
const taken = { name: 'http', port: 81 }
const own = { name: 'extra', port: 82 }

describe('notes about who set which port', () => {
  test('the port with our name becomes ours, and nothing else does', () => {
    const theirs = entry('somebody', 'Update', fieldsOf(taken, own))
    expect(takeBackPorts(wanted, service([taken, own], [ours, theirs]), 'engine')).toEqual([
      { ...ours, fieldsV1: { 'f:spec': { 'f:type': {}, ...fieldsOf(taken)['f:spec'] } } },
      { ...theirs, fieldsV1: fieldsOf(own) },
    ])
  })

  test('it is taken from everybody who has a hand in it', () => {
    const two = ['one', 'two'].map((name) => entry(name, 'Update', fieldsOf(taken)))
    const after = takeBackPorts(wanted, service([taken], [ours, ...two]), 'engine')
    expect(JSON.stringify(after?.slice(1))).not.toContain('"k:')
  })

  test.each([
    ['all ports are as wanted', [{ name: 'http', port: 80 }], 'v1', 'engine'],
    ['the port has another name', [own], 'v1', 'engine'],
    ['the port has no name, and ours have', [{ port: 81 }], 'v1', 'engine'],
    ['we never applied it', [taken], 'v1', 'other'],
    ['the notes are in the words of another version', [taken], 'v2', 'engine'],
  ])('nothing is taken: %s', (_name, ports, apiVersion, manager) => {
    const theirs = { ...entry('somebody', 'Update', fieldsOf(...ports)), apiVersion }
    expect(takeBackPorts(wanted, service(ports, [ours, theirs]), manager)).toBeUndefined()
  })

  test('mounts of the same volume and owners of the same name are different ones', () => {
    const deployment = (mountPath: string, uid: string, managedFields: readonly ManagedFieldsEntry[] = []) =>
      ({
        ...{ apiVersion: 'v1', kind: 'X', spec: { volumeMounts: [{ name: 'data', mountPath }] } },
        metadata: { name: 'x', uid: 'u', managedFields, ownerReferences: [{ name: 'o', uid }] },
      }) as unknown as KubeObject & LiveChild
    const theirs = entry('somebody', 'Update', {
      'f:spec': { 'f:volumeMounts': { 'k:{"mountPath":"/b"}': { '.': {} } } },
      'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"b"}': {} } },
    })
    expect(takeBackPorts(deployment('/a', 'a'), deployment('/b', 'b', [ours, theirs]), 'engine')).toBeUndefined()
  })

  test('ports of a container without names are different ones', () => {
    const pod = (containerPort: number, managedFields: readonly ManagedFieldsEntry[] = []) =>
      ({
        ...{ apiVersion: 'v1', kind: 'Pod', spec: { ports: [{ containerPort, protocol: 'TCP' }] } },
        metadata: { name: 'x', uid: 'u', managedFields },
      }) as unknown as KubeObject & LiveChild
    const fields = { 'f:ports': { 'k:{"containerPort":81,"protocol":"TCP"}': { '.': {} } } }
    const theirs = entry('somebody', 'Update', { 'f:spec': fields })
    expect(takeBackPorts(pod(80), pod(81, [ours, theirs]), 'engine')).toBeUndefined()
  })
})
