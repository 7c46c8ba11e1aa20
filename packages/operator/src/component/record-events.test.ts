import type { Happening } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import { stateOf, type Reason } from '../reasons/reasons.ts'
import { recordState } from './record-events.ts'
import type { Obstacle } from './room.ts'

const object = (reason?: string) =>
  ({
    kind: 'LoginSet',
    status: reason === undefined ? undefined : { conditions: [{ type: 'Ready', reason }] },
  }) as never
const told = (reason: Reason, before?: string, obstacles: readonly Obstacle[] = []) => {
  const happenings: Happening[] = []
  recordState((one) => void happenings.push(one), object(before), stateOf(reason, 'x'), obstacles)
  return happenings.map((one) => one.reason)
}

describe('Events about the state of an object prevent that', () => {
  test('nobody learns that only a person can help', () => {
    expect(told('InvalidSpec')).toEqual(['SyncFailed'])
    expect(told('InvalidSpec', 'WaitingForReference')).toEqual(['SyncFailed'])
  })

  test('the same is told in every pass', () => {
    expect(told('InvalidSpec', 'InvalidSpec')).toEqual([])
  })

  test('every new cluster is told to have failed while its volumes are made', () => {
    expect(told('ClaimPending')).toEqual([])
    expect(told('ImageCannotBePulled')).toEqual([])
    expect(told('Starting')).toEqual([])
  })

  test('those who look for ControllerRefFailed see nothing', () => {
    const obstacle = { reason: 'WaitingForReference', because: 'x', event: 'ControllerRefFailed' } as const
    expect(told('WaitingForReference', undefined, [obstacle])).toEqual(['ControllerRefFailed'])
  })
})
