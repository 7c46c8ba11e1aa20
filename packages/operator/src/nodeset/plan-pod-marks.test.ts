import { annotationKeys, labelKeys, podNodeStates } from '@slurm-operator/api'
import { printTime } from '@slurm-operator/kube'
import { absent, seen, unknown, type Knowledge, type SlurmJob, type SlurmNode } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aJob,
  aKubeNode,
  aPicture,
  aSlurmNode,
  aWorker,
  infoFor,
  NOW,
  settledConditions,
  slurmSays,
  stepsThat,
} from './gen.ts'
import { RAN_JOBS } from './picture-keys.ts'
import type { KubeNode, Wanted, Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import { planPodConditions } from './plan-pod-marks.ts'
import type { Plan } from './steps.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const comment = infoFor('foo-0', 'n-foo-0')
const drainReason = 'slurm-operator: Kube node n-foo-0 is cordoned'
const planFor = (worker: Partial<Worker>, wanted: Partial<Wanted> = {}): Plan =>
  planNodeSet(aPicture({ workers: [aWorker('foo-0', worker)], wanted: { replicas: 1, ...wanted } }))
const patches = (plan: Plan): unknown[] =>
  stepsThat(plan, 'patch-pod').map(({ labels, annotations }) => ({ ...labels, ...annotations }))

describe('deadlines', () => {
  const until = (jobs: Knowledge<readonly SlurmJob[]>, annotations = {}): unknown[] =>
    patches(planFor({ jobs, annotations }))
  const noted = (inMinutes: number): Record<string, string> => ({
    [annotationKeys.podDeadline]: printTime(NOW + inMinutes * MINUTE),
  })
  test('NS-214: the latest job counts', () => {
    const jobs = [30, 45, 60].map((timeLimitInMinutes, id) => aJob({ id, timeLimitInMinutes }))
    expect(until(seen(jobs, NOW))).toEqual([noted(60)])
  })
  test('NS-215, NS-219: no unfinished job on it: no deadline', () => expect(until(seen([], NOW))).toEqual([]))
  test('NS-216: the last job is gone: no deadline any more', () => {
    expect(until(seen([], NOW), noted(60))).toEqual([{ [annotationKeys.podDeadline]: null }])
  })
  test('NS-217: nothing is written twice', () => expect(until(seen([aJob()], NOW), noted(60))).toEqual([]))
  test('NS-218: a job without limit is later than any other', () => {
    const [patch] = until(seen([aJob({ timeLimitInMinutes: 'infinite' }), aJob({ id: 2 })], NOW))
    expect(patch).toEqual({ [annotationKeys.podDeadline]: '2262-04-11T23:47:16Z' })
  })
  test.each(['unreachable', 'no-client'] as const)('NS-221, NS-222, WP-02: a silence (%s) removes deadlines', (why) => {
    expect(until(unknown(why), noted(60))).toEqual([])
    expect(until(unknown(why, [aJob({ timeLimitInMinutes: 30 })]), noted(60))).toEqual([]) // that was before the note
  })
  test('NS-223, WP-57: one job that cannot be read hides the others', () => {
    expect(until(unknown('unreadable', [aJob()]))).toEqual([noted(60)])
    expect(until(unknown('unreadable', []), noted(60))).toEqual([])
  })
  test('WP-57: a limit that is not told has expired already', () => {
    const [patch] = until(seen([aJob({ timeLimitInMinutes: undefined })], NOW))
    expect(patch).toEqual({ [annotationKeys.podDeadline]: '2262-04-11T23:47:16Z' })
  })
})

describe('protection from eviction', () => {
  const protect = { [labelKeys.podProtect]: 'true' }
  const says = (states: string[]): Partial<Worker> => ({ slurmNode: slurmSays(states, { comment }) })
  test.each([['ALLOCATED'], ['MIXED'], ['IDLE', 'COMPLETING']])(
    'NS-461: a pod with work is protected: %s',
    (...states) => {
      expect(patches(planFor(says(states)))).toEqual([protect])
    },
  )
  test('a job that begins brings a label and an annotation, and as they are two, neither is written', () => {
    const jobs = seen([aJob({ timeLimitInMinutes: 60 })], NOW)
    const noted = { [annotationKeys.podDeadline]: printTime(NOW + HOUR) }
    expect(patches(planFor({ ...says(['ALLOCATED']), jobs }))).toEqual([{ ...protect, ...noted }])
  })
  test('NS-462: an idle pod is not', () => {
    expect(patches(planFor({ ...says(['IDLE']), labels: protect }))).toEqual([{ [labelKeys.podProtect]: null }])
  })
  test('NS-463, NS-185: nobody is if the user does not want it', () => {
    expect(patches(planFor(says(['ALLOCATED']), { protects: 'nobody' }))).toEqual([])
    expect(patches(planFor({ ...says(['ALLOCATED']), labels: protect }, { protects: 'nobody' }))).toEqual([
      { [labelKeys.podProtect]: null },
    ])
  })
  test('WP-02: a silence takes the protection away', () => {
    expect(patches(planFor({ slurmNode: unknown('no-client'), labels: protect }))).toEqual([])
  })

  test('a suspended job is evicted, because its node is idle to Slurm', () => {
    const suspended = seen([aJob({ states: ['SUSPENDED'] })], NOW)
    expect(patches(planFor({ ...says(['IDLE']), jobs: suspended }))).toMatchObject([protect])
    for (const why of ['unreachable', 'unreadable'] as const)
      expect(patches(planFor({ ...says(['IDLE']), jobs: unknown(why, []), labels: protect }))).toEqual([])
  })

  describe('until it is drained', () => {
    const starting: Partial<Worker> = {
      slurmNode: absent(NOW),
      wasReady: false,
      readySinceMs: undefined,
      conditions: [],
    }
    const kept = [aKubeNode('n-foo-0')]
    const cordoned = [aKubeNode('n-foo-0', { unschedulable: true })]
    const plan = (worker: Partial<Worker>, kubeNodes: readonly KubeNode[] = kept): Plan =>
      planNodeSet(
        aPicture({
          workers: [aWorker('foo-0', worker)],
          wanted: { replicas: 1, protects: 'until-drained' },
          kubeNodes,
        }),
      )
    const drained = { slurmNode: slurmSays(['IDLE', 'DRAIN'], { comment, reason: drainReason }), labels: protect }

    test('a job that began a moment ago is evicted, because Slurm was not asked since', () => {
      expect(patches(plan(says(['IDLE'])))).toEqual([protect])
    })
    test('kubectl drain waits for ever', () => {
      expect(stepsThat(plan(drained, cordoned), 'unprotect-pod')).toMatchObject([{ pod: 'foo-0', slurmName: 'foo-0' }])
      const down = { slurmNode: slurmSays(['DOWN'], { comment, reason: 'broken' }), labels: protect }
      expect(stepsThat(plan(down, cordoned), 'unprotect-pod')).toHaveLength(1)
    })
    test('one that its user has cordoned is protected for ever', () => {
      const annotations = { [annotationKeys.podCordon]: 'true' }
      expect(stepsThat(plan({ ...drained, annotations }), 'unprotect-pod')).toHaveLength(1)
    })
    test.each<[string, Partial<Worker>, readonly KubeNode[]]>([
      ['it is drained, and about to get jobs again', drained, kept],
      ['it has suspended jobs', { ...drained, jobs: seen([aJob({ states: ['SUSPENDED'] })], NOW) }, cordoned],
      ['its jobs are not known', { ...drained, jobs: unknown('unreachable') }, cordoned],
      [
        'it is DOWN and its jobs are not known',
        { slurmNode: slurmSays(['DOWN'], { comment }), jobs: unknown('unreachable'), labels: protect },
        cordoned,
      ],
      ['it drains and has a job', { ...says(['ALLOCATED', 'DRAIN']), labels: protect }, cordoned],
      ['it is not drained yet', { ...says(['IDLE']), labels: protect }, cordoned],
      ['Slurm is silent', { slurmNode: unknown('unreachable'), labels: protect }, cordoned],
      ['Slurm does not list it any more', { slurmNode: absent(NOW), labels: protect }, cordoned],
      [
        'it has joined and nobody knows',
        { slurmNode: absent(NOW - HOUR), jobs: unknown('unreachable'), labels: protect },
        cordoned,
      ],
      ['it has just started and may join', { ...starting, runningSinceMs: NOW - 5000, labels: protect }, cordoned],
    ])('it is evicted though %s', (_name, worker, nodes) => {
      const labels = stepsThat(plan(worker, nodes), 'patch-pod').map((step) => step.labels)
      expect(labels.filter((one) => labelKeys.podProtect in one)).toEqual([])
      expect(stepsThat(plan(worker, nodes), 'unprotect-pod')).toEqual([])
    })
    test('a pod that never joined keeps kubectl drain waiting', () => {
      const [step] = stepsThat(
        plan({ ...starting, runningSinceMs: NOW - HOUR, labels: protect }, cordoned),
        'unprotect-pod',
      )
      expect(step).toMatchObject({ pod: 'foo-0', unlistedAs: 'foo-0' })
    })
    test('a worker that joins while we are away is not protected, because it was made without', () => {
      const { steps } = planNodeSet(aPicture({ wanted: { replicas: 1, protects: 'until-drained' } }))
      expect(stepsThat({ steps }, 'create-pod').map(({ worker }) => worker.isProtected)).toEqual([true])
      expect(stepsThat(planNodeSet(aPicture({ wanted: { replicas: 1 } })), 'create-pod')[0]?.worker.isProtected).toBe(
        false,
      )
    })
    test('one that was made before it was wanted is not protected while Slurm is silent', () => {
      expect(patches(plan({ slurmNode: unknown('no-client') }))).toEqual([protect])
    })
  })
})

describe('identity', () => {
  test('NS-328: nothing is written twice', () => expect(planFor({}).steps).toEqual([]))
  test('NS-133, NS-333: a wrong name label is corrected', () => {
    expect(patches(planFor({ labels: { [labelKeys.podName]: 'x' } }))).toEqual([{ [labelKeys.podName]: 'foo-0' }])
  })
  test('a number that is missing in the labels stays so', () => {
    expect(patches(planFor({ labels: { [labelKeys.podIndex]: 'x' } }))).toEqual([{ [labelKeys.podIndex]: '0' }])
    const ofDaemon = { mode: 'DaemonSet', nodeName: 'n', hostname: 'n', labels: { [labelKeys.podIndex]: 'x' } } as const
    expect(patches(planFor(ofDaemon, { scalingMode: 'DaemonSet' }))).not.toContainEqual(
      expect.objectContaining({ [labelKeys.podIndex]: expect.anything() }),
    )
  })
  test('NS-132: another padding does not change who it is', () => {
    expect(planFor({}, { ordinalPadding: 2 }).steps).toEqual([])
  })
  test('WP-49: the host name label is another than the name in Slurm', () => {
    const slurmNode = seen(aSlurmNode({ name: 'n-foo-0', comment }), NOW)
    const patch = patches(planFor({ slurmName: 'n-foo-0', slurmNode, labels: { [labelKeys.podHostname]: 'foo-0' } }))
    expect(patch).toEqual([{ [labelKeys.podHostname]: 'n-foo-0' }])
  })
})

test('a host name too long for a label keeps a worker from being drained', () => {
  const slurmName = `n.${'x'.repeat(80)}`
  const slurmNode = seen(aSlurmNode({ name: slurmName, comment }), NOW)
  expect(patches(planFor({ slurmName, slurmNode, labels: { [labelKeys.podHostname]: 'foo-0' } }))).toEqual([])
})

describe('conditions', () => {
  const conditions = (slurmNode: Knowledge<SlurmNode>, have: Worker['conditions'] = []): unknown => {
    const [step] = planPodConditions(aWorker('foo-0', { slurmNode, conditions: have }))
    return step?.do === 'set-pod-conditions'
      ? { set: step.set.map(({ type }) => type), remove: step.remove }
      : undefined
  }
  const word = (state: string): string => state.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
  test.each(podNodeStates.map((state) => [state]))('NS-455: %s', (state) => {
    expect(conditions(slurmSays([word(state)]))).toEqual({
      set: [`SlurmNodeState${state}`, 'SlurmRegistered'],
      remove: [],
    })
  })
  test('NS-456: all lines carry the reason', () => {
    const [step] = planPodConditions(
      aWorker('foo-0', { slurmNode: slurmSays(['IDLE', 'DRAIN'], { reason: 'why' }), conditions: [] }),
    )
    expect(step?.do === 'set-pod-conditions' && step.set).toMatchObject([
      { type: 'SlurmNodeStateIdle', status: 'True', message: 'why' },
      { type: 'SlurmNodeStateDrain', status: 'True', message: 'why' },
      { type: 'SlurmRegistered' },
    ])
  })
  test('NS-457: what does not hold any more is taken away, and lines of others stay', () => {
    expect(conditions(slurmSays(['IDLE', 'DRAIN']), settledConditions(['Allocated']))).toEqual({
      ...{ set: ['SlurmNodeStateIdle', 'SlurmNodeStateDrain'], remove: ['SlurmNodeStateAllocated'] },
    })
  })
  test('NS-458: nothing is written twice', () => {
    const have = settledConditions(['Down', 'Drain', 'NotResponding'])
    expect(conditions(slurmSays(['DOWN', 'DRAIN', 'NOT_RESPONDING']), have)).toBeUndefined()
  })
  test('NS-459: a new reason is a new message of the same line', () => {
    const slurmNode = slurmSays(['IDLE'], { reason: 'new' })
    const set = [{ type: 'SlurmNodeStateIdle', status: 'True', message: 'new' }]
    const worker = aWorker('foo-0', { slurmNode, conditions: settledConditions(['Idle']) })
    expect(planPodConditions(worker)).toMatchObject([{ set, remove: [] }])
  })
  test('NS-460: a record that vanished: all lines go, but that it was registered is remembered', () => {
    expect(conditions(absent(NOW), settledConditions(['Idle', 'Drain']))).toEqual({
      ...{ set: ['SlurmRegistered'], remove: ['SlurmNodeStateIdle', 'SlurmNodeStateDrain'] },
    })
  })
  test('the jobs on a record that vanished are forgotten', () => {
    const step = (states: Worker['conditions']) =>
      planPodConditions(aWorker('foo-0', { slurmNode: absent(NOW), conditions: states }))
    expect(step(settledConditions(['Mixed']))).toMatchObject([{ set: [{ status: 'False', message: RAN_JOBS }] }])
    expect(step([{ type: 'SlurmRegistered', status: 'False', message: RAN_JOBS }])).toEqual([])
  })
  test('WP-02: a silence takes the lines away', () => {
    expect(conditions(unknown('unreachable'), settledConditions(['Idle']))).toBeUndefined()
  })
  test('a worker that never joined gets no line', () => expect(conditions(absent(NOW), [])).toBeUndefined())
})
