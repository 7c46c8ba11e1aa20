import { absent, seen, unknown } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aKubeNode,
  aPendingWorker,
  aPicture,
  aPlacement,
  aReservation,
  aWorker,
  infoFor,
  NOW,
  ourCordon,
  slurmSays,
  TOMORROW,
  workersOf,
  type PictureDifferences,
} from './gen.ts'
import type { Picture, Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import { buildNodeSetStatus, type NodeSetStatusWish } from './status.ts'

function statusOf(differences: PictureDifferences, failure?: string): NodeSetStatusWish {
  const picture = aPicture(differences)
  return buildNodeSetStatus(picture, planNodeSet(picture), failure)
}

const says = (pod: string, states: string[]): Worker =>
  aWorker(pod, { slurmNode: slurmSays(states, { comment: infoFor(pod, `n-${pod}`) }) })
const line = ({ conditions }: NodeSetStatusWish, wanted: string) => conditions.find(({ type }) => type === wanted)

describe('counters', () => {
  test('NS-451: two that are as wanted', () => {
    expect(statusOf({ workers: workersOf([0, 1]) }).fields).toMatchObject({
      ...{
        replicas: 2,
        readyReplicas: 2,
        availableReplicas: 2,
        updatedReplicas: 2,
        unavailableReplicas: 0,
        desired: 2,
      },
      ...{ slurmIdle: 2, slurmAllocated: 0, slurmDown: 0, slurmDrain: 0, collisionCount: 0, slurmNodes: '0/2/0/2' },
      selector: 'app.kubernetes.io/instance=foo,app.kubernetes.io/name=slurmd',
    })
  })
  test('NS-452: two that wait for a place, and whose records say nothing, are counted as if they worked', () => {
    const waits = { revisionHash: 'old', createdAtMs: NOW, slurmNode: slurmSays([]) }
    expect(statusOf({ workers: [0, 1].map((n) => aPendingWorker(`foo-${n}`, waits)) }).fields).toMatchObject({
      ...{ replicas: 2, unavailableReplicas: 2, desired: 2, updatedReplicas: 0 },
      ...{ slurmIdle: 0, slurmAllocated: 0, slurmDown: 0, slurmDrain: 0 },
    })
  })
  test('NS-453: the states of Slurm', () => {
    const workers = [
      says('foo-0', ['ALLOCATED']),
      says('foo-1', ['MIXED']),
      says('foo-2', ['IDLE', 'DRAIN']),
      says('foo-3', ['DOWN', 'DRAIN']),
    ]
    expect(statusOf({ workers, wanted: { replicas: 4 } }).fields).toMatchObject({
      ...{ slurmAllocated: 2, slurmIdle: 1, slurmDown: 1, slurmDrain: 2, slurmNodes: '2/0/2/4' },
    })
  })
  test('NS-471: Kube nodes count in DaemonSet mode', () => {
    const daemon = (node: string): Worker =>
      aWorker(`ds-${node}`, { mode: 'DaemonSet', hostname: node, nodeName: node })
    const kubeNodes = ['a', 'b', 'c'].map((name) => aKubeNode(name))
    const { fields } = statusOf({
      workers: [daemon('a'), daemon('b')],
      kubeNodes,
      wanted: { scalingMode: 'DaemonSet' },
    })
    expect(fields).toMatchObject({ desired: 3, unavailableReplicas: 1 })
  })
  test('NS-472, WP-26: Slurm is silent: pods are counted, Slurm nodes stay as they were', () => {
    const workers = workersOf([0, 1, 2], { slurmNode: unknown('unreachable') })
    const slurmCounters = { slurmIdle: 1, slurmAllocated: 1, slurmDown: 0, slurmDrain: 0 }
    const { fields } = statusOf({ workers, wanted: { replicas: 3 }, slurmList: undefined, before: { slurmCounters } })
    expect(fields).toMatchObject({ replicas: 3, ...slurmCounters })
    expect('slurmNodes' in fields).toBe(false)
  })
  test('NS-474, WP-52: who is on the way out does not count', () => {
    const { fields } = statusOf({ workers: [aWorker('foo-0'), aWorker('foo-1', { terminating: true })] })
    expect(fields).toMatchObject({ replicas: 1, readyReplicas: 1, unavailableReplicas: 1 })
  })
})

describe('when to look again', () => {
  const lookOf = (differences: PictureDifferences): number | undefined =>
    planNodeSet(aPicture(differences)).lookAgainInMs
  test('NS-111, WP-16: the earliest wish wins', () => {
    const workers = [aWorker('foo-0', { readySinceMs: NOW - 1000 }), aWorker('foo-1', { slurmNode: absent(NOW) })]
    expect(lookOf({ workers, wanted: { minReadySeconds: 600 } })).toBe(10_000)
    expect(lookOf({ workers: workersOf([0, 1]) })).toBe(30_000)
  })
  test('NS-468, WP-16: as soon as it becomes available', () => {
    const workers = [aWorker('foo-0'), aWorker('foo-1', { readySinceMs: NOW - 1000 })]
    expect(lookOf({ workers, wanted: { minReadySeconds: 5 } })).toBe(4000)
  })
  test('NS-469, WP-16: soon while one has not registered', () => {
    const workers = [...workersOf([0, 1]), aWorker('foo-2', { slurmNode: absent(NOW) })]
    expect(lookOf({ workers, wanted: { replicas: 3 } })).toBe(10_000)
  })

  const scheduled = (startsInMs: number, endsInMs = startsInMs + 30 * 60_000): PictureDifferences => ({
    workers: workersOf([0, 1], { revisionHash: 'old' }),
    wanted: {
      updateStrategy: { type: 'ScheduledUpdate', startsAtMs: NOW + startsInMs, durationInMinutes: 30, flags: [] },
    },
    reservation: seen(aReservation({ startsAtMs: NOW + startsInMs, endsAtMs: NOW + endsInMs }), NOW),
    before: { reservationStartsAtMs: NOW + startsInMs },
  })
  test('a scheduled update begins up to half a minute after its window', () => {
    expect(lookOf(scheduled(7000))).toBe(7001)
    expect(lookOf({ ...scheduled(7000), reservation: unknown('unreachable') })).toBe(7001)
    expect(lookOf(scheduled(3600_000))).toBe(30_000)
    expect(lookOf({ ...scheduled(7000), workers: workersOf([0, 1]) })).toBe(30_000)
  })
  test('the window is open, and nobody asks Slurm whether its nodes are in maintenance', () => {
    const { hurrySlurm, lookAgainInMs } = planNodeSet(aPicture(scheduled(-1)))
    expect({ hurrySlurm, lookAgainInMs }).toEqual({ hurrySlurm: true, lookAgainInMs: 2000 })
  })
  test('Slurm is asked in a hurry for as long as a window is open, or after it', () => {
    expect(planNodeSet(aPicture(scheduled(-61_000)))).toMatchObject({ hurrySlurm: false, lookAgainInMs: 30_000 })
    expect(planNodeSet(aPicture(scheduled(-20_000, -10_000)))).toMatchObject({ hurrySlurm: false })
  })
})

describe('pins', () => {
  const pinsOf = (differences: PictureDifferences): unknown => {
    const { wanted, ...rest } = differences
    return statusOf({ ...rest, wanted: { pinToNode: true, ...wanted } }).fields['ordinalToNode']
  }
  const on = (pod: string, nodeName: string, differences: Partial<Worker> = {}): Worker =>
    aWorker(pod, { nodeName, ...differences })
  const two = [on('foo-0', 'n0'), on('foo-1', 'n1')]
  test('NS-138: none without pinning', () =>
    expect(pinsOf({ workers: two, wanted: { pinToNode: false } })).toBeUndefined())
  test('NS-139: where they run', () => expect(pinsOf({ workers: two })).toEqual({ 0: 'n0', 1: 'n1' }))
  test('NS-140: only those that run', () => {
    const workers = [
      on('foo-0', 'n0'),
      aPendingWorker('foo-1', { nodeName: 'n1' }),
      aPendingWorker('foo-2', { nodeName: '' }),
    ]
    expect(pinsOf({ workers, wanted: { replicas: 3 } })).toEqual({ 0: 'n0' })
  })
  const before = { ordinalToNode: { 0: 'n0' } }
  test('NS-141: a pin outlives its pod', () => {
    expect(
      pinsOf({ workers: [aPendingWorker('foo-0', { nodeName: '' })], kubeNodes: [aKubeNode('n0')], before }),
    ).toEqual({ 0: 'n0' })
  })
  test('NS-142: not its Kube node', () => expect(pinsOf({ kubeNodes: [], before })).toEqual({}))
  test('NS-143, NS-136: not a selector that does not match', () => {
    const template = { kind: 'built', placement: aPlacement({ nodeSelector: { foo: 'bar' } }) } as const
    expect(pinsOf({ workers: two, template, before: { ordinalToNode: { 0: 'n0', 1: 'n1' } } })).toEqual({})
  })
  test('NS-144: none in DaemonSet mode', () =>
    expect(pinsOf({ before, wanted: { scalingMode: 'DaemonSet' } })).toBeUndefined())
  test('NS-145: without a template nothing is forgotten', () => {
    const template = { kind: 'impossible', reason: 'InputsUnreadable', problem: 'x' } as const
    expect(pinsOf({ template, before })).toEqual({ 0: 'n0' })
  })
  const made = (kubeNodes: ReturnType<typeof aKubeNode>[], placement = aPlacement()): unknown => {
    const template = { kind: 'built', placement } as const
    const plan = planNodeSet(aPicture({ kubeNodes, template, before, wanted: { pinToNode: true, replicas: 1 } }))
    const [step] = plan.steps
    return step?.do === 'create-pod' ? step.worker.node : 'nothing'
  }
  test('NS-134: a new pod goes where it was', () => expect(made([aKubeNode('n0')])).toBe('n0'))
  test('NS-135: unless that is gone', () => expect(made([])).toBeUndefined())
  test('NS-136: or does not match', () =>
    expect(made([aKubeNode('n0')], aPlacement({ nodeSelector: { a: 'b' } }))).toBeUndefined())
  const taken = { workers: [on('foo-4', 'n0')], kubeNodes: [aKubeNode('n0')], before }
  test('a pin stays on a Kube node that another worker has taken, and its own worker waits for ever', () => {
    expect(pinsOf(taken)).toEqual({ 4: 'n0' })
    expect(pinsOf({ ...taken, wanted: { sharesNodes: true } })).toEqual({ 0: 'n0', 4: 'n0' })
    expect(pinsOf({ ...taken, workers: [on('foo-4', 'n0', { terminating: true })] })).toHaveProperty('0', 'n0')
  })
  const waiting = aPendingWorker('foo-0', { nodeName: '', targetNode: 'n0' })
  const leaving = (differences: PictureDifferences, placement = aPlacement()): unknown => {
    const template = { kind: 'built', placement } as const
    const picture = aPicture({ template, before, wanted: { pinToNode: true, replicas: 2 }, ...differences })
    return planNodeSet(picture).steps.flatMap((step) => (step.do === 'delete-pod' ? [[step.pod, step.reason]] : []))
  }
  test('a worker waits for a Kube node that is gone or taken since', () => {
    expect(leaving({ ...taken, workers: [waiting, on('foo-1', 'n0')] })).toEqual([['foo-0', 'PinLost']])
    expect(leaving({ kubeNodes: [], workers: [waiting] })).toEqual([['foo-0', 'PinLost']])
    expect(leaving({ kubeNodes: [aKubeNode('n0')], workers: [waiting] })).toEqual([])
    const byLabel = { matchExpressions: [{ key: 'gpu', operator: 'Exists' as const }] }
    const placement = aPlacement({ requiredNodes: { nodeSelectorTerms: [byLabel] } })
    expect(leaving({ kubeNodes: [], workers: [waiting] }, placement)).toEqual([['foo-0', 'PinLost']])
  })
  test('a worker is made again and again because the template of the user names a Kube node', () => {
    const matchFields = [{ key: 'metadata.name', operator: 'In' as const, values: ['n0'] }]
    const placement = aPlacement({ requiredNodes: { nodeSelectorTerms: [{ matchFields }] } })
    expect(leaving({ ...taken, workers: [waiting, on('foo-1', 'n0')] }, placement)).toEqual([])
  })
  test('NS-137, WP-10: a cordon of its Kube node moves a worker elsewhere', () => {
    const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' as const }]
    const cordoned = aKubeNode('n0', { unschedulable: true, taints })
    expect(made([cordoned])).toBe('n0')
    expect(pinsOf({ kubeNodes: [cordoned], before })).toEqual({ 0: 'n0' })
  })
})

describe('conditions', () => {
  test('ready', () =>
    expect(line(statusOf({ workers: workersOf([0, 1]) }), 'Ready')).toMatchObject({ status: 'True', reason: 'Ready' }))
  test('in the very first write nothing has failed yet', () => {
    expect(line(statusOf({}), 'Ready')).toMatchObject({ status: 'Unknown', reason: 'ScalingOut' })
  })
  test.each([
    ['a worker is missing', { workers: workersOf([0]) }, 'ScalingOut'],
    [
      'a worker is not ready',
      { workers: [aWorker('foo-0'), aWorker('foo-1', { readySinceMs: undefined })] },
      'Starting',
    ],
    ['a pod is still ending', { workers: [...workersOf([0, 1]), aWorker('foo-2', { terminating: true })] }, 'Ending'],
    ['a worker waits for its jobs', { workers: workersOf([0, 1, 2]) }, 'NotDrained'],
    [
      'Slurm was never asked',
      { workers: workersOf([0, 1], { slurmNode: unknown('no-client'), conditions: [] }), slurmList: undefined },
      'SlurmUnreachable',
    ],
  ])('not ready while %s', (_name, differences, reason) => {
    const status = statusOf({
      ...differences,
      before: { conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '' }] },
    })
    expect(line(status, 'Ready')).toMatchObject({ status: 'False', reason })
    expect(line(status, 'Reconciling')).toMatchObject({ status: 'True', reason })
  })
  test('stalled without a Controller, and that is said', () => {
    const template = {
      kind: 'impossible',
      reason: 'ControllerNotFound',
      problem: 'Controller slurm does not exist',
    } as const
    expect(line(statusOf({ workers: workersOf([0, 1]), template }), 'Stalled')).toMatchObject({
      ...{ status: 'True', reason: 'ControllerNotFound', message: 'Controller slurm does not exist' },
    })
  })
  test('NS-102: a failed step is said, and the counters are there', () => {
    const status = statusOf({ workers: workersOf([0, 1]) }, 'Cannot create pod foo-1: quota.')
    expect(line(status, 'Ready')).toMatchObject({ reason: 'StepFailed', message: 'Cannot create pod foo-1: quota.' })
    expect(status.fields).toMatchObject({ replicas: 2 })
  })
  test('Slurm answers, is not connected, or is silent', () => {
    const workers = workersOf([0, 1], { slurmNode: unknown('no-client') })
    const reach = (differences: PictureDifferences): unknown => line(statusOf(differences), 'SlurmReachable')?.status
    expect(reach({ workers: workersOf([0, 1]) })).toBe('True')
    expect(reach({ workers, slurmList: undefined, leftovers: unknown('no-client') })).toBe('Unknown')
    expect(reach({ workers, slurmList: undefined, leftovers: unknown('unreachable') })).toBe('False')
  })
  test('a worker that has joined stays joined while Slurm is silent', () => {
    const workers = workersOf([0, 1], { slurmNode: unknown('unreachable') })
    const status = statusOf({ workers, slurmList: undefined, leftovers: unknown('unreachable') })
    expect(line(status, 'Ready')).toMatchObject({ status: 'True' })
  })
})

describe('who waits for what since when', () => {
  const busy = (pod: string): Worker =>
    aWorker(pod, {
      annotations: ourCordon('ScaleIn'),
      slurmNode: slurmSays(['MIXED', 'DRAIN'], { reason: 'slurm-operator: x', comment: infoFor(pod, `n-${pod}`) }),
    })
  test('one line for many, with how many there are', () => {
    const { fields } = statusOf({ workers: [0, 1, 2].map((n) => busy(`foo-${n}`)), wanted: { replicas: 0 } })
    expect(fields['waitingReplicas']).toBe(3)
    expect(fields['waiting']).toMatchObject([{ name: 'foo-0', reason: 'JobsRunning', since: '2026-11-16T01:59:00Z' }])
    expect(JSON.stringify(fields['waiting'])).toContain('2 others wait for the same reason.')
  })
  test('a wait goes on from when it began', () => {
    const waiting = [{ name: 'foo-0', reason: 'NameTaken', since: '2026-11-16T00:00:00Z' }]
    const { fields } = statusOf({
      workers: [aWorker('foo-0', { terminating: true })],
      wanted: { replicas: 1 },
      before: { waiting },
    })
    expect(fields['waiting']).toMatchObject([{ name: 'foo-0', reason: 'NameTaken', since: '2026-11-16T00:00:00Z' }])
  })
  test('the reservation that we made is remembered', () => {
    const updateStrategy = { type: 'ScheduledUpdate', startsAtMs: TOMORROW, durationInMinutes: 90, flags: [] } as const
    const { fields } = statusOf({ workers: workersOf([0, 1]), wanted: { updateStrategy }, reservation: absent(NOW) })
    expect(fields['reservation']).toEqual({
      name: 'SlurmOperatorMaint-foo',
      startTime: '2026-11-17T02:00:00Z',
      duration: '1h30m0s',
    })
  })
  test('NS-371: a reservation that could not be made is taken for one that is over', () => {
    const updateStrategy = { type: 'ScheduledUpdate', startsAtMs: TOMORROW, durationInMinutes: 90, flags: [] } as const
    const differences = { workers: workersOf([0, 1]), wanted: { updateStrategy }, reservation: absent(NOW) }
    expect(statusOf(differences, 'Cannot POST /reservation: refused.').fields['reservation']).toBeUndefined()
  })
  describe('a step has failed', () => {
    const updateStrategy = { type: 'ScheduledUpdate', startsAtMs: TOMORROW, durationInMinutes: 30, flags: [] } as const
    const finalizers = ['nodeset.slinky.slurm.net/reservation']
    const failed = 'Cannot update-slurm-node foo-0: refused.'
    const startAfter = (
      earlier: PictureDifferences,
      reservation: Picture['reservation'],
      madeFor?: number,
    ): unknown => {
      const common = { wanted: { updateStrategy, finalizers }, before: { reservationStartsAtMs: madeFor } }
      const before = aPicture({ workers: workersOf([0, 1]), ...common, ...earlier })
      const { fields } = buildNodeSetStatus({ ...before, reservation }, planNodeSet(before), failed)
      return (fields['reservation'] as { startTime?: string } | undefined)?.startTime
    }
    const ours = seen(aReservation(), NOW)
    const moved = seen(aReservation({ startsAtMs: TOMORROW - 3600_000 }), NOW)
    const wasMoved = TOMORROW - 3600_000
    test('the reservation that was made is forgotten because of a worker that has nothing to do with it', () => {
      expect(startAfter({ reservation: absent(NOW) }, ours)).toBe('2026-11-17T02:00:00Z')
      expect(startAfter({ reservation: ours }, ours)).toBe('2026-11-17T02:00:00Z')
      expect(startAfter({ reservation: moved }, ours, wasMoved)).toBe('2026-11-17T02:00:00Z')
    })
    test('it was that of the reservation, and the new start is taken for written', () => {
      expect(startAfter({ reservation: absent(NOW) }, absent(NOW))).toBeUndefined()
      expect(startAfter({ reservation: absent(NOW) }, unknown('unreachable'))).toBeUndefined()
      expect(startAfter({ reservation: moved }, moved, wasMoved)).toBe('2026-11-17T01:00:00Z')
    })
    test('one that could not be deleted is forgotten', () => {
      const none = { wanted: { updateStrategy, finalizers, replicas: 0 } }
      expect(startAfter({ ...none, reservation: ours }, ours, TOMORROW)).toBe('2026-11-17T02:00:00Z')
      expect(startAfter({ ...none, reservation: ours }, absent(NOW), TOMORROW)).toBeUndefined()
    })
  })
  test('nobody waits', () => {
    expect(statusOf({ workers: workersOf([0, 1]), leftovers: seen([], NOW) }).fields).toMatchObject({
      waiting: [],
      waitingReplicas: 0,
    })
  })
})
