import { nodeSetResource } from '@slurm-operator/api'
import { podResource } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { NAMESPACE } from './objects.ts'
import { observePromises } from './promises.ts'
import { createSimulatedCluster, type SimulatedCluster } from './simulated-cluster.ts'
import { readyForMs } from './worker-pods.ts'

const HOUR_MS = 3_600_000

interface Scene {
  readonly cluster: SimulatedCluster
  readonly broken: readonly string[]
  readonly pass: (seconds: number) => Promise<void>
  readonly scaleTo: (replicas: number) => Promise<void>
  readonly readyPods: () => string[]
  /** An administrator gives an order about `gpu-0`. */
  readonly order: (change: { readonly state: string; readonly reason?: string }) => void
  readonly submit: (runMs: number) => void
  /** Until a list has just come, after which Slurm is not asked for half a minute. */
  readonly untilListed: () => Promise<void>
}

/** A NodeSet that has been at rest for five minutes, so that Slurm is asked for a list every half minute. */
async function atRest(replicas: number): Promise<Scene> {
  const nodes = Array.from({ length: replicas + 1 }, () => 'gpu')
  const cluster = await createSimulatedCluster('clock-jumps', { nodes, nodeSets: { gpu: { replicas } } })
  const { clock } = cluster.world
  const { broken, look } = observePromises(cluster)
  const pass = async (seconds: number): Promise<void> => {
    for (let left = seconds; left > 0; left -= 5) {
      await clock.advance(5_000)
      look()
    }
  }
  await pass(360)
  const lists = () => cluster.slurm.requests.filter(({ line }) => line.startsWith('GET /nodes')).length
  const key = { namespace: NAMESPACE, name: 'gpu' }
  return {
    ...{ cluster, broken, pass },
    scaleTo: async (wanted) => {
      const body = { spec: { replicas: wanted } }
      await cluster.users.resource(nodeSetResource).patch(key, { type: 'merge', body })
    },
    readyPods: () =>
      cluster.server
        .all(podResource)
        .flatMap((pod) => (readyForMs(pod, clock.now()) === undefined ? [] : [pod.metadata.name])),
    order: (change) =>
      cluster.machines.excuse('an administrator', () => cluster.slurm.orders.updateNode('gpu-0', change)),
    submit: (runMs) => void cluster.slurm.orders.submitJob({ runMs, requeue: false, requiredNodes: ['gpu-0'] }),
    untilListed: async () => {
      const before = lists()
      for (let left = 60; left > 0 && lists() === before; left--) await clock.advance(1_000)
      await clock.advance(2_000)
    },
  }
}

/** The clock of the machines is set; that of Slurm, which is elsewhere, is not. */
const jumps = [
  { name: 'set back by an hour', byMs: -HOUR_MS },
  { name: 'set forward by an hour, as after a sleep', byMs: HOUR_MS },
]

describe.each(jumps)('although the clock is $name, it is prevented that', ({ byMs }) => {
  test('a job dies that began after the last list, on a node that an administrator has given back', async () => {
    const { cluster, broken, pass, scaleTo, readyPods, order, submit, untilListed } = await atRest(1)
    order({ state: 'DRAIN', reason: 'broken fan' })
    await untilListed()
    cluster.world.clock.jumpWallClock(byMs)
    order({ state: 'UNDRAIN' })
    submit(60_000)
    await cluster.world.clock.advance(3_000)
    expect(cluster.slurm.truth.jobs().map(({ state }) => state)).toEqual(['RUNNING'])
    await scaleTo(0)
    await pass(20)
    expect([readyPods(), broken, cluster.machines.lostJobs]).toEqual([['gpu-0'], [], []])
    await pass(120)
    expect([readyPods(), broken, cluster.machines.lostJobs]).toEqual([[], [], []])
  })

  test('the drain of an administrator is overwritten because the last list is half a minute old', async () => {
    const { cluster, broken, pass, scaleTo, readyPods, order, submit, untilListed } = await atRest(1)
    submit(60_000)
    await untilListed()
    cluster.world.clock.jumpWallClock(byMs)
    order({ state: 'DRAIN', reason: 'broken fan' })
    await scaleTo(0)
    await cluster.world.clock.advance(1_000)
    expect(cluster.slurm.truth.node('gpu-0')?.record.reason).toBe('broken fan')
    await pass(180)
    expect([readyPods(), broken, cluster.machines.lostJobs]).toEqual([[], [], []])
  })

  test('an idle worker never leaves, because every word of Slurm is too old', async () => {
    const { cluster, broken, pass, scaleTo, readyPods } = await atRest(2)
    cluster.world.clock.jumpWallClock(byMs)
    await scaleTo(1)
    await pass(60)
    expect([readyPods(), broken]).toEqual([['gpu-0'], []])
  })
})
