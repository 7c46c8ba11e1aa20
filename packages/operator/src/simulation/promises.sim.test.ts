import { annotationKeys, nodeSetResource, YES } from '@slurm-operator/api'
import { persistentVolumeClaimResource, podResource } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { liveThrough } from './history.ts'
import { NAMESPACE, type Annotations } from './objects.ts'
import { observePromises } from './promises.ts'
import { createSimulatedCluster } from './simulated-cluster.ts'

const scratch = [{ metadata: { name: 'scratch' }, spec: { accessModes: ['ReadWriteOnce'] } }]
const pod = (name: string) => ({ namespace: NAMESPACE, name })

/** Three workers that run, and somebody who watches. */
async function settledCluster(replicas = 3, spec: object = {}, annotations?: Annotations) {
  const cluster = await createSimulatedCluster('promises', {
    nodes: ['gpu', 'gpu', 'gpu'],
    nodeSets: { gpu: { replicas, volumeClaimTemplates: scratch, ...spec } },
    annotations,
  })
  const promises = observePromises(cluster)
  const pass = async (seconds: number): Promise<void> => {
    for (let left = seconds; left > 0; left -= 10) {
      await cluster.world.clock.advance(10_000)
      promises.look()
    }
  }
  await pass(120)
  expect(promises.broken).toEqual([])
  return { cluster, promises, pass }
}

describe('a simulation would not notice that', () => {
  test('the operator deletes a pod with a job in it', async () => {
    const { cluster, promises, pass } = await settledCluster()
    cluster.slurm.orders.submitJob({ runMs: 3_600_000, requiredNodes: ['gpu-1'] })
    await pass(10)
    await cluster.asOperator.resource(podResource).delete(pod('gpu-1'))
    expect(promises.broken).toEqual([expect.stringContaining('pod gpu-1 was deleted by the operator while job 1 ran')])
  })

  test('a job begins in a pod that the operator has deleted, because its node is given back too early', async () => {
    const { cluster, promises, pass } = await settledCluster()
    await cluster.asOperator.resource(podResource).delete(pod('gpu-1'))
    await cluster.world.clock.advance(500)
    cluster.slurm.orders.updateNode('gpu-1', { state: 'RESUME' })
    cluster.slurm.orders.submitJob({ runMs: 3_600_000, requiredNodes: ['gpu-1'] })
    await pass(30)
    expect(promises.broken).toEqual([
      expect.stringContaining('job 1 on gpu-1 began in a pod that the operator had sent away'),
    ])
  })

  test('a pod is evicted with a job in it, though it is protected until it is drained', async () => {
    const { cluster, promises, pass } = await settledCluster(3, {}, { [annotationKeys.protectUntilDrained]: YES })
    const evict = () => cluster.server.all(podResource).forEach(promises.noteEviction)
    evict()
    expect(promises.broken).toEqual([])
    cluster.slurm.orders.submitJob({ runMs: 3_600_000, requiredNodes: ['gpu-1'] })
    await pass(10)
    evict()
    expect(promises.broken).toEqual([expect.stringContaining('pod gpu-1 was evicted while job 1 ran in it')])
  })

  test('the operator tells Slurm that a node with a job is down', async () => {
    const { cluster, promises, pass } = await settledCluster()
    cluster.slurm.orders.submitJob({ runMs: 3_600_000, requiredNodes: ['gpu-1'] })
    await pass(10)
    cluster.slurm.orders.updateNode('gpu-1', { state: 'DOWN', reason: 'x' })
    await pass(10)
    expect(promises.broken[0]).toContain('job 1 on gpu-1 was ended')
  })

  test.each([
    ['DRAIN', 'UNDRAIN'],
    ['DOWN', 'RESUME'],
  ])('the operator takes back what an administrator did by %s', async (state, back) => {
    const { cluster, promises } = await settledCluster()
    const { orders } = cluster.slurm
    cluster.machines.excuse('an administrator', () => orders.updateNode('gpu-0', { state, reason: 'fan' }))
    orders.updateNode('gpu-0', { state: back })
    expect(promises.broken).toEqual([expect.stringContaining('gpu-0 was given back')])
  })

  test('the operator replaces more workers at a time than it may', async () => {
    const { cluster, promises } = await settledCluster()
    const pods = cluster.asOperator.resource(podResource)
    await pods.delete(pod('gpu-0'))
    expect(promises.broken).toEqual([])
    await pods.delete(pod('gpu-1'))
    expect(promises.broken).toEqual([expect.stringContaining('2 are out of service')])
  })

  test('the operator does so on Kube nodes that are sound; what others broke is not ours', async () => {
    const { cluster, promises } = await settledCluster(0, { scalingMode: 'DaemonSet' })
    const replaceOn = async (node: string): Promise<void> => {
      const found = cluster.server.all(podResource).find(({ spec }) => spec?.nodeName === node)
      await cluster.asOperator.resource(podResource).delete(found?.metadata ?? pod(''))
    }
    await replaceOn('node-0')
    await cluster.machines.taint('node-0', { key: 'example.com/broken', effect: 'NoSchedule' })
    await replaceOn('node-1')
    expect(promises.broken).toEqual([])
    await replaceOn('node-2')
    expect(promises.broken).toEqual([expect.stringContaining('2 are out of service (node-1, node-2), 1 may be')])
  })

  test('a claim goes with a worker that comes back', async () => {
    const { cluster, promises } = await settledCluster()
    await cluster.asOperator.resource(persistentVolumeClaimResource).delete(pod('scratch-gpu-0'))
    expect(promises.broken).toEqual([expect.stringContaining('claim scratch-gpu-0 was deleted')])
  })

  test('something is written again and again', async () => {
    const { cluster, promises, pass } = await settledCluster()
    const body = { metadata: { annotations: { a: 'b' } } }
    const patch = { type: 'merge', body } as const
    for (let time = 0; time < 100; time++) await cluster.asOperator.resource(podResource).patch(pod('gpu-0'), patch)
    await pass(60)
    expect(promises.broken).toEqual([expect.stringContaining('was sent 100 times')])
  })

  test('a NodeSet goes with a job, though it was asked to drain its workers first', async () => {
    const { cluster, promises, pass, end } = await deletedWithJob()
    await cluster.asOperator.resource(nodeSetResource).patch(end, { type: 'merge', body: noFinalizers })
    await pass(30)
    expect(promises.broken).toEqual([expect.stringContaining('job 1 on gpu-1 was ended with its NodeSet')])
  })

  test('the same happens, but its user no longer wanted to wait', async () => {
    const { cluster, promises, pass, end } = await deletedWithJob()
    const body = { metadata: { annotations: { [annotationKeys.drainOnDelete]: null } } }
    await cluster.users.resource(nodeSetResource).patch(end, { type: 'merge', body })
    await pass(30)
    expect(cluster.machines.lostJobs.map(({ id }) => id)).toEqual([1])
    expect(promises.broken).toEqual([])
  })

  const modes = [
    ['StatefulSet', 3, '2 of 3 workers are ready'],
    ['DaemonSet', 0, 'Kube node node-0 has no ready worker'],
  ] as const

  test.each(modes)('a NodeSet lies about its workers in mode %s', async (scalingMode, replicas, unsaid) => {
    const broken = await loseWorker(replicas, { scalingMode })
    expect(broken).toContainEqual(expect.stringContaining(`it says Ready, but ${unsaid}`))
  })

  test.each(modes)('a missing worker is not made in mode %s', async (scalingMode, replicas) => {
    const broken = await loseWorker(replicas, { scalingMode })
    expect(broken).toContainEqual(expect.stringMatching(/NodeSet gpu has no worker (\d|node-0)$/))
  })

  test('a worker cannot be made yet, because a pod of its name has lost its power and cannot end', async () => {
    const { cluster, promises, pass } = await settledCluster()
    const lost = cluster.server.all(podResource).find(({ spec }) => spec?.nodeName === 'node-0')
    cluster.machines.cutPower('node-0')
    await cluster.users.resource(podResource).delete(lost?.metadata ?? pod(''))
    await pass(600)
    expect(cluster.server.find(podResource, lost?.metadata ?? pod(''))?.metadata.uid).toBe(lost?.metadata.uid)
    expect(promises.broken).toEqual([])
  })
})

const noFinalizers = { metadata: { finalizers: null } }

/** Three workers that drain before they go with their NodeSet, which waits for a job. */
async function deletedWithJob() {
  const { cluster, promises, pass } = await settledCluster(3, {}, { [annotationKeys.drainOnDelete]: YES })
  const end = { namespace: NAMESPACE, name: 'gpu' }
  cluster.slurm.orders.submitJob({ runMs: 3_600_000, requiredNodes: ['gpu-1'] })
  await pass(10)
  await cluster.users.resource(nodeSetResource).delete(end, { propagation: 'Background' })
  await pass(60)
  expect(cluster.server.all(podResource).map(({ metadata }) => metadata.name)).toEqual(['gpu-1'])
  expect([promises.broken, cluster.machines.lostJobs]).toEqual([[], []])
  return { cluster, promises, pass, end }
}

/** A worker goes while the operator does nothing, though it runs, as far as anybody can tell. What is broken then. */
async function loseWorker(replicas: number, spec: object): Promise<readonly string[]> {
  const { cluster, promises, pass } = await settledCluster(replicas, spec)
  cluster.operator().process.freeze()
  const isFrozen = { ...cluster, operator: () => ({ process: { state: () => 'running' } }) }
  const second = observePromises(isFrozen as unknown as typeof cluster)
  const lost = cluster.server.all(podResource).find(({ spec }) => spec?.nodeName === 'node-0')
  await cluster.users.resource(podResource).delete(lost?.metadata ?? pod(''))
  for (let minute = 0; minute < 8; minute++) {
    await pass(60)
    second.look()
  }
  expect(promises.broken).toEqual([])
  return second.broken
}

describe('a history', () => {
  test('is the same for the same seed, to the last call', async () => {
    const lines = async (seed: number) => (await liveThrough(seed)).cluster.world.trace.lines()
    expect(await lines(3)).toEqual(await lines(3))
  })

  test('is quiet when nothing happens', async () => {
    const { cluster, promises, pass } = await settledCluster()
    const writes: string[] = []
    cluster.listen({ arrived: ({ method, path }) => writes.push(`${method} ${path}`) })
    await pass(3_600)
    expect(writes).toEqual([])
    expect(promises.broken).toEqual([])
    expect(cluster.server.all(nodeSetResource)[0]?.status?.readyReplicas).toBe(3)
  })
})
