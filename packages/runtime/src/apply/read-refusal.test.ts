import { describe, expect, test } from 'vitest'
import { KubeError, type FailureCause, type FailureReason } from '@slurm-operator/kube'
import { readRefusal } from './read-refusal.ts'

const changed = (...paths: string[]) => paths.map((path) => ({ path, why: 'changed' as const }))
const failure = (causes: readonly FailureCause[], reason: FailureReason = 'Invalid', detail = 'no') =>
  new KubeError({ reason, request: 'apply x', detail, causes })
const cause = (field: string, message: string, reason = 'FieldValueInvalid'): FailureCause => ({
  field,
  message,
  reason,
})

const statefulSet = `Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden`

describe('a server of 1.36 says that a field cannot be changed', () => {
  const rows = [
    {
      name: 'StatefulSet',
      cause: cause('spec', statefulSet),
      differs: ['spec.serviceName', 'spec.replicas', 'spec.template.spec.x', 'metadata.labels.a'],
      fields: ['spec.serviceName'],
    },
    {
      name: 'Service',
      cause: cause('spec.clusterIPs[0]', 'Invalid value: ["None"]: may not change once set'),
      differs: ['spec.clusterIP'],
      fields: ['spec.clusterIPs[0]'],
    },
    {
      name: 'Deployment',
      cause: cause('spec.selector', 'Invalid value: {}: field is immutable'),
      differs: ['spec.selector', 'spec.replicas'],
      fields: ['spec.selector'],
    },
    {
      name: 'ConfigMap',
      cause: cause('data', 'Forbidden: field is immutable when `immutable` is set'),
      differs: ['data.a', 'data.b'],
      fields: ['data.a', 'data.b'],
    },
    {
      name: 'claim',
      cause: cause(
        'spec',
        'Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -1',
      ),
      differs: ['spec.accessModes'],
      fields: ['spec.accessModes'],
    },
  ]
  test.each(rows)('$name', ({ cause, differs, fields }) => {
    expect(readRefusal(failure([cause]), changed(...differs))).toEqual({ kind: 'immutable', fields })
  })
})

describe('everything else', () => {
  test('an object that the server does not accept names its fields', () => {
    const error = failure([cause('spec.containers', 'Required value'), cause('spec.containers', 'Required value')])
    expect(readRefusal(error, [])).toEqual({ kind: 'invalid', fields: ['spec.containers'] })
  })
  test('an object that does not fit its schema is no trouble of the server, although it says so', () => {
    const detail =
      'failed to create typed patch object (n/s; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string'
    expect(readRefusal(failure([], 'InternalError', detail), [])).toEqual({
      kind: 'invalid',
      fields: ['spec.replicas'],
    })
  })
  test('another object that got the name meanwhile is no reason to give up', () => {
    expect(readRefusal(failure([cause('metadata.uid', 'field is immutable')]), [])).toBeUndefined()
  })
  test.each(['Conflict', 'Timeout', 'InternalError', 'Forbidden'] as const)('%s may go better next time', (reason) => {
    expect(readRefusal(failure([], reason), [])).toBeUndefined()
  })
  test('what is no answer of a server', () => expect(readRefusal(new Error('x'), [])).toBeUndefined())
})
