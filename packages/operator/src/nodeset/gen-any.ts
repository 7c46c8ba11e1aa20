/**
 * Any picture at all: everything that pods, Kube nodes and Slurm can say, also what contradicts itself.
 *
 * @module
 */
import { annotationKeys, labelKeys } from '@slurm-operator/api'
import { printTime } from '@slurm-operator/kube'
import { absent, seen, unknown, type Knowledge, type SlurmNode, type UnknownWhy } from '@slurm-operator/slurm'
import fc from 'fast-check'
import {
  aJob,
  aKubeNode,
  aPicture,
  aPlacement,
  aReservation,
  aSlurmNode,
  aWorker,
  infoFor,
  NEW_HASH,
  NOW,
  ourCordon,
  settledConditions,
  TOMORROW,
} from './gen.ts'
import type { Claim, KubeNode, Picture, UpdateStrategy, Wanted, Worker } from './picture.ts'

const HOSTS = ['n0', 'n1', 'n2', 'n3', 'n4']
const whys: readonly UnknownWhy[] = ['no-client', 'unreachable', 'not-listed-yet', 'unreadable', 'vanished']

const anyStates = fc
  .tuple(
    fc.constantFrom('IDLE', 'IDLE', 'ALLOCATED', 'MIXED', 'DOWN', 'ERROR', 'UNKNOWN', 'SOME_DAY'),
    fc.subarray(['DRAIN', 'DRAIN', 'COMPLETING', 'UNDRAIN', 'NOT_RESPONDING', 'MAINTENANCE', 'INVALID_REG']),
  )
  .map(([base, flags]) => [base, ...new Set(flags)])

const anyReason = fc.constantFrom(
  ...['', 'slurm-operator: pod default/foo-0 awaits removal (ScaleIn)', 'slurm-operator: Pod is terminating'],
  ...['bad disk', 'Not responding', 'slurm-operator:x', 'Low RealMemory'],
)

const anyAge = fc.constantFrom(0, 3000, 60_000, 200_000, 3_600_000).map((ageMs) => NOW - ageMs)

function anyRecord(name: string, pod: string, host: string): fc.Arbitrary<SlurmNode> {
  const comment = fc.constantFrom('', infoFor(pod, host), infoFor(pod, 'n9'), 'do not touch')
  return fc
    .record({
      states: anyStates,
      reason: anyReason,
      comment,
      reservation: fc.constantFrom('', 'SlurmOperatorMaint-foo'),
    })
    .map((fields) => aSlurmNode({ name, ...fields }))
}

function anyKnowledge(record: fc.Arbitrary<SlurmNode>): fc.Arbitrary<Knowledge<SlurmNode>> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(record, anyAge).map(([node, atMs]) => seen(node, atMs)) },
    { weight: 2, arbitrary: anyAge.map((sinceMs): Knowledge<SlurmNode> => absent(sinceMs)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...whys), fc.option(record, { nil: undefined }))
        .map(([why, last]) => unknown(why, last)),
    },
  )
}

const anyNotes = fc
  .record({
    cordon: fc.constantFrom(
      {},
      {},
      { [annotationKeys.podCordon]: 'true' },
      ourCordon(),
      ourCordon('ScaleIn'),
      ourCordon('Outdated'),
    ),
    cost: fc.constantFrom({}, { [annotationKeys.podDeletionCost]: '-5' }),
    deadline: fc.constantFrom({}, { [annotationKeys.podDeadline]: printTime(NOW + 3_600_000) }),
  })
  .map(({ cordon, cost, deadline }): Record<string, string> => ({ ...cordon, ...cost, ...deadline }))

/** How far a pod has come: from nothing to a long life, and its end. */
const anyLife: fc.Arbitrary<Partial<Worker>> = fc.oneof(
  {
    weight: 5,
    arbitrary: anyAge.map((atMs): Partial<Worker> => ({ readySinceMs: atMs, runningSinceMs: atMs })),
  },
  fc.constantFrom<Partial<Worker>>(
    {
      phase: 'Pending',
      readySinceMs: undefined,
      wasReady: false,
      hasStarted: false,
      runningSinceMs: undefined,
      conditions: [],
    },
    { readySinceMs: undefined },
    { readySinceMs: undefined, wasReady: false, conditions: [], createdAtMs: NOW - 1000, runningSinceMs: NOW - 1000 },
    { readySinceMs: undefined, wasReady: false, conditions: [], runningSinceMs: NOW - 600_000 },
    { phase: 'Failed', readySinceMs: undefined, finishedAtMs: NOW - 500 },
    { phase: 'Succeeded', readySinceMs: undefined },
    { phase: 'Unknown', readySinceMs: undefined },
  ),
)

function anyWorker(pod: string, host: string, mode: Worker['mode']): fc.Arbitrary<Worker> {
  const hostname = mode === 'DaemonSet' ? host : pod
  return fc
    .record({
      life: anyLife,
      slurmNode: anyKnowledge(anyRecord(hostname, pod, host)),
      annotations: anyNotes,
      jobs: fc.constantFrom<Worker['jobs']>(
        ...[seen([], NOW), seen([], NOW), seen([], NOW - 70_000), seen([aJob()], NOW)],
        ...[seen([aJob({ states: ['SUSPENDED'] })], NOW), unknown<never>('unreachable'), unknown<never>('unreadable')],
      ),
      conditions: fc.constantFrom<Worker['conditions']>([], settledConditions(['Idle']), settledConditions(['Idle'])),
      terminating: fc.constantFrom(false, false, false, true),
      revisionHash: fc.constantFrom(NEW_HASH, 'old'),
      joinedAs: fc.constantFrom(undefined, undefined, undefined, 'elsewhere'),
      labels: fc.constantFrom({}, { [labelKeys.podProtect]: 'true' }),
    })
    .map(({ life, ...rest }) => {
      const modeFields = mode === undefined ? {} : { mode }
      const worker = aWorker(pod, { hostname, nodeName: host, ...modeFields, ...rest, ...life })
      return mode === undefined ? { ...worker, mode: undefined } : worker
    })
}

const anyStrategy: fc.Arbitrary<UpdateStrategy> = fc.oneof(
  fc
    .constantFrom<UpdateStrategy['type']>('RollingUpdate')
    .chain(() =>
      fc
        .constantFrom(1, 2, '25%', '100%', 'abc')
        .map((maxUnavailable): UpdateStrategy => ({ type: 'RollingUpdate', maxUnavailable })),
    ),
  fc.constant<UpdateStrategy>({ type: 'OnDelete' }),
  fc.constantFrom(TOMORROW, NOW - 1000).map((startsAtMs): UpdateStrategy => ({
    ...{ type: 'ScheduledUpdate', startsAtMs, durationInMinutes: 30, flags: [] },
  })),
)

const anyKubeNode = (name: string): fc.Arbitrary<KubeNode> =>
  fc
    .record({
      unschedulable: fc.constantFrom(false, false, true),
      taints: fc.constantFrom<KubeNode['taints']>(
        ...[[], [], [], [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' as const }]],
        [{ key: 'bad', effect: 'NoExecute' }],
      ),
      annotations: fc.constantFrom<KubeNode['annotations']>({}, {}, { [annotationKeys.features]: 'a,b' }),
    })
    .map((fields) => aKubeNode(name, fields))

const anyWanted: fc.Arbitrary<Partial<Wanted>> = fc.record({
  replicas: fc.nat(5),
  scalingMode: fc.constantFrom<Wanted['scalingMode']>('StatefulSet', 'StatefulSet', 'DaemonSet'),
  updateStrategy: anyStrategy,
  minReadySeconds: fc.constantFrom(0, 0, 60),
  claimTemplates: fc.constantFrom<readonly string[]>([], ['data']),
  whenDeleted: fc.constantFrom<Wanted['whenDeleted']>('Retain', 'Delete'),
  whenScaled: fc.constantFrom<Wanted['whenScaled']>('Retain', 'Delete'),
  protects: fc.constantFrom<Wanted['protects']>('nobody', 'who-runs-jobs', 'until-drained'),
  prunesRecords: fc.boolean(),
  sharesNodes: fc.boolean(),
  pinToNode: fc.boolean(),
})

function anyWorkers(mode: Wanted['scalingMode']): fc.Arbitrary<Worker[]> {
  const modes = fc.constantFrom<Worker['mode']>(
    mode,
    mode,
    mode,
    mode,
    mode === 'DaemonSet' ? 'StatefulSet' : 'DaemonSet',
    undefined,
  )
  const places = HOSTS.map((host, ordinal) =>
    modes.chain((one) => anyWorker(one === 'DaemonSet' ? `foo-x${host}` : `foo-${ordinal}`, host, one)),
  )
  return fc
    .tuple(fc.tuple(...places), fc.subarray(HOSTS))
    .map(([all, chosen]) => all.filter((_, index) => chosen.includes(HOSTS[index] ?? '')))
}

function claimsOf(workers: readonly Worker[], wanted: Partial<Wanted>): Claim[] {
  if (wanted.claimTemplates?.length === 0) return []
  return workers.map(({ mode, ordinalText, hostname }) => {
    const name = `data-foo-${mode === 'StatefulSet' ? ordinalText : hostname}`
    return { name, terminating: false, ownerReferences: [] }
  })
}

/** Any picture of a NodeSet that is not being deleted. */
export const anyPicture: fc.Arbitrary<Picture> = anyWanted.chain((wanted) =>
  fc
    .record({
      workers: anyWorkers(wanted.scalingMode ?? 'StatefulSet'),
      kubeNodes: fc.tuple(...HOSTS.map(anyKubeNode)).chain((nodes) => fc.subarray(nodes, { minLength: 2 })),
      slurmList: fc.constantFrom(
        { nodes: 5, atMs: NOW, wholeAtMs: NOW },
        { nodes: 5, atMs: NOW, wholeAtMs: NOW },
        { nodes: 0, atMs: NOW, wholeAtMs: NOW },
        undefined,
      ),
      template: fc.constantFrom<Picture['template']>(
        { kind: 'built', placement: aPlacement() },
        { kind: 'built', placement: aPlacement() },
        { kind: 'impossible', reason: 'ControllerNotFound', problem: 'Controller slurm does not exist' },
      ),
      reservation: fc.constantFrom<Picture['reservation']>(
        absent(NOW),
        seen(aReservation(), NOW),
        unknown('unreachable'),
      ),
      madeFor: fc.constantFrom(undefined, TOMORROW, NOW - 1000),
    })
    .map(({ madeFor, ...rest }) =>
      aPicture({ ...rest, wanted, claims: claimsOf(rest.workers, wanted), before: { reservationStartsAtMs: madeFor } }),
    ),
)
