/**
 * A worker read from its pod and from what Slurm says about it.
 *
 * @module
 */
import { containerNames, podStateCondition, POD_STATE_PREFIX } from '@slurm-operator/api'
import { findTime, type ContainerStatus, type ObjectMeta, type PodSpec, type PodStatus } from '@slurm-operator/kube'
import { isDown, type Knowledge, type SlurmJob, type SlurmNode } from '@slurm-operator/slurm'
import { readMode, readNumberedName, slurmNameOf } from './picture-identity.ts'
import { RAN_JOBS, REGISTERED_CONDITION, REVISION_HASH_LABEL } from './picture-keys.ts'
import { readPodInfo } from './picture-pod-info.ts'
import type { Phase, PodConditionFact, Worker } from './picture.ts'

/** The fields of a pod that a picture is made of. A cache that trims pods must keep all of them. */
export interface PodFacts {
  readonly metadata: Pick<
    ObjectMeta,
    | 'name'
    | 'namespace'
    | 'uid'
    | 'labels'
    | 'annotations'
    | 'ownerReferences'
    | 'creationTimestamp'
    | 'deletionTimestamp'
    | 'generateName'
  >
  readonly spec?: Pick<PodSpec, 'nodeName' | 'hostname' | 'hostNetwork' | 'affinity'>
  readonly status?: Pick<PodStatus, 'phase' | 'conditions' | 'podIP' | 'containerStatuses' | 'startTime'>
}

/** What a pod does not tell about its worker. All reads are local. */
export interface WorkerSources {
  readonly slurmNode: (slurmName: string) => Knowledge<SlurmNode>
  readonly jobsOn: (slurmName: string) => Knowledge<readonly SlurmJob[]>
  /** The names of the Slurm records with this address, from an index made once per pass. */
  readonly namesAtAddress: (podIp: string) => readonly string[]
  /** How often a pod in the place of this one has failed lately; see `Worker.failuresBefore`. */
  readonly failuresBefore: (worker: Pick<Worker, 'pod' | 'mode' | 'targetNode'>) => number
}

/** The kubelet writes Ready=False when it begins with a pod; a change later than this means that it was Ready between. */
const FIRST_READY_WRITE_MS = 5000

/** See the module. */
export function readWorker(pod: PodFacts, sources: WorkerSources): Worker {
  const { name = '', labels = {}, annotations = {} } = pod.metadata
  const numbered = readNumberedName(name)
  const hostname = pod.spec?.hostname ?? ''
  const nodeName = pod.spec?.nodeName ?? ''
  const mode = readMode(labels)
  const hostNetwork = pod.spec?.hostNetwork ?? false
  const slurmName = slurmNameOf({ pod: name, mode, hostNetwork, nodeName, hostname })
  const podIp = pod.status?.podIP ?? ''
  const targetNode = nodeName === '' ? affinityTarget(pod.spec) : nodeName
  return {
    ...readLife(pod),
    ...{ pod: name, uid: pod.metadata.uid ?? '', podIp, labels, annotations, mode, hostname, nodeName, slurmName },
    conditions: readConditions(pod),
    ordinalText: numbered?.ordinalText,
    ordinal: numbered?.ordinal,
    targetNode,
    revisionHash: labels[REVISION_HASH_LABEL] ?? '',
    slurmNode: sources.slurmNode(slurmName),
    jobs: sources.jobsOn(slurmName),
    joinedAs: findOtherName({ pod: name, podIp, slurmName }, sources),
    failuresBefore: sources.failuresBefore({ pod: name, mode, targetNode }),
    isOrphan: !(pod.metadata.ownerReferences ?? []).some(({ controller }) => controller === true),
  }
}

/** Whether Slurm has ever listed this worker, as far as its pod remembers. */
export function hasJoined({ conditions }: Pick<Worker, 'conditions'>): boolean {
  return conditions.some(({ type }) => type === REGISTERED_CONDITION || type.startsWith(POD_STATE_PREFIX))
}

const BUSY_CONDITIONS: ReadonlySet<string> = new Set(
  (['Allocated', 'Mixed', 'Completing'] as const).map((state) => podStateCondition(state)),
)

/** Whether it ran jobs when Slurm listed it last, as far as its pod remembers. */
export function wasBusy({ conditions }: Pick<Worker, 'conditions'>): boolean {
  return conditions.some(
    ({ type, status, message }) =>
      (BUSY_CONDITIONS.has(type) && status === 'True') || (type === REGISTERED_CONDITION && message === RAN_JOBS),
  )
}

type Life = Pick<
  Worker,
  | 'createdAtMs'
  | 'terminating'
  | 'phase'
  | 'readySinceMs'
  | 'wasReady'
  | 'hasStarted'
  | 'runningSinceMs'
  | 'finishedAtMs'
>

function readLife(pod: PodFacts): Life {
  const { metadata, status = {} } = pod
  const containers = status.containerStatuses ?? []
  const slurmd = containers.find(({ name }) => name === containerNames.slurmd)
  const phase: Phase = status.phase ?? ''
  return {
    createdAtMs: findTime(metadata.creationTimestamp),
    terminating: metadata.deletionTimestamp !== undefined,
    phase,
    ...readReadiness(pod),
    hasStarted: containers.some(hasRun),
    runningSinceMs: findTime(slurmd?.state?.running?.startedAt),
    finishedAtMs: phase === 'Failed' || phase === 'Succeeded' ? endOf(pod) : undefined,
  }
}

function readReadiness({ status = {} }: PodFacts): Pick<Worker, 'readySinceMs' | 'wasReady'> {
  const ready = status.conditions?.find(({ type }) => type === 'Ready')
  if (ready === undefined) return { readySinceMs: undefined, wasReady: false }
  const changedAtMs = findTime(ready.lastTransitionTime)
  if (ready.status === 'True') return { readySinceMs: changedAtMs ?? 'unset', wasReady: true }
  const startedAtMs = findTime(status.startTime) ?? 0
  const changedLater = changedAtMs !== undefined && changedAtMs > startedAtMs + FIRST_READY_WRITE_MS
  return { readySinceMs: undefined, wasReady: changedLater }
}

function hasRun({ state, lastState, restartCount }: ContainerStatus): boolean {
  const states = [state, lastState]
  return restartCount > 0 || states.some((one) => one?.running !== undefined || one?.terminated !== undefined)
}

/** One that the kubelet refused has no containers, so the last that is known of it counts. */
function endOf({ metadata, status = {} }: PodFacts): number | undefined {
  const { containerStatuses = [], conditions = [], startTime } = status
  const ends = containerStatuses.map(({ state }) => findTime(state?.terminated?.finishedAt))
  const others = [...conditions.map(({ lastTransitionTime }) => findTime(lastTransitionTime)), findTime(startTime)]
  return latest(ends) ?? latest(others) ?? findTime(metadata.creationTimestamp)
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

function readConditions({ status }: PodFacts): PodConditionFact[] {
  return (status?.conditions ?? []).map(({ type, status, message = '', lastTransitionTime }) => {
    const sinceMs = findTime(lastTransitionTime)
    return { type, status, message, ...(sinceMs !== undefined && { sinceMs }) }
  })
}

/** The Kube node that a daemon pod is meant for: our builder writes it as the only term on the field `metadata.name`. */
function affinityTarget(spec: PodFacts['spec']): string {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const fields = terms.flatMap(({ matchFields }) => matchFields ?? [])
  const named = fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')
  return named?.values?.length === 1 ? (named.values[0] ?? '') : ''
}

/**
 * A record of another name at this pod's address. Addresses are used again: a record that is down, or that bears the
 * note of another pod, is that pod's and says nothing.
 */
function findOtherName(
  worker: Pick<Worker, 'pod' | 'podIp' | 'slurmName'>,
  sources: WorkerSources,
): string | undefined {
  const { pod, podIp, slurmName } = worker
  const others = podIp === '' ? [] : sources.namesAtAddress(podIp).filter((name) => name !== slurmName)
  return others.find((name) => {
    const record = sources.slurmNode(name)
    if (record.kind === 'absent' || isDown(record) === 'yes') return false
    const owner = record.kind === 'seen' ? readPodInfo(record.value.comment)?.podName : undefined
    return owner === undefined || owner === pod
  })
}

/** Whether there may be such a record: then its pod is read again. */
export function hasOtherName(
  { podIp, slurmName }: Pick<Worker, 'podIp' | 'slurmName'>,
  { namesAtAddress }: Pick<WorkerSources, 'namesAtAddress'>,
): boolean {
  return podIp !== '' && namesAtAddress(podIp).some((name) => name !== slurmName)
}
