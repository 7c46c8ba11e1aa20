import type { PodCondition } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { NOW } from './gen.ts'
import { patchConditions } from './patch-conditions.ts'

const before = '2026-11-16T01:00:00Z'
const now = '2026-11-16T02:00:00Z'
const type = 'SlurmNodeStateDrain'
const ready: PodCondition = { type: 'Ready', status: 'True', lastTransitionTime: before }
const drain: PodCondition = { type, status: 'True', message: 'old', lastTransitionTime: before }
const set = (status: 'True' | 'False', message: string) => ({ set: [{ type, status, message }], remove: [] })

describe('a line of Slurm on a pod prevents that', () => {
  test('NS-459: a new reason looks like a new drain, or is not told', () => {
    expect(patchConditions([ready, drain], set('True', 'new'), NOW)).toEqual({
      conditions: [{ type, status: 'True', message: 'new', lastTransitionTime: before }],
    })
  })

  test.each([
    ['another state looks as old as the one before', [ready, drain], 'False'],
    ['a new line takes the time of another one', [ready], 'True'],
    ['a line without a time stays without one', [{ type, status: 'True' }], 'True'],
  ] as const)('%s', (_accident, live, status) => {
    expect(patchConditions(live, set(status, 'old'), NOW)).toEqual({
      conditions: [{ type, status, message: 'old', lastTransitionTime: now }],
    })
  })

  test('a line that does not hold any more stays, or those of the kubelet go with it', () => {
    const patch = patchConditions([ready, drain], { set: [], remove: [type] }, NOW)
    expect(patch).toEqual({ conditions: [{ type, $patch: 'delete' }] }) // null would end all lines in a strategic patch
  })
})
