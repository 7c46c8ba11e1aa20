import type { ManagedFieldsEntry } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { FIELD_MANAGER, keepWhole } from '../world/trim.ts'
import { uniteFields } from './take-over-fields.ts'

const owners = { 'f:ownerReferences': { '.': {} } }
const ours: ManagedFieldsEntry = {
  manager: FIELD_MANAGER,
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:metadata': owners, 'f:spec': { 'f:ports': { 'k:{"port":1}': { '.': {}, 'f:port': {} } } } },
}
const theirs: ManagedFieldsEntry = {
  manager: 'manager',
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:metadata': owners, 'f:spec': { 'f:ports': { 'k:{"port":2}': { '.': {} } }, 'f:type': {} } },
}
const person: ManagedFieldsEntry = {
  ...theirs,
  manager: 'kubectl-edit',
  fieldsV1: { 'f:metadata': { 'f:labels': { 'f:mine': {} } } },
}

describe('taking over fields prevents that', () => {
  test('a field that the former operator set can never be removed again', () => {
    expect(uniteFields([theirs, ours])).toEqual([
      {
        ...ours,
        fieldsV1: {
          'f:metadata': owners,
          'f:spec': {
            'f:ports': { 'k:{"port":1}': { '.': {}, 'f:port': {} }, 'k:{"port":2}': { '.': {} } },
            'f:type': {},
          },
        },
      },
    ])
  })

  test('what a person added to an object of ours is removed', () => {
    expect(uniteFields([ours, person])).toBeUndefined()
    expect(uniteFields([ours, person, theirs])).toContain(person)
  })

  test('an object counts as ours before we applied it, and its pods restart', () => {
    expect(uniteFields([theirs, person])).toBeUndefined()
  })

  test.each<[string, Partial<ManagedFieldsEntry>]>([
    ['Kubernetes itself loses fields', { manager: 'kube-controller-manager' }],
    ['a status is taken over', { subresource: 'status' }],
    ['another applier loses fields', { operation: 'Apply' }],
    ['fields are mixed up between versions of the API', { apiVersion: 'v2' }],
  ])('%s', (_accident, difference) => {
    expect(uniteFields([ours, { ...theirs, ...difference }])).toBeUndefined()
  })

  test('the cache forgets that there is something to take over, or keeps all of it', () => {
    const metadata = { name: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: '' }
    const kept = keepWhole({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, managedFields: [theirs, ours, person] },
    }).metadata.managedFields
    expect(uniteFields(kept ?? [])).toBeDefined()
    expect(JSON.stringify(kept)).not.toMatch(/f:mine|f:type/)
  })
})
