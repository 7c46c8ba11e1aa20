/**
 * Test data of this room: pictures to vary, any picture at all, and a helpful world that carries plans out.
 *
 * @module
 */
import { annotationKeys, labelKeys } from '@slurm-operator/api'
import { printTime } from '@slurm-operator/kube'
import {
  absent,
  seen,
  unknown,
  type Knowledge,
  type SlurmJob,
  type SlurmNode,
  type SlurmReservation,
} from '@slurm-operator/slurm'
import { printOrdinal, readNumberedName } from './picture-identity.ts'
import { REGISTERED_CONDITION } from './picture-keys.ts'
import type { Before, Claim, KubeNode, Picture, Placement, Wanted, Worker } from './picture.ts'
import type { Plan, Step, StepOf } from './steps.ts'

/** The time of all pictures: whole seconds, so that it can be printed and read again. */
export const NOW = Date.parse('2026-11-16T02:00:00Z')
/** The hash of the newest template in pictures that do not say otherwise. */
export const NEW_HASH = 'newhash'
const LONG_AGO = NOW - 24 * 3600_000

/** A Slurm node that is idle, with the given differences. */
export function aSlurmNode(differences: Partial<SlurmNode> = {}): SlurmNode {
  return {
    ...{ name: 'foo-0', states: ['IDLE', 'DYNAMIC_NORM'], reason: '', reasonSetBy: '', reasonChangedAtMs: undefined },
    ...{ comment: '', extra: '', features: [], activeFeatures: [], topology: '', reservation: '', partitions: [] },
    ...{ address: '', hostname: '', port: 6818, cpus: 4, effectiveCpus: 4, allocatedCpus: 0, memoryMib: 1000 },
    ...{ allocatedMemoryMib: 0, freeMemoryMib: 1000, gres: '', gresUsed: '', tres: '', tresUsed: '', weight: 1 },
    ...{ bootedAtMs: LONG_AGO, slurmdStartedAtMs: LONG_AGO, lastBusyAtMs: LONG_AGO, resumeAfterMs: undefined },
    ...{ slurmdVersion: '26.05', architecture: 'x86_64', operatingSystem: '', instanceId: '', instanceType: '' },
    ...differences,
  }
}

/** A running job, with the given differences. */
export function aJob(differences: Partial<SlurmJob> = {}): SlurmJob {
  return {
    ...{ id: 1, states: ['RUNNING'], name: '', userName: '', userId: 0, account: '', qos: '', partition: '' },
    ...{ reservation: '', nodes: 'foo-0', requiredNodes: '', excludedNodes: '', batchHost: '', features: '' },
    ...{ nodeCount: 1, cpus: 1, tresRequested: '', tresAllocated: '', stateReason: '', stateDescription: '' },
    ...{ held: false, mayRequeue: true, restarts: 0, submittedAtMs: NOW, eligibleAtMs: NOW, startedAtMs: NOW },
    ...{ endsAtMs: undefined, timeLimitInMinutes: 60, priority: 1, arrayJobId: undefined, arrayTaskId: undefined },
    ...{ exitCode: undefined, comment: '', adminComment: '', extra: '' },
    ...differences,
  }
}

/** What Slurm says about a worker: states, and a reason. */
export function slurmSays(states: readonly string[], differences: Partial<SlurmNode> = {}): Knowledge<SlurmNode> {
  return seen(aSlurmNode({ states, ...differences }), NOW)
}

/** A healthy worker that has joined Slurm long ago and is idle, with the given differences. */
export function aWorker(pod: string, differences: Partial<Worker> = {}): Worker {
  const numbered = readNumberedName(pod)
  const mode = differences.mode ?? 'StatefulSet'
  const hostname = differences.hostname ?? pod
  const slurmName = differences.slurmName ?? hostname
  const nodeName = differences.nodeName ?? `n-${pod}`
  const labels: Record<string, string> = {
    [labelKeys.podName]: pod,
    [labelKeys.podHostname]: slurmName,
    [labelKeys.scalingMode]: mode,
    ...(mode === 'StatefulSet' && numbered !== undefined && { [labelKeys.podIndex]: numbered.ordinalText }),
  }
  return {
    ...{ pod, uid: `uid-${pod}`, createdAtMs: LONG_AGO, terminating: false, phase: 'Running', readySinceMs: LONG_AGO },
    ...{ wasReady: true, hasStarted: true, runningSinceMs: LONG_AGO, podIp: '', annotations: {} },
    ...{ mode, ordinalText: numbered?.ordinalText, ordinal: numbered?.ordinal, hostname, nodeName },
    ...{ targetNode: nodeName, revisionHash: NEW_HASH, slurmName, jobs: seen([], NOW), joinedAs: undefined },
    ...{ failuresBefore: 0, finishedAtMs: undefined, isOrphan: false },
    slurmNode: seen(aSlurmNode({ name: slurmName, comment: infoFor(pod, nodeName) }), NOW),
    conditions: settledConditions(['Idle']),
    ...differences,
    labels: { ...labels, ...differences.labels },
  }
}

/** A worker that is not started yet: it waits for a place. */
export function aPendingWorker(pod: string, differences: Partial<Worker> = {}): Worker {
  return aWorker(pod, {
    ...{ phase: 'Pending', readySinceMs: undefined, wasReady: false, hasStarted: false, runningSinceMs: undefined },
    ...{ slurmNode: absent(LONG_AGO), conditions: [], createdAtMs: NOW - 10_000 },
    ...differences,
  })
}

/** The conditions of a pod whose node has these states and no reason. */
export function settledConditions(states: readonly string[]): Worker['conditions'] {
  return [
    { type: 'Ready', status: 'True', message: '' },
    ...states.map((state) => ({ type: `SlurmNodeState${state}`, status: 'True', message: '' })),
    { type: REGISTERED_CONDITION, status: 'True', message: '' },
  ]
}

/** The comment of a record of ours. */
export function infoFor(podName: string, node: string): string {
  return JSON.stringify({ namespace: 'default', podName, node, nodeSetName: 'foo', nodeSetUID: 'u1' })
}

/** NodeSet `foo` with two workers, all defaults, with the given differences. */
function aWanted(differences: Partial<Wanted> = {}): Wanted {
  return {
    ...{ name: 'foo', namespace: 'default', uid: 'u1', generation: 1, controllerName: 'slurm', replicas: 2 },
    ...{ scalingMode: 'StatefulSet', ordinalPadding: 0, hostnamePrefix: '', hostNetwork: false, pinToNode: false },
    updateStrategy: { type: 'RollingUpdate', maxUnavailable: '25%' },
    ...{
      minReadySeconds: 0,
      claimTemplates: [],
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
      protects: 'who-runs-jobs',
    },
    ...{
      prunesRecords: false,
      sharesNodes: false,
      revisionHistoryLimit: 0,
      drainsOnDelete: false,
      finalizers: [],
      deletedAtMs: undefined,
    },
    ...differences,
  }
}

/** A Kube node that takes everything, with the given differences. */
export function aKubeNode(name: string, differences: Partial<KubeNode> = {}): KubeNode {
  return { name, unschedulable: false, taints: [], labels: {}, annotations: {}, conditions: [], ...differences }
}

/** A template that fits everywhere, with the given differences. */
export function aPlacement(differences: Partial<Placement> = {}): Placement {
  return {
    ...{ nodeSelector: {}, requiredNodes: undefined, tolerations: [], registration: 'r1' },
    ...{ sssdConf: 's1', labels: {}, annotations: {} },
    ...differences,
  }
}

/** The status of a NodeSet that was never reported on, with the given differences. */
function aBefore(differences: Partial<Before> = {}): Before {
  return {
    ...{ ordinalToNode: {}, reservationStartsAtMs: undefined, collisionCount: 0, nodeSetHash: NEW_HASH },
    slurmCounters: { slurmIdle: 0, slurmAllocated: 0, slurmDown: 0, slurmDrain: 0 },
    ...{ conditions: [], waiting: [] },
    ...differences,
  }
}

/** How a picture may differ: `wanted` and lists of nodes and claims in short form. */
export interface PictureDifferences extends Partial<Omit<Picture, 'wanted' | 'kubeNodes' | 'claims' | 'before'>> {
  readonly wanted?: Partial<Wanted>
  readonly kubeNodes?: readonly KubeNode[]
  readonly claims?: readonly Claim[]
  readonly before?: Partial<Before>
}

/** A picture in which everything is known. Kube nodes of workers exist unless others are given. */
export function aPicture(differences: PictureDifferences = {}): Picture {
  const { wanted, kubeNodes, claims = [], before, ...rest } = differences
  const workers = rest.workers ?? []
  const named = workers.flatMap(({ nodeName }) => (nodeName === '' ? [] : [aKubeNode(nodeName)]))
  return {
    nowMs: NOW,
    wanted: aWanted(wanted),
    template: { kind: 'built', placement: aPlacement() },
    ...{
      workers,
      strayPods: [],
      othersPods: new Set(),
      leftovers: seen([], NOW),
      slurmList: { nodes: workers.length, atMs: NOW, wholeAtMs: NOW },
    },
    kubeNodes: new Map((kubeNodes ?? named).map((node) => [node.name, node])),
    claims: new Map(claims.map((claim) => [claim.name, claim])),
    revisions: currentRevision(),
    reservation: unknown('not-listed-yet'),
    ...{ shared: [], propagatedConditions: [] },
    before: aBefore(before),
    ...rest,
  }
}

/** The one revision of a settled NodeSet. */
function currentRevision(): Picture['revisions'] {
  const data = { spec: { ordinalPadding: 0 } }
  const revision = {
    name: `foo-${NEW_HASH}`,
    number: 1,
    createdAtMs: LONG_AGO,
    hash: NEW_HASH,
    data,
    owner: 'us' as const,
  }
  return { wantedJson: JSON.stringify(data), existing: [revision] }
}

/** Several workers of the NodeSet foo, with the same differences. */
export function workersOf(ordinals: readonly number[], differences: Partial<Worker> = {}): Worker[] {
  return ordinals.map((ordinal) => aWorker(`foo-${printOrdinal(ordinal, 0)}`, differences))
}

/** A cordon that we have set, as the annotations show it. */
export function ourCordon(reason?: string): Record<string, string> {
  return {
    [annotationKeys.podCordon]: 'true',
    'nodeset.slinky.slurm.net/pod-cordon-by': 'slurm-operator',
    ...(reason !== undefined && { 'nodeset.slinky.slurm.net/pod-condemned': `${reason} ${printTime(NOW - 60_000)}` }),
  }
}

/** A reservation of ours for tomorrow, with the given differences. */
export function aReservation(differences: Partial<SlurmReservation> = {}): SlurmReservation {
  return {
    ...{ name: 'SlurmOperatorMaint-foo', flags: ['IGNORE_JOBS', 'MAINT', 'SPEC_NODES'], nodes: 'foo-[0-1]' },
    ...{ users: ['slurm'], accounts: [], startsAtMs: TOMORROW, endsAtMs: TOMORROW + 30 * 60_000, partition: '' },
    ...{ features: '', nodeCount: 2, coreCount: undefined, tres: '' },
    ...differences,
  }
}

/** When scheduled updates of the tests begin. */
export const TOMORROW = NOW + 24 * 3600_000

/** The steps of one kind in a plan. */
export function stepsThat<D extends Step['do']>(plan: Pick<Plan, 'steps'>, what: D): StepOf<D>[] {
  return plan.steps.filter((step): step is StepOf<D> => step.do === what)
}

/** A plan in short: `drain foo-1`, `delete-pod foo-2`, in the order of the plan. */
export function inShort({ steps }: Pick<Plan, 'steps'>): string[] {
  return steps.map((step) => [step.do, subjectOf(step)].filter(Boolean).join(' '))
}

function subjectOf(step: Step): string {
  if ('slurmName' in step) return step.slurmName
  if ('pod' in step) return step.pod
  if (step.do === 'create-pod') return step.worker.name ?? `on ${step.worker.node}`
  if ('claim' in step) return step.claim
  if ('finalizer' in step) return step.finalizer.split('/')[1] ?? ''
  return 'name' in step ? step.name : ''
}
