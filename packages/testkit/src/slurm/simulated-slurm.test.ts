import { describe, expect, test } from 'vitest'
import { buildSlurmLab, connectTo, type SlurmLab } from './gen.ts'

const SMALL = 'CPUs=1 RealMemory=2000'
const statesOf = ({ slurm }: SlurmLab, name: string): readonly string[] => slurm.truth.node(name)?.states ?? ['none']
const stateOf = ({ slurm }: SlurmLab, id: number): string => slurm.truth.job(id)?.state ?? 'none'

describe('a simulated node prevents that', () => {
  test('a smaller machine is used as if it had the old size', async () => {
    const lab = buildSlurmLab()
    lab.slurm.stopSlurmd('worker-1')
    lab.slurm.startSlurmd('worker-1', SMALL)
    expect(statesOf(lab, 'worker-1')).toEqual(['IDLE', 'DRAIN', 'INVALID_REG', 'DYNAMIC_NORM'])
    expect(lab.slurm.orders.updateNode('worker-1', { state: 'RESUME' })).toMatchObject({ number: 2180 })
    lab.slurm.startSlurmd('worker-1', 'CPUs=2 RealMemory=2000')
    expect(statesOf(lab, 'worker-1')).toEqual(['IDLE', 'DRAIN', 'DYNAMIC_NORM'])
    expect(lab.slurm.orders.updateNode('worker-1', { state: 'RESUME' })).toBeUndefined()
  })

  test('a deleted record hides a change of size', () => {
    const lab = buildSlurmLab()
    lab.slurm.orders.deleteNode('worker-1')
    lab.slurm.startSlurmd('worker-1', SMALL)
    expect(lab.slurm.truth.node('worker-1')).toMatchObject({ record: { cpus: 1 }, states: ['IDLE', 'DYNAMIC_NORM'] })
  })

  test('a silent slurmd is down at once, or never', async () => {
    const lab = buildSlurmLab()
    lab.slurm.stopSlurmd('worker-1')
    await lab.seconds(12)
    expect(statesOf(lab, 'worker-1')).toEqual(['IDLE', 'DYNAMIC_NORM'])
    await lab.seconds(2)
    expect(statesOf(lab, 'worker-1')).toContain('NOT_RESPONDING')
    await lab.seconds(12)
    expect(statesOf(lab, 'worker-1')).toEqual(['DOWN', 'NOT_RESPONDING', 'DYNAMIC_NORM'])
    lab.slurm.startSlurmd('worker-1')
    expect(statesOf(lab, 'worker-1')).toEqual(['IDLE', 'DYNAMIC_NORM'])
  })

  test('a node that somebody put down returns by itself', () => {
    const lab = buildSlurmLab()
    lab.slurm.orders.updateNode('worker-1', { state: 'DOWN', reason: 'broken' })
    lab.slurm.startSlurmd('worker-1')
    expect(statesOf(lab, 'worker-1')[0]).toBe('DOWN')
  })

  test('a node that was put down and is resumed is waited for without end', async () => {
    const lab = buildSlurmLab()
    lab.slurm.orders.updateNode('worker-1', { state: 'DOWN', reason: 'broken' })
    await lab.seconds(60)
    lab.slurm.orders.updateNode('worker-1', { state: 'RESUME' })
    await lab.seconds(5)
    expect(statesOf(lab, 'worker-1')).toEqual(['IDLE', 'DYNAMIC_NORM'])
  })

  test('a suspended job keeps its processors, or ends as if it ran, or goes on where others are', async () => {
    const lab = buildSlurmLab()
    const { orders } = lab.slurm
    const on = { requiredNodes: ['worker-1'], runMs: 10_000 }
    const first = orders.submitJob(on)
    await lab.seconds(2)
    expect([orders.suspendJob(first), orders.suspendJob(first)]).toMatchObject([undefined, { number: 2021 }])
    await lab.seconds(20)
    expect([stateOf(lab, first), ...statesOf(lab, 'worker-1')]).toEqual(['SUSPENDED', 'IDLE', 'DYNAMIC_NORM'])
    expect(lab.slurm.truth.node('worker-1')?.jobs).toEqual([first])
    const second = orders.submitJob({ ...on, cpusPerTask: 2 })
    await lab.seconds(2)
    expect([stateOf(lab, second), orders.resumeJob(first)]).toMatchObject(['RUNNING', { number: 2016 }])
    await lab.seconds(10)
    expect(orders.resumeJob(first)).toBeUndefined()
    await lab.seconds(7)
    expect(stateOf(lab, first)).toBe('RUNNING')
    await lab.seconds(3)
    expect([stateOf(lab, first), orders.resumeJob(first)]).toMatchObject(['COMPLETED', { number: 2021 }])
  })

  test('a reboot kills jobs, or the node never returns', async () => {
    const lab = buildSlurmLab()
    const id = lab.slurm.orders.submitJob({ requiredNodes: ['worker-1'], runMs: 10_000 })
    await lab.seconds(1)
    lab.slurm.rebootWorker('worker-1', 30_000)
    expect(statesOf(lab, 'worker-1')).toEqual(['MIXED', 'DRAIN', 'REBOOT_REQUESTED', 'DYNAMIC_NORM'])
    await lab.seconds(15)
    expect([stateOf(lab, id), ...statesOf(lab, 'worker-1')]).toEqual([
      ...['COMPLETED', 'DOWN', 'DRAIN', 'REBOOT_ISSUED', 'DYNAMIC_NORM'],
    ])
    await lab.seconds(30)
    expect(statesOf(lab, 'worker-1')).toEqual(['IDLE', 'DYNAMIC_NORM'])
  })
})

describe('a simulated job prevents that', () => {
  test('it runs where it may not', async () => {
    const partitions = [
      { name: 'all', isDefault: true },
      { name: 'big', feature: 'big' },
    ]
    const lab = buildSlurmLab({
      partitions,
      workers: ['CPUs=2 RealMemory=2000', 'CPUs=2 RealMemory=2000 Feature=big,x'],
    })
    const { orders, truth } = lab.slurm
    const ids = [orders.submitJob({ partition: 'big' }), orders.submitJob({ constraints: 'x&big' })]
    const never = [orders.submitJob({ constraints: 'x', nodeCount: 2 }), orders.submitJob({ nodeCount: 3 })]
    await lab.seconds(1)
    expect(ids.map((id) => truth.job(id)?.nodes)).toEqual([['worker-2'], ['worker-2']])
    expect(never.map((id) => stateOf(lab, id))).toEqual(['PENDING', 'PENDING'])
    expect(() => orders.submitJob({ partition: 'nope' })).toThrow('Invalid partition')
    expect(() => orders.submitJob({ constraints: 'nope' })).toThrow('Invalid feature')
  })

  test('two jobs get the same CPUs', async () => {
    const lab = buildSlurmLab({ workers: 1 })
    const ids = [1, 2, 3].map(() => lab.slurm.orders.submitJob({ runMs: 5000 }))
    await lab.seconds(1)
    expect(ids.map((id) => stateOf(lab, id))).toEqual(['RUNNING', 'RUNNING', 'PENDING'])
    await lab.seconds(5)
    expect(ids.map((id) => stateOf(lab, id))).toEqual(['COMPLETED', 'COMPLETED', 'RUNNING'])
  })

  test('a drained node gets work', async () => {
    const lab = buildSlurmLab({ workers: 1 })
    lab.slurm.orders.updateNode('worker-1', { state: 'DRAIN', reason: 'x' })
    const id = lab.slurm.orders.submitJob()
    await lab.seconds(60)
    expect(stateOf(lab, id)).toBe('PENDING')
    lab.slurm.orders.updateNode('worker-1', { state: 'UNDRAIN' })
    await lab.seconds(3)
    expect(stateOf(lab, id)).toBe('RUNNING')
  })

  test('it outlives its time limit', async () => {
    const lab = buildSlurmLab()
    const id = lab.slurm.orders.submitJob({ timeLimitInMinutes: 1 })
    await lab.seconds(62)
    expect(stateOf(lab, id)).toBe('TIMEOUT')
  })

  test('it survives the machine that it ran on', async () => {
    const lab = buildSlurmLab()
    const [lost, again] = [false, true].map((requeue) =>
      lab.slurm.orders.submitJob({ requiredNodes: ['worker-1'], requeue }),
    )
    await lab.seconds(1)
    lab.slurm.stopSlurmd('worker-1')
    await lab.seconds(30)
    expect([stateOf(lab, lost ?? 0), stateOf(lab, again ?? 0)]).toEqual(['NODE_FAIL', 'PENDING'])
    expect(lab.slurm.truth.job(again ?? 0)?.restarts).toBe(1)
  })

  test('it is remembered for ever', async () => {
    const lab = buildSlurmLab()
    const id = lab.slurm.orders.submitJob({ runMs: 1000 })
    await lab.seconds(290)
    expect(stateOf(lab, id)).toBe('COMPLETED')
    await lab.seconds(20)
    expect(stateOf(lab, id)).toBe('none')
  })
})

test('one node alone is counted right', async () => {
  const lab = buildSlurmLab()
  const used = async () => (await lab.wait(lab.client.findNode('worker-1')))?.states[0]
  const id = lab.slurm.orders.submitJob({ requiredNodes: ['worker-1'] })
  await lab.seconds(1)
  expect(await used()).toBe('ALLOCATED') // it has a job, and nobody has counted its CPUs
  await lab.wait(lab.client.listNodes())
  expect(await used()).toBe('MIXED')
  lab.slurm.orders.cancelJob(id)
  await lab.seconds(60)
  expect(await used()).toBe('MIXED') // for ever, unless somebody lists all nodes
  await lab.wait(lab.client.listNodes())
  expect(await used()).toBe('IDLE')
})

describe('a simulated slurmctld prevents that', () => {
  test('what runs on machines stops while it is away', async () => {
    const lab = buildSlurmLab()
    const id = lab.slurm.orders.submitJob({ runMs: 10_000 })
    await lab.seconds(1)
    lab.slurm.endController()
    await lab.seconds(60)
    expect(stateOf(lab, id)).toBe('RUNNING') // it does not know better
    lab.slurm.startController()
    await lab.seconds(1)
    expect(stateOf(lab, id)).toBe('COMPLETED')
  })

  test('its disk is empty and it knows everything', async () => {
    const lab = buildSlurmLab()
    lab.slurm.orders.submitJob()
    lab.slurm.endController()
    lab.slurm.startController('everything')
    expect([lab.slurm.truth.nodes(), lab.slurm.truth.jobs()]).toEqual([[], []])
    lab.slurm.startSlurmd('worker-1') // only then does slurmctld hear of it again
    expect(lab.slurm.truth.nodes().map(({ name }) => name)).toEqual(['worker-1'])
  })

  test('a slurmd that it had given up, and that runs again, is never asked', async () => {
    const lab = buildSlurmLab()
    lab.slurm.stopSlurmd('worker-1')
    await lab.seconds(30)
    lab.slurm.saveState()
    lab.slurm.startSlurmd('worker-1')
    lab.slurm.endController()
    lab.slurm.startController('since-save')
    expect(statesOf(lab, 'worker-1')).toEqual(['IDLE', 'DYNAMIC_NORM'])
  })

  test('it remembers what it never wrote down', async () => {
    const lab = buildSlurmLab()
    const kept = lab.slurm.orders.submitJob({ runMs: 20_000 })
    await lab.seconds(1)
    lab.slurm.saveState()
    const lost = lab.slurm.orders.submitJob()
    lab.slurm.orders.updateNode('worker-2', { state: 'DRAIN', reason: 'x' })
    lab.slurm.endController()
    await lab.seconds(1)
    lab.slurm.startController('since-save')
    expect([stateOf(lab, kept), stateOf(lab, lost)]).toEqual(['RUNNING', 'none'])
    expect(statesOf(lab, 'worker-2')).toEqual(['IDLE', 'DYNAMIC_NORM'])
    await lab.seconds(30)
    expect(stateOf(lab, kept)).toBe('COMPLETED')
  })

  test('a job that is sent to a former address runs there', async () => {
    const lab = buildSlurmLab()
    lab.slurm.saveState()
    lab.slurm.stopSlurmd('worker-1')
    lab.slurm.addWorker({ name: 'worker-1', address: '10.0.0.9' })
    lab.slurm.endController()
    lab.slurm.startController('since-save')
    const sent = lab.slurm.orders.submitJob({ requiredNodes: ['worker-1'] })
    await lab.seconds(1)
    expect(stateOf(lab, sent)).toBe('RUNNING')
    await lab.seconds(10)
    expect([stateOf(lab, sent), lab.slurm.truth.job(sent)?.restarts]).toEqual(['PENDING', 1])
    expect(statesOf(lab, 'worker-1')).toContain('NOT_RESPONDING')
  })

  test('a slurmd that starts while it is away is never heard of', () => {
    const lab = buildSlurmLab()
    lab.slurm.endController()
    const name = lab.slurm.addWorker()
    expect(statesOf(lab, name)).toEqual(['none'])
    lab.slurm.startController()
    expect(statesOf(lab, name)).toEqual(['IDLE', 'DYNAMIC_NORM'])
  })

  test('a reservation begins or ends at another time than it says', async () => {
    const lab = buildSlurmLab()
    const startsAtMs = lab.clock.now() + 10_000
    const wish = { name: 'r', nodes: ['worker-1'], users: ['root'], startsAtMs, durationInMinutes: 1 }
    await lab.wait(lab.client.createReservation(wish))
    const id = lab.slurm.orders.submitJob({ requiredNodes: ['worker-1'], runMs: 1000, nodeCount: 1 })
    await lab.seconds(5)
    expect([stateOf(lab, id), ...statesOf(lab, 'worker-1')]).toEqual(['COMPLETED', 'IDLE', 'DYNAMIC_NORM'])
    await lab.seconds(10)
    expect(statesOf(lab, 'worker-1')).toEqual(['IDLE', 'RESERVED', 'DYNAMIC_NORM'])
    const outside = lab.slurm.orders.submitJob({ requiredNodes: ['worker-1'] })
    const inside = lab.slurm.orders.submitJob({ requiredNodes: ['worker-1'], reservation: 'r' })
    await lab.seconds(1)
    expect([stateOf(lab, outside), stateOf(lab, inside)]).toEqual(['PENDING', 'RUNNING'])
    await lab.seconds(60)
    expect([lab.slurm.truth.reservation('r'), stateOf(lab, outside)]).toEqual([undefined, 'RUNNING'])
  })

  test('a clock that is wrong goes unnoticed', async () => {
    const lab = buildSlurmLab()
    lab.slurm.setClockSkew(24 * 3600_000)
    await expect(lab.wait(lab.client.listNodes())).rejects.toMatchObject({ failure: 'unauthorized' })
    lab.slurm.setClockSkew(-20 * 60_000)
    expect(await lab.wait(lab.client.listNodes())).toMatchObject({ kind: 'listed' })
  })
})

describe('faults prevent that', () => {
  const list = (lab: SlurmLab) => lab.wait(lab.client.listNodes())

  test.for([
    ['hang', 'unavailable'],
    ['reset', 'unavailable'],
    ['error-500', 'unavailable'],
    ['overload', 'unavailable'],
    ['cut', 'malformed|unavailable'],
    ['lost-answer', 'unavailable'],
  ] as const)('%s passes for an answer', async ([kind, failure]) => {
    const lab = buildSlurmLab()
    await list(lab)
    const end = lab.slurm.misbehave({ kind })
    const error: unknown = await list(lab).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ failure: expect.stringMatching(`^(${failure})$`) })
    end()
    expect(await list(lab)).toMatchObject({ kind: 'listed', records: { length: 2 } })
  })

  test.for([
    ['empty-list', 0, 0],
    ['partial-list', 1, 0],
    ['unreadable-record', 1, 1],
    ['nameless-record', 1, 1],
  ] as const)('%s is complete', async ([kind, most, unreadable]) => {
    const lab = buildSlurmLab()
    lab.slurm.misbehave({ kind })
    const listed = await list(lab)
    if (listed.kind !== 'listed') throw new Error('it is not listed')
    expect(listed.records.length).toBeLessThanOrEqual(most)
    expect(listed.unreadable).toHaveLength(unreadable)
  })

  test('an order that nobody waits for any more is not carried out after a stall', async () => {
    const lab = buildSlurmLab()
    await list(lab)
    const goOn = lab.slurm.stallRestd()
    await expect(lab.wait(lab.client.updateNode('worker-1', { state: 'DRAIN' }))).rejects.toMatchObject({
      failure: 'unavailable',
    })
    expect(statesOf(lab, 'worker-1')).not.toContain('DRAIN')
    goOn()
    await lab.seconds(1)
    expect(statesOf(lab, 'worker-1')).toContain('DRAIN')
  })

  test('a fault meets more than it should', async () => {
    const lab = buildSlurmLab()
    lab.slurm.misbehave({ kind: 'reset', on: 'orders', times: 1 })
    expect(await list(lab)).toMatchObject({ kind: 'listed' })
    await expect(lab.wait(lab.client.deleteNode('worker-1'))).rejects.toMatchObject({ failure: 'unavailable' })
    await lab.wait(lab.client.deleteNode('worker-1'))
  })

  test('a killed slurmrestd is taken for a slow one', async () => {
    const lab = buildSlurmLab()
    const slow = lab.slurm.misbehave({ kind: 'slow', byMs: 3000 })
    const asked = lab.client.listNodes()
    await lab.seconds(1)
    lab.slurm.endRestd()
    await expect(lab.wait(asked)).rejects.toMatchObject({ failure: 'unavailable' })
    await expect(list(lab)).rejects.toMatchObject({ neverSent: true })
    slow()
    lab.slurm.startRestd()
    expect(await list(lab)).toMatchObject({ kind: 'listed' })
  })

  test('an upgraded slurmrestd is asked in the old way for ever', async () => {
    const lab = buildSlurmLab({ release: '24.11' })
    const connection = connectTo(lab)
    await lab.seconds(2)
    expect(connection.health()).toMatchObject({ apiVersion: 'v0.0.42' })
    connection.view.hurry('nodes', 60_000)
    lab.slurm.changeRelease('26.05')
    await lab.seconds(10) // 304 names no release: it shows with the next whole list
    expect(connection.health()).toMatchObject({ apiVersion: 'v0.0.45', slurmVersion: '26.05.5' })
    await connection.close()
  })
})

test('a slurmrestd that nobody knows is talked to', async () => {
  const lab = buildSlurmLab()
  lab.slurm.serveVersions(['v0.0.46'])
  await expect(lab.wait(lab.client.ping())).rejects.toThrow('newer than all we know')
  lab.slurm.serveVersions(['v0.0.40'])
  await expect(lab.wait(lab.client.ping())).rejects.toThrow('older than all we know')
})

test('the same seed tells another story', async () => {
  const tell = async (seed: number): Promise<string> => {
    const lab = buildSlurmLab({ seed })
    const connection = connectTo(lab)
    lab.slurm.misbehave({ kind: 'partial-list' })
    lab.slurm.orders.submitJob({ runMs: 3000 })
    await lab.seconds(20)
    const story = JSON.stringify([lab.slurm.requests, connection.view.nodes(), lab.slurm.truth.nodes()])
    await connection.close()
    return story
  }
  expect(await tell(1)).toBe(await tell(1))
  expect(await tell(1)).not.toBe(await tell(2))
})
