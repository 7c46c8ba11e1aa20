import type { StatefulSet } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { FIELD_MANAGER, type Kept } from '../world/trim.ts'
import { adaptToLive, ADOPTED_TEMPLATE } from './adapt-to-live.ts'

const template = (script: string) => ({
  metadata: {},
  spec: { containers: [{ name: 'slurmctld', command: ['sh', '-c', script] }] },
})
const set = (script: string, more: object = {}): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 's', namespace: 'n' },
  spec: { selector: {}, serviceName: 's', template: template(script), ...more },
})
const ours = [{ manager: FIELD_MANAGER, operation: 'Apply' }]
const live = (from: StatefulSet, managedFields: readonly object[], annotations: object = {}) =>
  ({
    ...from,
    metadata: { ...from.metadata, uid: 'u', resourceVersion: '1', creationTimestamp: '', managedFields, annotations },
  }) as unknown as Kept<StatefulSet>
const adapt = (wanted: StatefulSet, found: Kept<StatefulSet> | undefined) =>
  adaptToLive(wanted, { caches: { statefulSets: { get: () => found } } } as never) as StatefulSet
const scriptOf = ({ spec }: StatefulSet) => spec?.template.spec?.containers[0]?.command?.[2]

describe('taking over a workload prevents that', () => {
  test('a change of operators restarts slurmctld', () => {
    const adopted = adapt(set('ours'), live(set('theirs'), []))
    expect(scriptOf(adopted)).toBe('theirs')
    const next = adapt(set('ours'), live(adopted, ours, adopted.metadata.annotations))
    expect(scriptOf(next)).toBe('theirs')
    expect(next.metadata.annotations).toEqual(adopted.metadata.annotations)
  })

  test('a change by the user does not reach a workload that was taken over', () => {
    const adopted = adapt(set('ours'), live(set('theirs'), []))
    const next = adapt(set('ours, changed'), live(adopted, ours, adopted.metadata.annotations))
    expect(scriptOf(next)).toBe('ours, changed')
    expect(next.metadata.annotations?.[ADOPTED_TEMPLATE]).toBeUndefined()
  })

  test('drift of our own workload is taken for a take-over', () => {
    expect(scriptOf(adapt(set('ours'), live(set('edited by hand'), ours)))).toBe('ours')
  })

  test('a policy that cannot be changed makes every write fail', () => {
    const found = live(set('ours', { podManagementPolicy: 'OrderedReady' }), ours)
    expect(adapt(set('ours', { podManagementPolicy: 'Parallel' }), found).spec?.podManagementPolicy).toBe(
      'OrderedReady',
    )
    expect(adapt(set('ours', { podManagementPolicy: 'Parallel' }), undefined).spec?.podManagementPolicy).toBe(
      'Parallel',
    )
  })
})
