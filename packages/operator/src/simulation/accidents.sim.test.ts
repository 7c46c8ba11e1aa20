import { nodeSetResource } from '@slurm-operator/api'
import { podResource, printTime } from '@slurm-operator/kube'
import { createGate, peace } from '@slurm-operator/testkit'
import { describe, expect, test } from 'vitest'
import { NAMESPACE } from './objects.ts'
import { observePromises } from './promises.ts'
import { createSimulatedCluster, type SimulatedCluster } from './simulated-cluster.ts'
import { readyForMs } from './worker-pods.ts'

interface Scene {
  readonly cluster: SimulatedCluster
  readonly broken: readonly string[]
  readonly pass: (seconds: number) => Promise<void>
  readonly edit: (spec: object) => Promise<void>
  readonly readyPods: () => string[]
  /** What the operator ordered of Slurm so far. */
  readonly orders: () => string[]
}

/** A NodeSet that has come to rest on as many Kube nodes as it wants, and one more. */
async function settle(spec: { readonly replicas: number }): Promise<Scene> {
  const nodes = Array.from({ length: spec.replicas + 1 }, () => 'gpu')
  const cluster = await createSimulatedCluster('accidents', { nodes, nodeSets: { gpu: spec } })
  const { broken, look } = observePromises(cluster)
  const pass = async (seconds: number): Promise<void> => {
    for (let left = seconds; left > 0; left -= 5) {
      await cluster.world.clock.advance(5_000)
      look()
    }
  }
  await pass(60)
  const pods = () => cluster.server.all(podResource)
  return {
    ...{ cluster, broken, pass },
    edit: async (change) => {
      const key = { namespace: NAMESPACE, name: 'gpu' }
      await cluster.users.resource(nodeSetResource).patch(key, { type: 'merge', body: { spec: change } })
    },
    readyPods: () =>
      pods().flatMap((pod) => (readyForMs(pod, cluster.world.clock.now()) === undefined ? [] : [pod.metadata.name])),
    orders: () => cluster.slurm.requests.map(({ line }) => line).filter((line) => !line.startsWith('GET')),
  }
}

const hour = { runMs: 3_600_000, requeue: false }

describe('a NodeSet prevents that', () => {
  test('jobs die because Slurm answers with empty lists while a new operator scales in', async () => {
    const { cluster, broken, pass, edit, readyPods } = await settle({ replicas: 3 })
    for (const node of ['gpu-0', 'gpu-1', 'gpu-2']) cluster.slurm.orders.submitJob({ ...hour, requiredNodes: [node] })
    await pass(10)
    const end = cluster.slurm.misbehave({ kind: 'empty-list' })
    cluster.killOperator(1_000)
    await edit({ replicas: 0 })
    await pass(600)
    expect(readyPods()).toEqual(['gpu-0', 'gpu-1', 'gpu-2'])
    end()
    await pass(4_000)
    expect(readyPods()).toEqual([])
    expect([broken, cluster.machines.lostJobs]).toEqual([[], []])
  })

  test('a job dies in a pod that has started while the watch was late', async () => {
    const { cluster, broken, pass, edit } = await settle({ replicas: 1 })
    const gate = createGate()
    await edit({ replicas: 2 })
    await cluster.world.clock.advance(300)
    cluster.world.follow({
      ...peace,
      message: ({ step }) => (step.path.includes('/pods?') ? { do: 'hold', gate } : { do: 'deliver' }),
    })
    cluster.slurm.orders.submitJob({ ...hour, tasks: 2 })
    cluster.slurm.orders.submitJob({ ...hour, tasks: 2 })
    await pass(40)
    await edit({ replicas: 1 })
    await pass(20)
    gate.open()
    cluster.world.follow(peace)
    await pass(60)
    expect([broken, cluster.machines.lostJobs]).toEqual([[], []])
  })

  test('lost workers are not made again because Slurm is silent', async () => {
    const { cluster, broken, pass, readyPods } = await settle({ replicas: 3 })
    cluster.slurm.endRestd()
    await pass(60)
    for (const { metadata } of cluster.server.all(podResource))
      await cluster.users.resource(podResource).delete(metadata)
    await pass(60)
    expect(readyPods()).toEqual(['gpu-0', 'gpu-1', 'gpu-2'])
    expect(broken).toEqual([])
  })

  test('a scheduled update drains and undrains its workers for as long as its window is open', async () => {
    const { cluster, broken, pass, edit, orders } = await settle({ replicas: 3 })
    const startTime = printTime(cluster.world.clock.now() + 60_000)
    await edit({ updateStrategy: { type: 'ScheduledUpdate', scheduledUpdate: { startTime, duration: '30m' } } })
    await pass(10)
    await edit({ slurmd: { image: 'slurmd:2' } })
    await pass(600)
    const images = cluster.server.all(podResource).map(({ spec }) => spec?.containers[0]?.image)
    expect(images).toEqual(['slurmd:2', 'slurmd:2', 'slurmd:2'])
    expect(orders().filter((line) => line.includes('reservation')).length).toBeLessThan(8)
    expect(broken).toEqual([])
  })

  test('a scheduled update begins half a minute after its window', async () => {
    const { cluster, broken, pass, edit, orders } = await settle({ replicas: 2 })
    const startsAtMs = Math.ceil(cluster.world.clock.now() / 1000) * 1000 + 127_000
    const scheduledUpdate = { startTime: printTime(startsAtMs), duration: '30m' }
    await edit({ updateStrategy: { type: 'ScheduledUpdate', scheduledUpdate }, slurmd: { image: 'slurmd:2' } })
    await pass(60)
    const drains = () => orders().filter((line) => line.startsWith('POST /node'))
    const before = drains().length
    await cluster.world.clock.advance(startsAtMs - cluster.world.clock.now() - 100)
    expect(drains()).toHaveLength(before)
    await cluster.world.clock.advance(5_000)
    expect(drains().length).toBeGreaterThan(before)
    expect(broken).toEqual([])
  })

  test('a NodeSet says that it is Ready while Slurm has taken a node out of service', async () => {
    const { cluster, broken, pass } = await settle({ replicas: 2 })
    const say = (change: object) =>
      cluster.machines.excuse('an administrator', () => cluster.slurm.orders.updateNode('gpu-1', change))
    const ready = () => {
      const [nodeSet] = cluster.server.all(nodeSetResource)
      const found = nodeSet?.status?.conditions?.find(({ type }) => type === 'Ready')
      return `${found?.status} ${found?.reason}: ${found?.message}`
    }
    say({ state: 'DOWN', reason: 'broken fan' })
    await pass(60)
    expect(ready()).toBe('False SlurmNodeDown: gpu-1 is DOWN in Slurm: broken fan')
    say({ state: 'RESUME' })
    await pass(60)
    expect(ready()).toBe('True Ready: 2 workers are as wanted')
    say({ state: 'DRAIN', reason: 'broken fan' })
    await pass(60)
    expect(ready()).toBe('True Ready: 2 workers are as wanted; gpu-1 is drained: broken fan')
    expect(broken).toEqual([])
  })

  test('Slurm is asked again and again to delete a record that it keeps for a reservation', async () => {
    const { cluster, broken, pass, edit, orders, readyPods } = await settle({ replicas: 2 })
    const startTime = printTime(cluster.world.clock.now() + 60_000)
    await edit({ updateStrategy: { type: 'ScheduledUpdate', scheduledUpdate: { startTime, duration: '10m' } } })
    await pass(10)
    await edit({ slurmd: { resources: { limits: { cpu: '1', memory: '1Gi' } } } })
    await pass(1_200)
    expect(orders().filter((line) => line.startsWith('DELETE /node/')).length).toBeLessThan(8)
    expect(readyPods()).toEqual(['gpu-0', 'gpu-1'])
    expect(cluster.slurm.truth.nodes().map(({ states }) => states[0])).toEqual(['IDLE', 'IDLE'])
    expect(broken).toEqual([])
  })

  test('the drain of an administrator goes with a record that the next slurmd would not fit', async () => {
    const { cluster, broken, pass, edit } = await settle({ replicas: 2 })
    const change = { state: 'DRAIN', reason: 'broken fan' }
    cluster.machines.excuse('an administrator', () => cluster.slurm.orders.updateNode('gpu-0', change))
    await pass(60)
    await edit({ slurmd: { resources: { limits: { cpu: '3', memory: '3Gi' } } } })
    await pass(300)
    expect(cluster.slurm.truth.node('gpu-0')?.record).toMatchObject({ reason: 'broken fan' })
    expect(broken).toEqual([])
  })

  test('the drain of an administrator is overwritten because the last list is half a minute old', async () => {
    const { cluster, broken, pass, edit } = await settle({ replicas: 1 })
    await pass(300)
    const change = { state: 'DRAIN', reason: 'broken fan' }
    cluster.slurm.orders.submitJob({ ...hour, runMs: 60_000 })
    await pass(45)
    cluster.machines.excuse('an administrator', () => cluster.slurm.orders.updateNode('gpu-0', change))
    await edit({ replicas: 0 })
    await cluster.world.clock.advance(500)
    expect(cluster.slurm.truth.node('gpu-0')?.record.reason).toBe('broken fan')
    expect(broken).toEqual([])
  })

  test('the drain of an administrator is overwritten because a list took eight seconds to come', async () => {
    const { cluster, broken, pass, edit } = await settle({ replicas: 1 })
    await pass(300)
    cluster.slurm.orders.submitJob({ ...hour, runMs: 60_000 })
    await pass(45)
    const end = cluster.slurm.misbehave({ kind: 'slow', byMs: 8_000, on: 'lists' })
    await edit({ replicas: 0 })
    await cluster.world.clock.advance(7_000)
    const change = { state: 'DRAIN', reason: 'broken fan' }
    cluster.machines.excuse('an administrator', () => cluster.slurm.orders.updateNode('gpu-0', change))
    await pass(20)
    expect(cluster.slurm.truth.node('gpu-0')?.record.reason).toBe('broken fan')
    end()
    await pass(120)
    expect([broken, cluster.machines.lostJobs]).toEqual([[], []])
  })

  test('a job dies that began after the last list, on a node that an administrator has given back', async () => {
    const { cluster, broken, pass, edit, readyPods } = await settle({ replicas: 1 })
    const order = (change: object) =>
      cluster.machines.excuse('an administrator', () => cluster.slurm.orders.updateNode('gpu-0', change))
    const lists = () => cluster.slurm.requests.filter(({ line }) => line.startsWith('GET /nodes')).length
    await pass(300)
    order({ state: 'DRAIN', reason: 'broken fan' })
    const before = lists()
    for (let left = 60; left > 0 && lists() === before; left--) await cluster.world.clock.advance(1_000)
    await cluster.world.clock.advance(2_000)
    order({ state: 'UNDRAIN' })
    cluster.slurm.orders.submitJob({ ...hour, runMs: 60_000, requiredNodes: ['gpu-0'] })
    await cluster.world.clock.advance(3_000)
    expect(cluster.slurm.truth.jobs().map(({ state }) => state)).toEqual(['RUNNING'])
    await edit({ replicas: 0 })
    await pass(20)
    expect([readyPods(), broken, cluster.machines.lostJobs]).toEqual([['gpu-0'], [], []])
    await pass(120)
    expect([readyPods(), broken, cluster.machines.lostJobs]).toEqual([[], [], []])
  })

  test('workers stay out of service because slurmctld came back with a state from before they were replaced', async () => {
    const { cluster, broken, pass, edit, readyPods } = await settle({ replicas: 2 })
    await edit({ replicas: 0 })
    await pass(60)
    cluster.slurm.saveState()
    await edit({ replicas: 2 })
    await pass(60)
    cluster.machines.excuse('slurmctld forgets', () => cluster.slurm.startController('since-save'))
    await pass(3_600)
    expect(readyPods()).toEqual(['gpu-0', 'gpu-1'])
    expect(cluster.slurm.truth.nodes().map(({ states }) => states)).toEqual([
      ['IDLE', 'DYNAMIC_NORM'],
      ['IDLE', 'DYNAMIC_NORM'],
    ])
    expect(broken).toEqual([])
  })

  test('a pod that needs no time to end stays in our memory for ever', async () => {
    const { cluster, broken, pass, readyPods } = await settle({ replicas: 2 })
    const uid = cluster.server.find(podResource, { namespace: NAMESPACE, name: 'gpu-1' })?.metadata.uid ?? ''
    await cluster.machines.evict(uid)
    await pass(120)
    expect(readyPods()).toEqual(['gpu-0', 'gpu-1'])
    expect(broken).toEqual([])
  })
})
