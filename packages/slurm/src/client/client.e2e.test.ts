/** The client, the view and the connection against a real Slurm: its answers, its deaths and how fast we are back. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentProgress, startSlurm, until, whyNotHere, type Slurm } from '@slurm-operator/local'
import type { JobSubmission } from './job-operations.ts'
import { isDown, isDrain, isDrained, isDraining, isIdle } from '../states/node-states.ts'
import { Secret } from '../tokens/secret.ts'
import { connect, type SlurmConnection } from '../registry/connection.ts'
import type { TokenSettings } from '../registry/settings.ts'

const inTheWay = whyNotHere()
const patience = { timeoutMs: 60_000, everyMs: 20 }
const measured: string[] = []

let slurm: Slurm
let connection: SlurmConnection

const signing = (changes: object = {}): TokenSettings => ({
  kind: 'signing-key',
  key: new Secret(slurm.jwtKey),
  ...changes,
})
const open = (token: TokenSettings = signing()): SlurmConnection => connect({ endpoints: [slurm.url], token })

beforeAll(async () => {
  if (inTheWay.length > 0) return
  slurm = await startSlurm({ workers: 2, users: ['alice'], progress: silentProgress })
  connection = open()
})
afterAll(async () => {
  await connection?.close()
  await slurm?.stop()
  if (measured.length > 0) console.log(`Measured with Slurm ${slurm.release}:\n  ${measured.join('\n  ')}`)
})
beforeEach(({ skip }) => skip(inTheWay.length > 0, inTheWay.join('; ')))
afterEach(() => connection?.view.hurry('nodes', 60_000))

/** Wait for something to become true of what the view knows, and say how long it took. */
async function soon(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const beganMs = performance.now()
  await until(what, async () => ((await holds()) ? true : undefined), patience)
  measured.push(`${what}: ${Math.round(performance.now() - beganMs)} ms`)
}

const known = (name: string) => connection.view.node(name)
const isSeen = (): boolean => known('worker-1').kind === 'seen'
const isUnknown = (): boolean => known('worker-1').kind === 'unknown'
const sleeper = (changes: Partial<JobSubmission> = {}): JobSubmission => ({
  script: '#!/bin/sh\nexec sleep 600\n',
  workingDirectory: '/tmp',
  environment: ['PATH=/bin:/usr/bin'],
  onBehalfOf: 'alice',
  ...changes,
})

async function runningJob(changes: Partial<JobSubmission> = {}): Promise<number> {
  const id = await connection.client.submitJob(sleeper(changes))
  await until('the job to run', async () => ((await jobStates(id)).includes('RUNNING') ? true : undefined), patience)
  return id
}

const jobStates = async (id: number): Promise<readonly string[]> => (await connection.client.findJob(id))?.states ?? []

/** Processes of this Slurm whose program has this name: their disks are in its folder. */
function processesOf(program: string): number[] {
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return '' // it has ended
    }
  }
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const named = ids.filter((id) => read(`/proc/${id}/comm`).trim() === program)
  return named.filter((id) => read(`/proc/${id}/mountinfo`).includes(slurm.folder)).map(Number)
}

describe('a real Slurm', () => {
  test('is known soon, with its versions', async () => {
    await soon('first list', isSeen)
    expect(connection.health()).toMatchObject({ state: 'reachable', apiVersion: 'v0.0.45', activeController: 'ctl' })
    expect(connection.health().slurmVersion).toMatch(/^26\.05\./)
    await soon('a name that does not exist is absent', () => known('nobody').kind === 'absent')
  })

  test('registers a worker, and the view hears of it', async () => {
    const heard: string[] = []
    const stop = connection.view.subscribe(
      (change) => change.kind === 'node' && change.old === undefined && heard.push(change.name),
    )
    connection.view.hurry('nodes', 60_000)
    const name = await slurm.addWorker()
    await soon('new worker seen after it registered', () => known(name).kind === 'seen')
    expect(heard).toEqual([name])
    stop()
  })

  test('drains an idle node, and undrains it', async () => {
    await connection.client.updateNode('worker-1', { state: 'DRAIN', reason: 'slurm-operator: test' })
    expect(isDrained(known('worker-1'))).not.toBe('no')
    await soon('idle node drained', () => isDrained(known('worker-1')) === 'yes')
    expect(known('worker-1')).toMatchObject({ value: { reason: 'slurm-operator: test', reasonSetBy: 'slurm' } })
    await connection.client.updateNode('worker-1', { state: 'UNDRAIN' })
    await soon('node undrained', () => isDrain(known('worker-1')) === 'no' && isIdle(known('worker-1')) === 'yes')
  })

  test('drains a busy node only when its job is over', async () => {
    const id = await runningJob({ requiredNodes: ['worker-1'] })
    await connection.client.updateNode('worker-1', { state: 'DRAIN', reason: 'slurm-operator: test' })
    await soon('busy node draining', () => isDraining(known('worker-1')) === 'yes')
    await connection.view.refresh('jobs', 5000)
    expect(connection.view.jobsOn('worker-1')).toMatchObject({ kind: 'seen', value: [{ id }] })
    expect(await connection.client.cancelJob(id)).toBe('cancelled')
    await soon('job ended: node drained', () => isDrained(known('worker-1')) === 'yes')
    await until(
      'the job to end',
      async () => ((await connection.client.cancelJob(id)) === 'already-done' ? true : undefined),
      patience,
    )
    await connection.client.updateNode('worker-1', { state: 'RESUME' })
    await soon('node back in service', () => isDrain(known('worker-1')) === 'no')
  })

  test('changes many in one request, and says which of them do not exist', async () => {
    const both = await connection.client.updateNodes(['worker-1', 'worker-2'], { comment: 'both' })
    expect(both).toMatchObject({ done: ['worker-1', 'worker-2'] })
    const some = await connection.client.updateNodes(['worker-1', 'nope', 'worker-2'], { comment: 'some' })
    expect(some).toMatchObject({ done: ['worker-1', 'worker-2'], missing: ['nope'], failed: [] })
    await soon('comments listed', () => {
      const all = connection.view.nodes()
      return all.kind === 'seen' && all.value.filter(({ comment }) => comment === 'some').length === 2
    })
  })

  test('keeps features that we set', async () => {
    await connection.client.updateNode('worker-2', { features: ['k8s/a', 'b'], activeFeatures: ['k8s/a'] })
    await soon('features listed', () => {
      const node = known('worker-2')
      return node.kind === 'seen' && node.value.features.length === 2 && node.value.activeFeatures[0] === 'k8s/a'
    })
  })

  test('deletes a node, and it returns when its slurmd does', async () => {
    await connection.client.deleteNode('worker-2')
    expect(known('worker-2').kind).toBe('absent')
    await connection.view.refresh('nodes', 5000)
    expect(known('worker-2').kind).toBe('absent')
    await expect(connection.client.deleteNode('worker-2')).rejects.toMatchObject({ failure: 'not-found' })
    await slurm.restartDaemon('worker-2')
    await soon('deleted node registered again', () => isIdle(known('worker-2')) === 'yes')
  })

  test('refuses to delete a busy node', async () => {
    const id = await runningJob({ requiredNodes: ['worker-1'] })
    await expect(connection.client.deleteNode('worker-1')).rejects.toMatchObject({
      failure: 'refused',
      errorNumber: 2016,
    })
    await connection.client.cancelJob(id)
    await soon('node idle again', () => isIdle(known('worker-1')) === 'yes')
  })

  test('creates and deletes a hundred records in two requests, and nobody doubts it', async () => {
    await connection.client.createNodes('NodeName=cloud-[001-020] CPUs=1 RealMemory=100 State=CLOUD')
    await soon('20 new records listed', () => known('cloud-020').kind === 'seen')
    const names = Array.from({ length: 20 }, (_, at) => `cloud-${String(at + 1).padStart(3, '0')}`)
    expect(await connection.client.deleteNodes(names)).toMatchObject({ missing: [], failed: [] })
    await connection.view.refresh('nodes', 5000)
    expect(names.map((name) => known(name).kind)).toEqual(names.map(() => 'absent'))
    expect(connection.view.nodes().kind).toBe('seen')
  })

  test('requeues a job', async () => {
    const id = await runningJob({ requeue: true })
    await connection.client.requeueJob(id, { hold: true })
    await soon('job requeued and held', async () => (await connection.client.findJob(id))?.restarts === 1)
    await connection.client.cancelJob(id)
    await expect(connection.client.cancelJob(999_999)).rejects.toMatchObject({ failure: 'not-found' })
  })

  test('leads a reservation through its life', async () => {
    const { client } = connection
    const startsAtMs = Math.floor(Date.now() / 1000) * 1000 + 3_600_000
    await client.createReservation({
      name: 'ours',
      nodes: ['worker-1'],
      users: ['slurm'],
      startsAtMs,
      durationInMinutes: 30,
      flags: ['MAINT', 'IGNORE_JOBS'],
    })
    expect(await client.findReservation('ours')).toMatchObject({
      nodes: 'worker-1',
      users: ['slurm'],
      startsAtMs,
      endsAtMs: startsAtMs + 1_800_000,
    })
    await client.updateReservation({ name: 'ours', nodes: ['worker-[1-2]'] })
    expect(await client.findReservation('ours')).toMatchObject({ nodes: 'worker-[1-2]', startsAtMs })
    expect(await client.listReservations()).toMatchObject({ kind: 'listed', records: [{ name: 'ours' }] })
    await client.deleteReservation('ours')
    expect(await client.findReservation('ours')).toBeUndefined()
    await expect(client.deleteReservation('ours')).rejects.toMatchObject({ failure: 'not-found' })
    await expect(
      client.createReservation({ name: 'x', nodes: ['nope'], users: ['slurm'], startsAtMs, durationInMinutes: 1 }),
    ).rejects.toMatchObject({ failure: 'refused' })
  })

  test('tells about itself', async () => {
    const { client } = connection
    expect(await client.ping()).toMatchObject([{ hostname: 'ctl', responding: true }])
    expect((await client.readConfiguration()).clusterName).not.toBe('')
    expect((await client.readStatistics()).jobs.submitted).toBeGreaterThan(0)
    expect(await client.listPartitions()).toMatchObject({ kind: 'listed', unreadable: [] })
    expect(await client.listJobStates()).toMatchObject({ kind: 'listed', unreadable: [] })
    expect(await client.pingAccounting()).toMatchObject([{ responding: true }])
    expect((await client.listAccountingClusters()).length).toBeGreaterThan(0)
    await client.reconfigure()
    await soon('known after a reconfigure', isSeen)
  })

  test('says that nothing has changed, in few bytes', async () => {
    const full = await connection.client.listNodes()
    if (full.kind !== 'listed') throw new Error('it is not listed')
    await soon('an unchanged list', async () => {
      const again = await connection.client.listNodes({ changedSince: Math.floor(Date.now() / 1000) + 1 })
      return again.kind === 'unchanged'
    })
  })
})

describe('tokens of a real Slurm', () => {
  test('are renewed before they end', async () => {
    const short = open(signing({ lifetimeSeconds: 2 }))
    const endMs = Date.now() + 5000
    while (Date.now() < endMs) await short.client.ping()
    expect(short.health().state).toBe('reachable')
    await short.close()
  })

  test('that have ended are replaced by the next one given', async () => {
    const given = (seconds: number): TokenSettings => ({
      kind: 'given',
      token: new Secret(slurm.token('slurm', seconds)),
    })
    const other = open(given(2))
    await soon('known with a given token', () => other.view.node('worker-1').kind === 'seen')
    other.view.hurry('nodes', 60_000)
    await soon('refused after its end', () => other.health().state === 'refused')
    expect(other.view.node('worker-1').kind).toBe('unknown')
    other.useTokens(given(60))
    await soon('known with the next token', () => other.view.node('worker-1').kind === 'seen')
    await other.close()
  })

  test('of an ordinary user may not drain', async () => {
    const alice = open(signing({ username: 'alice' }))
    await expect(alice.client.updateNode('worker-1', { state: 'DRAIN' })).rejects.toMatchObject({
      failure: 'refused',
      errorNumber: 2010,
    })
    await alice.close()
  })

  test('are signed with a new key when the key changes', async () => {
    const key = 'another key that is long enough, and text'
    await slurm.run(['sh', '-c', 'cat > /etc/slurm/jwt_hs256.key'], { input: key })
    await slurm.restartDaemon('slurmctld')
    await soon('refused with the old key', () => connection.health().state === 'refused')
    expect(isUnknown()).toBe(true)
    connection.useTokens(signing({ key: new Secret(key) }))
    await soon('known with the new key', isSeen)
  })
})

describe('deaths of a real Slurm', () => {
  const lost = (): boolean => isUnknown()
  const isUnreachable = (): boolean => connection.health().state === 'unreachable'

  test.for(['stopDaemon', 'killDaemon'] as const)('slurmctld ends (%s) and returns', async (end) => {
    connection.view.hurry('nodes', 120_000)
    await slurm.saveState()
    await slurm[end]('slurmctld')
    await soon(`${end} slurmctld: noticed`, lost)
    await soon(`${end} slurmctld: and its cause`, isUnreachable)
    const beganMs = performance.now()
    await expect(connection.client.updateNode('worker-1', { comment: 'x' })).rejects.toMatchObject({
      failure: 'unavailable',
    })
    expect(performance.now() - beganMs).toBeLessThan(3000)
    await slurm.restartDaemon('slurmctld')
    await soon(`${end} slurmctld: known again after its return`, isSeen)
    expect(known('worker-1')).toMatchObject({ kind: 'seen' })
  })

  test('slurmrestd is killed and returns', async () => {
    connection.view.hurry('nodes', 120_000)
    await slurm.killDaemon('slurmrestd')
    await soon('slurmrestd killed: noticed', lost)
    await slurm.restartDaemon('slurmrestd')
    await soon('slurmrestd killed: known again after its return', isSeen)
  })

  test('slurmrestd hangs and goes on', async () => {
    connection.view.hurry('nodes', 120_000)
    const ids = processesOf('slurmrestd')
    expect(ids.length).toBeGreaterThan(0)
    for (const id of ids) process.kill(id, 'SIGSTOP')
    try {
      await soon('slurmrestd hung: noticed', lost)
      await soon('slurmrestd hung: and its cause', isUnreachable)
      const beganMs = performance.now()
      await expect(connection.client.deleteNode('worker-1')).rejects.toMatchObject({ failure: 'unavailable' })
      measured.push(`slurmrestd hung: an order gave up after ${Math.round(performance.now() - beganMs)} ms`)
      expect(performance.now() - beganMs).toBeLessThan(16_000)
    } finally {
      for (const id of ids) process.kill(id, 'SIGCONT')
    }
    await soon('slurmrestd hung: known again after it goes on', isSeen)
    expect(isDown(known('worker-1'))).not.toBe('unknown')
  })
})
