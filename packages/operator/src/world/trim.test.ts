import type { Live, Pod } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { FIELD_MANAGER, keepMetadata, keepPod, keepSpecified, keepWhole } from './trim.ts'

const metadata = {
  ...{ name: 'w-0', namespace: 'hpc', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  annotations: { note: 'long' },
  managedFields: [
    { manager: FIELD_MANAGER, operation: 'Apply', fieldsV1: { 'f:spec': {} } },
    { manager: 'kubelet', operation: 'Update', subresource: 'status', fieldsV1: { 'f:status': {} } },
  ],
}
const pod = (spec: object): Live<Pod> => ({ apiVersion: 'v1', kind: 'Pod', metadata, spec }) as unknown as Live<Pod>

describe('what caches keep prevents that', () => {
  test('pods hold the memory of their whole template', () => {
    const claim = { name: 'data', persistentVolumeClaim: { claimName: 'data-w-0' } }
    const volumes = [{ name: 'etc', projected: { sources: [] } }, claim]
    const kept = keepPod(pod({ nodeName: 'n1', containers: [{ name: 'slurmd', image: 'x' }], volumes }))
    expect(kept.spec).toEqual({ nodeName: 'n1', volumes: [claim] })
    expect(kept.metadata).not.toHaveProperty('managedFields')
  })

  test('a key without a value is taken for one with a value', () => {
    const { spec, status } = keepPod(pod({}))
    expect([Object.keys(spec), Object.keys(status)]).toEqual([[], []])
  })

  test('a Secret that nobody refers to is in memory with its annotations, which may hold all of it', () => {
    expect(Object.keys(keepMetadata({ metadata }).metadata).sort()).toEqual(
      ['creationTimestamp', 'name', 'namespace', 'resourceVersion', 'uid'].sort(),
    )
  })

  test('nobody knows which fields of a child are ours', () => {
    const kept = keepWhole({ apiVersion: 'v1', kind: 'Service', metadata })
    expect(kept.metadata.managedFields?.map(({ manager }) => manager)).toEqual([FIELD_MANAGER])
  })

  test('an object without a spec ends the pass over it', () => {
    const bare = { apiVersion: 'x/v1', kind: 'Token', metadata, spec: null as unknown as object }
    expect(keepSpecified(bare).spec).toEqual({})
  })
})
