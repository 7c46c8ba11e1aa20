/**
 * Drained or not: the one place that decides it, for all three causes together. A worker's Slurm node is drained while
 * its user asks for it (the public annotation), while its Kube node is cordoned, or while it is condemned; and it is
 * returned to service when none of these holds and the drain is ours. What somebody else drained or explained is left
 * alone, and nothing is taken back while Slurm is silent.
 *
 * @module
 */
import { annotationKeys, YES } from '@slurm-operator/api'
import {
  buildReason,
  every,
  hasState,
  isDown,
  isDrain,
  isReasonOurs,
  isRefusedNoMore,
  isUnresponsive,
  mayUndrain,
  not,
  REASON_PREFIX,
  some,
  type SlurmNode,
} from '@slurm-operator/slurm'
import { hasThisSlurmd } from './picture-slurmd.ts'
import { BY_OPERATOR, CONDEMNED, CORDON_BY, REGISTERED_CONDITION, REGISTRATION } from './picture-keys.ts'
import type { KubeNode, Picture, Worker } from './picture.ts'
import { isHealthy } from './plan-budget.ts'
import { printCondemned, readCondemned, type Condemnation } from './plan-condemnation.ts'
import { nodeDrainReason } from './plan-node-reason.ts'
import { isCordoned } from './rank.ts'
import type { MetadataPatch, Step, StepEvent, StepOf } from './steps.ts'

/** Marks to set on the pod, and what to tell Slurm after that. */
export interface CordonPlan {
  readonly annotations: MetadataPatch
  readonly event: StepEvent | undefined
  readonly reason: string
  readonly because: string
  /** Whether there is a cause: whoever is drained then stays so. */
  readonly isWanted: boolean
  /** Another program's cordon is marked as ours. Until it is, nothing may show that we know this pod. */
  readonly isTakeOver: boolean
  readonly steps: readonly Step[]
}

/** Why a worker is or should be drained. */
interface Causes {
  readonly cordonedNode: KubeNode | undefined
  readonly condemnation: Condemnation | undefined
  readonly byUser: boolean
  /** The cordon counts as that of the program which made the pod and works no more: it is ours from now on. */
  readonly isTakenOver: boolean
}

/** See the module. */
export function planCordon(picture: Picture, worker: Worker, condemnation: Condemnation | undefined): CordonPlan {
  const causes = findCauses(picture, worker, condemnation)
  const marks = { ...patchCordon(worker, causes), ...patchCondemned(picture, worker, condemnation) }
  const isNewCordon = CORDON_BY in marks && marks[CORDON_BY] !== null
  const reason = condemnation?.reason ?? (causes.cordonedNode ? 'KubeNodeCordoned' : 'Cordon')
  return {
    annotations: marks,
    event: isNewCordon || CONDEMNED in marks ? eventOf(causes) : undefined,
    reason,
    because: becauseOf(causes),
    isWanted: causes.cordonedNode !== undefined || condemnation !== undefined || causes.byUser,
    isTakeOver: causes.isTakenOver,
    steps: planDrain(picture, worker, causes).map((step) => ({ ...step, reason, chain: `pod/${worker.pod}` })),
  }
}

function findCauses(picture: Picture, worker: Worker, condemnation: Condemnation | undefined): Causes {
  const node = picture.kubeNodes.get(worker.nodeName)
  const cordonedNode = node?.unschedulable === true ? node : undefined
  const hasCause = cordonedNode !== undefined || condemnation !== undefined
  const isUnmarked = isCordoned(worker) && !isMarked(worker)
  const isTakenOver = isUnmarked && hasCause && isNewToUs(worker)
  return { cordonedNode, condemnation, isTakenOver, byUser: isUnmarked && !isTakenOver }
}

function isMarked({ annotations }: Worker): boolean {
  return annotations[CORDON_BY] === BY_OPERATOR
}

/**
 * A pod that another program made and that we see for the first time: its cordon may be that program's. Ours have a hash
 * from our builder, and nobody but a user cordons them without a mark.
 */
function isNewToUs({ annotations, conditions }: Worker): boolean {
  return !(REGISTRATION in annotations) && !conditions.some(({ type }) => type === REGISTERED_CONDITION)
}

/**
 * The public annotation. It speaks about Slurm, so it waits until Slurm has said whose the node is; but whose a cordon is that
 * was there before us can be told only now.
 */
function patchCordon(worker: Worker, { cordonedNode, condemnation, byUser, isTakenOver }: Causes): MetadataPatch {
  if (isTakenOver) return { [CORDON_BY]: BY_OPERATOR }
  if (byUser || isReasonOurs(worker.slurmNode) !== 'yes' || isUnresponsive(worker.slurmNode) !== 'no') return {}
  if (cordonedNode === undefined && condemnation === undefined) {
    return isMarked(worker) ? { [annotationKeys.podCordon]: null, [CORDON_BY]: null } : {}
  }
  const cordon = isCordoned(worker) ? {} : { [annotationKeys.podCordon]: YES }
  return isMarked(worker) ? cordon : { ...cordon, [CORDON_BY]: BY_OPERATOR }
}

/** Why it leaves and since when: so that the next pass does not choose anew. */
function patchCondemned(picture: Picture, worker: Worker, condemnation: Condemnation | undefined): MetadataPatch {
  if (condemnation === undefined) return CONDEMNED in worker.annotations ? { [CONDEMNED]: null } : {}
  if (readCondemned(worker)?.reason === condemnation.reason) return {}
  return { [CONDEMNED]: printCondemned(condemnation, picture.nowMs) }
}

type BareStep = StepOf<'drain' | 'undrain' | 'resume'>

function planDrain(picture: Picture, worker: Worker, causes: Causes): BareStep[] {
  const { slurmNode } = worker
  if (slurmNode.kind !== 'seen') return []
  const wantedReason = drainReason(picture, worker, causes)
  if (wantedReason === undefined) return planReturn(picture, worker)
  if (isReasonOurs(slurmNode) === 'yes' && isUnresponsive(slurmNode) === 'no') {
    return drainAs(worker, slurmNode.value, wantedReason, becauseOf(causes))
  }
  // Somebody else's words stay; but who leaves must not get another job.
  if (causes.condemnation === undefined || isDrain(slurmNode) === 'yes') return []
  return [drainStep(worker, undefined, becauseOf(causes))]
}

function drainAs(worker: Worker, node: SlurmNode, drainReason: string, because: string): BareStep[] {
  if (isDrain(worker.slurmNode) === 'yes' && node.reason === drainReason) return []
  return [drainStep(worker, drainReason, because)]
}

function drainStep({ slurmName }: Worker, drainReason: string | undefined, because: string): BareStep {
  return { do: 'drain', slurmName, drainReason, because, reason: '', chain: '' }
}

/** The first cause gives the words that people read in Slurm. They must not change from pass to pass. */
function drainReason(picture: Picture, worker: Worker, causes: Causes): string | undefined {
  const { cordonedNode, condemnation, byUser } = causes
  const { wanted, propagatedConditions } = picture
  if (cordonedNode) return nodeDrainReason(cordonedNode, worker.pod, wanted, propagatedConditions)
  const pod = `pod ${wanted.namespace}/${worker.pod}`
  if (condemnation) return buildReason(REASON_PREFIX, `${pod} awaits removal (${condemnation.reason})`)
  return byUser ? buildReason(REASON_PREFIX, `${pod} is cordoned`) : undefined
}

/** No cause is left: back to service, if the drain is ours and the pod can take jobs. */
function planReturn({ kubeNodes }: Picture, worker: Worker): BareStep[] {
  const { slurmNode, slurmName, nodeName } = worker
  if (!isHealthy(worker) || !kubeNodes.has(nodeName)) return [] // a job sent to a slurmd that is not up is lost
  if (hasState(slurmNode, 'INVALID_REG') !== 'no' || isUnresponsive(slurmNode) !== 'no') return []
  const because = 'nothing speaks against new jobs any more'
  const step = { slurmName, because, reason: '', chain: '' }
  if (mayResume(worker)) return [{ do: 'resume', ...step }]
  // Without its drain and its reason a node that is DOWN would never be ours to resume.
  return every(mayUndrain(slurmNode), not(isDown(slurmNode))) === 'yes' ? [{ do: 'undrain', ...step }] : []
}

/**
 * It is DOWN by our own words, as our preStop hook leaves it, or without a word, as another program leaves one whose drain it
 * takes back; or by those of a refusal that is over. And slurmd has joined. A resume would take back FAIL too, which only people say.
 */
function mayResume(worker: Worker): boolean {
  const { slurmNode } = worker
  if (every(isDown(slurmNode), not(hasState(slurmNode, 'FAIL'))) !== 'yes' || !hasThisSlurmd(worker)) return false
  return some(isReasonOurs(slurmNode), isRefusedNoMore(slurmNode)) === 'yes'
}

function eventOf({ cordonedNode, condemnation }: Causes): StepEvent | undefined {
  if (condemnation) return condemnation.event
  return cordonedNode ? { type: 'Normal', reason: 'NodeCordon' } : undefined
}

function becauseOf({ cordonedNode, condemnation, byUser }: Causes): string {
  if (condemnation) return condemnation.because
  if (cordonedNode) return `Kube node ${cordonedNode.name} is cordoned`
  return byUser ? 'its pod is cordoned by a user' : 'nothing speaks against new jobs any more'
}
