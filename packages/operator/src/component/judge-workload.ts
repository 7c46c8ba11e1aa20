/**
 * How it is with a Deployment or StatefulSet: from its own counters, and where those say that something is missing, from
 * its pods and claims, because they know why.
 *
 * @module
 */
import {
  parseTime,
  type ContainerStatus,
  type Deployment,
  type PersistentVolumeClaim,
  type StatefulSet,
} from '@slurm-operator/kube'
import type { ObjectState } from '@slurm-operator/runtime'
import { counted } from '../reasons/counted.ts'
import { stateOf } from '../reasons/reasons.ts'
import { shorten } from '../reasons/shorten.ts'
import type { Kept, KeptPod } from '../world/trim.ts'
import type { Judgement } from './room.ts'

/** A workload with everything that can tell why it is not ready. */
export interface WorkloadFacts {
  readonly workload: Kept<Deployment> | Kept<StatefulSet> | undefined
  readonly pods: readonly KeptPod[]
  readonly claims: readonly Kept<PersistentVolumeClaim>[]
}

/** Volumes are made and Kube nodes started only when a pod wants them: until then it is no alarm that there are none. */
const PATIENCE_MS = 60_000

/** When to look again while a workload starts: nobody tells when the patience with a young pod is over. */
export const LOOK_AT_PODS_SECONDS = 15

/** The judgement of a kind that is as well as its workload. */
export function judgeByWorkload(daemon: string, facts: WorkloadFacts, nowMs: number): Judgement {
  const state = judgeWorkload(daemon, facts, nowMs)
  return { state, ...(state.kind === 'working' && { lookAgainInSeconds: LOOK_AT_PODS_SECONDS }) }
}

/** The state of a workload, in words about the daemon that it runs. A caller must look again while it is working. */
export function judgeWorkload(daemon: string, { workload, pods, claims }: WorkloadFacts, nowMs: number): ObjectState {
  if (workload === undefined) return stateOf('Starting', `The ${daemon} workload does not exist yet.`)
  const { spec, status, metadata } = workload
  const wanted = spec?.replicas ?? 1
  const { observedGeneration = 0, readyReplicas = 0, updatedReplicas = 0, replicas = 0 } = status ?? {}
  const isCurrent = observedGeneration >= (metadata.generation ?? 0)
  if (isCurrent && readyReplicas >= wanted && updatedReplicas >= wanted && replicas === wanted) {
    return stateOf('Ready', wanted === 0 ? `No ${daemon} is wanted.` : `${readyReplicas} of ${wanted} ${daemon} ready.`)
  }
  const cause = pods.flatMap((pod) => podTrouble(daemon, pod, claims, nowMs) ?? [])[0]
  if (cause !== undefined) return cause
  const counted = `${readyReplicas} of ${wanted} ${daemon} ready`
  if (isCurrent && updatedReplicas >= wanted) return stateOf('Starting', `${counted}.`)
  return stateOf('RollingOut', `${counted}, ${updatedReplicas} updated.`)
}

function podTrouble(
  daemon: string,
  pod: KeptPod,
  claims: readonly Kept<PersistentVolumeClaim>[],
  nowMs: number,
): ObjectState | undefined {
  const { name, creationTimestamp } = pod.metadata
  const lost = lostWithItsNode(pod)
  if (lost !== undefined) return lost
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status
  const statuses = [...initContainerStatuses, ...containerStatuses]
  const pull = statuses.find(({ state }) =>
    /^(ErrImagePull|ImagePullBackOff|InvalidImageName)$/.test(state?.waiting?.reason ?? ''),
  )
  if (pull !== undefined) {
    return stateOf(
      'ImageCannotBePulled',
      `Pod ${name}: image ${pull.image} cannot be pulled: ${shorten(pull.state?.waiting?.message)}`,
    )
  }
  const crashed = statuses.find(isCrashing)
  if (crashed !== undefined) return stateOf('ContainerCrashes', describeCrash(daemon, name, crashed))
  if (nowMs - parseTime(creationTimestamp) < PATIENCE_MS) return undefined
  return pendingClaim(pod, claims) ?? unschedulable(pod)
}

/** Kubernetes wants it to end elsewhere, and its kubelet does not confirm it: a StatefulSet makes no second one. */
function lostWithItsNode({ metadata, spec, status }: KeptPod): ObjectState | undefined {
  const isEvicted = status.conditions?.some(({ type, reason }) => type === 'DisruptionTarget' && reason === EVICTED)
  if (metadata.deletionTimestamp === undefined || isEvicted !== true) return undefined
  const text = `its Kube node ${spec.nodeName} does not answer or is tainted, and has not said that the pod has ended.`
  return stateOf('KubeNodeLost', `Pod ${metadata.name}: ${text}`)
}

const EVICTED = 'DeletionByTaintManager'

function isCrashing({ ready, state, lastState, restartCount }: ContainerStatus): boolean {
  if (ready) return false
  if (state?.waiting?.reason === 'CrashLoopBackOff') return true
  return restartCount > 1 && (lastState?.terminated?.exitCode ?? 0) !== 0
}

function describeCrash(daemon: string, pod: string, { name, lastState, restartCount }: ContainerStatus): string {
  const { exitCode, message, reason } = lastState?.terminated ?? {}
  const who = name === daemon ? daemon : `container ${name}`
  const last = lastWords(message) ?? reason ?? 'no reason was given'
  return `Pod ${pod}: ${who} crashes (exit code ${exitCode ?? 'unknown'}, ${counted(restartCount, 'restart')}): ${shorten(last)}`
}

function pendingClaim(
  { metadata, spec }: KeptPod,
  claims: readonly Kept<PersistentVolumeClaim>[],
): ObjectState | undefined {
  const names = (spec.volumes ?? []).map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName)
  const pending = claims.find(({ metadata: { name }, status }) => names.includes(name) && status?.phase === 'Pending')
  if (pending === undefined || spec.nodeName !== undefined) return undefined
  const storageClass = pending.spec?.storageClassName
  const why =
    storageClass === undefined || storageClass === ''
      ? 'it has no StorageClass'
      : `StorageClass ${storageClass} has not provided a volume`
  return stateOf('ClaimPending', `Pod ${metadata.name} waits for claim ${pending.metadata.name}: ${why}.`)
}

function unschedulable({ metadata, status }: KeptPod): ObjectState | undefined {
  const line = status.conditions?.find(
    ({ type, status: is, reason }) => type === 'PodScheduled' && is === 'False' && reason === 'Unschedulable',
  )
  return line && stateOf('Unschedulable', `Pod ${metadata.name} finds no Kube node: ${shorten(line.message)}`)
}

/** The last line, and errors right before it: "Unable to process configuration file" alone helps nobody. */
function lastWords(text = ''): string | undefined {
  const lines = text.split('\n').map(withoutTime).filter(Boolean)
  const errors = lines.slice(-4, -1).filter((line) => line.startsWith('error: '))
  const words = [...new Set([...errors, ...lines.slice(-1)])]
  return words.length > 0 ? words.join('; ') : undefined
}

/** With the time of the line, every crash would be news. */
function withoutTime(line: string): string {
  return line.replace(/^\s*\[[\dT:.-]+\]/, '').trim()
}
