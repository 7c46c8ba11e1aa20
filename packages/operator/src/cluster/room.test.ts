import type { ConnectionHealth, SlurmConnection } from '@slurm-operator/slurm'
import { unknown } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { passThrough } from '../testing/build-in-still-world.ts'
import { clusterRoom } from './room.ts'

const cluster = (spec: object) => ({
  apiVersion: 'slinky.slurm.net/v1beta1',
  kind: 'Cluster',
  metadata: { name: 'prod', generation: 4 },
  spec,
})
const controller = { apiVersion: 'slinky.slurm.net/v1beta1', kind: 'Controller', metadata: { name: 'prod' }, spec: {} }

function connectionIn(state: ConnectionHealth['state']): Partial<SlurmConnection> {
  const health = { state, sinceMs: 0, lastContactMs: undefined } as ConnectionHealth
  const view = { nodes: () => unknown('unreachable'), jobs: () => unknown('unreachable') }
  return { health: () => health, view: view as unknown as SlurmConnection['view'] }
}

async function judge(connection: Partial<SlurmConnection> | undefined) {
  const object = cluster({ controllerRef: { name: 'prod' } })
  const { at, facts } = await passThrough(clusterRoom, object, { objects: [controller], namespace: 'hpc', connection })
  return clusterRoom.judge(at, facts)
}

describe('a Cluster prevents that', () => {
  test('before anybody has asked Slurm it is said to be away', async () => {
    const unasked = [await judge(undefined), await judge(connectionIn('connecting'))]
    for (const { fields, conditions } of unasked) {
      expect(fields).toMatchObject({ isReady: false })
      expect(conditions).toMatchObject([{ type: 'SlurmReachable', status: 'Unknown', observedGeneration: 4 }])
    }
  })

  test('Ready and SlurmReachable contradict each other', async () => {
    for (const [state, status] of [
      ['reachable', 'True'],
      ['unreachable', 'False'],
      ['refused', 'False'],
    ] as const) {
      const { state: told, fields, conditions } = await judge(connectionIn(state))
      expect(conditions).toMatchObject([{ status, reason: told.reason, message: told.because }])
      expect(fields).toMatchObject({ isReady: status === 'True' })
    }
  })

  test('nobody learns which object is missing', async () => {
    const read = async (spec: object) => {
      const { wish } = await passThrough(clusterRoom, cluster(spec), { objects: [], namespace: 'hpc' })
      return wish.obstacles.map(({ because }) => because)
    }
    expect(await read({ controllerRef: { name: 'other' } })).toEqual([
      'Controller other does not exist, but Cluster prod needs it.',
    ])
    expect(await read({ server: 'https://slurm.example.com', token: { secretRef: { name: 't' } } })).toEqual([
      'Secret t with the entry auth-token does not exist, but Cluster prod needs it.',
    ])
  })
})
