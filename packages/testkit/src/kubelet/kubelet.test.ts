import { persistentVolumeClaimResource, podResource } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { apart, buildMachineRoom, isReady, workerPod, type MachineRoom } from './gen.ts'

const MINUTE_MS = 60_000
const at = (name: string) => ({ namespace: 'default', name })

async function start(room: MachineRoom, ...names: readonly string[]): Promise<void> {
  for (const name of names) await room.client.resource(podResource).create(workerPod(name, { affinity: apart }))
  await room.clock.advance(MINUTE_MS)
}

/** A job on a node, running. */
async function submit({ slurm, clock }: MachineRoom, node: string): Promise<number> {
  const job = slurm.orders.submitJob({ requiredNodes: [node], requeue: false, runMs: 10 * MINUTE_MS })
  await clock.advance(1_000)
  expect(slurm.truth.job(job)?.state).toBe('RUNNING')
  return job
}

describe('a worker pod', () => {
  test('is bound, starts, becomes Ready and joins Slurm with what it says about itself', async () => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0')
    expect(room.find('w-0')).toMatchObject({ spec: { nodeName: 'node-0' }, status: { phase: 'Running' } })
    expect(isReady(room.find('w-0'))).toBe(true)
    expect(room.slurm.truth.node('w-0')?.record).toMatchObject({ cpus: 2, memoryMib: 2000, features: ['gpu'] })
  })

  test('waits for a place that another one has', async () => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0', 'w-1')
    expect(room.find('w-1')?.status?.conditions).toMatchObject([{ type: 'PodScheduled', reason: 'Unschedulable' }])
    await room.machines.addNode('late')
    await room.clock.advance(MINUTE_MS)
    expect(room.find('w-1')?.spec?.nodeName).toBe('late')
  })

  test('goes in time when it is deleted, and Slurm hears of it', async () => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0')
    await room.client.resource(podResource).delete(at('w-0'))
    expect(room.slurm.truth.node('w-0')?.record).toMatchObject({ isDown: true })
    expect(room.slurm.truth.node('w-0')?.record.reason).toBe('slurm-operator: Pod is terminating')
    await room.clock.advance(30_000)
    expect(room.find('w-0')).toBeUndefined()
  })

  test('waits for its volumes, which stay as long as it does', async () => {
    const room = await buildMachineRoom(1)
    const claims = room.client.resource(persistentVolumeClaimResource)
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    await room.client.resource(podResource).create(workerPod('w-0', { volumes }))
    await room.clock.advance(MINUTE_MS)
    expect(room.find('w-0')?.status?.phase).toBe('Pending')
    await claims.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: at('data'), spec: {} })
    await room.clock.advance(MINUTE_MS)
    expect(isReady(room.find('w-0'))).toBe(true)
    await claims.delete(at('data'))
    await room.clock.advance(MINUTE_MS)
    expect(await claims.find(at('data'))).toBeDefined()
    await room.client.resource(podResource).delete(at('w-0'))
    await room.clock.advance(MINUTE_MS)
    expect(await claims.find(at('data'))).toBeUndefined()
  })
})

describe('a job', () => {
  test('dies with its pod, and that is written down', async () => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0')
    const job = await submit(room, 'w-0')
    const uid = room.find('w-0')?.metadata.uid ?? ''
    expect(room.machines.jobsIn(uid)).toEqual([job])
    await room.client.resource(podResource).delete(at('w-0'))
    expect(room.machines.lostJobs).toMatchObject([{ id: job, node: 'w-0', pod: uid, because: 'its pod was deleted' }])
    expect(room.slurm.truth.job(job)?.state).toBe('NODE_FAIL')
  })

  test.for(['crash', 'evict'] as const)('dies in a pod that suffers a %s', async (accident) => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0')
    const job = await submit(room, 'w-0')
    await room.machines[accident](room.find('w-0')?.metadata.uid ?? '')
    expect(room.machines.lostJobs).toMatchObject([{ id: job }])
    await room.clock.advance(MINUTE_MS)
    expect(room.find('w-0')?.status?.phase).toBe(accident === 'crash' ? 'Running' : 'Failed')
    expect(isReady(room.find('w-0'))).toBe(accident === 'crash')
  })

  test('that somebody ends through Slurm is written down, unless it is excused', async () => {
    const room = await buildMachineRoom(2)
    await start(room, 'w-0', 'w-1')
    const [first, second] = [await submit(room, 'w-0'), await submit(room, 'w-1')]
    const down = { state: 'DOWN', reason: 'x' }
    room.slurm.orders.updateNode('w-0', down)
    room.machines.excuse('an administrator', () => room.slurm.orders.updateNode('w-1', down))
    expect(room.slurm.truth.job(second)?.state).toBe('NODE_FAIL')
    expect(room.machines.lostJobs).toMatchObject([{ id: first, node: 'w-0', pod: undefined }])
  })

  test('that ends by itself is not lost', async () => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0')
    const job = await submit(room, 'w-0')
    await room.clock.advance(11 * MINUTE_MS)
    await room.client.resource(podResource).delete(at('w-0'))
    expect(room.slurm.truth.job(job)?.state ?? 'COMPLETED').toBe('COMPLETED')
    expect(room.machines.lostJobs).toEqual([])
  })
})

describe('a machine', () => {
  test('without power is believed missing after a while, and its pods are deleted much later', async () => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0')
    const job = await submit(room, 'w-0')
    room.machines.cutPower('node-0')
    expect(room.machines.lostJobs).toMatchObject([{ id: job, because: 'Kube node node-0 lost its power' }])
    await room.clock.advance(MINUTE_MS)
    expect(isReady(room.find('w-0'))).toBe(false)
    await room.clock.advance(6 * MINUTE_MS)
    expect(room.find('w-0')?.metadata.deletionTimestamp).toBeDefined()
    await room.machines.restorePower('node-0')
    await room.clock.advance(MINUTE_MS)
    expect(room.find('w-0')).toBeUndefined()
  })

  test('that gets its power back soon starts its pods again', async () => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0')
    room.machines.cutPower('node-0')
    await room.clock.advance(20_000)
    await room.machines.restorePower('node-0')
    await room.clock.advance(MINUTE_MS)
    expect(isReady(room.find('w-0'))).toBe(true)
    expect(room.find('w-0')?.status?.containerStatuses?.[0]?.restartCount).toBe(1)
    expect(room.slurm.truth.node('w-0')?.states).toContain('IDLE')
  })

  test('that is removed takes its pods with it', async () => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0')
    await room.machines.removeNode('node-0')
    await room.clock.advance(2 * MINUTE_MS)
    expect(room.find('w-0')).toBeUndefined()
  })

  test('that is cordoned keeps its pods and gets no new ones; a taint may send them away', async () => {
    const room = await buildMachineRoom(1)
    await start(room, 'w-0')
    await room.machines.cordon('node-0')
    await start(room, 'w-1')
    expect([isReady(room.find('w-0')), room.find('w-1')?.spec?.nodeName]).toEqual([true, undefined])
    await room.machines.uncordon('node-0')
    await room.machines.taint('node-0', { key: 'broken', effect: 'NoExecute' })
    await room.clock.advance(MINUTE_MS)
    expect(room.find('w-0')).toBeUndefined()
    await room.machines.untaint('node-0', 'broken')
    await room.clock.advance(MINUTE_MS)
    expect(isReady(room.find('w-1'))).toBe(true)
    expect(room.machines.troubles).toEqual([])
  })
})
