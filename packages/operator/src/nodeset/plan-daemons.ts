/**
 * Where workers are in DaemonSet mode: one on every Kube node that fits.
 *
 * @module
 */
import { daemonHostname } from './picture-identity.ts'
import type { KubeNode, Picture, Placement, Worker } from './picture.ts'
import { judgePlace } from './placement.ts'
import type { Condemnation, LeaveReason } from './plan-condemnation.ts'
import { isFinished } from './plan-release.ts'
import type { Missing } from './plan-scale.ts'
import type { Problem, Wait } from './steps.ts'
import { rankForRemoval } from './rank.ts'

/** The decision about all Kube nodes. */
interface DaemonPlacement {
  readonly missing: readonly Missing[]
  readonly leaving: readonly Condemnation[]
  /** The Kube nodes on which a worker could be started now. */
  readonly eligible: ReadonlySet<string>
  /** How many should have one, also those that cannot start it at the moment. */
  readonly desired: number
  readonly waits: readonly Wait[]
  readonly problems: readonly Problem[]
}

const NODE_TROUBLE_LOOK_MS = 30_000

/** See the module. Workers of another scaling mode are not among `ours`. */
export function placeDaemons(
  picture: Picture,
  placement: Placement,
  ours: readonly Worker[],
  hash: string,
): DaemonPlacement {
  const onNode = Map.groupBy(ours.filter(countsOnNode), ({ targetNode }) => targetNode)
  const nodes = [...picture.kubeNodes.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  const judged = nodes.map((node) => ({
    node,
    pods: onNode.get(node.name) ?? [],
    verdict: judgePlace(placement, node),
  }))
  const desired = judged.filter(({ verdict }) => verdict.isDesired)
  const { refused, problems } = refuseSameHostnames(desired)
  const bare = desired.filter(({ node, pods }) => pods.length === 0 && !refused.has(node))
  const startable = bare.filter(({ verdict }) => verdict.mayStart)
  const nameHolders = new Map(ours.filter(countsOnNode).map((worker) => [worker.hostname, worker]))
  return {
    missing: startable.filter(({ node }) => !nameHolders.has(daemonHostname(node))).map(({ node }) => daemonFor(node)),
    leaving: [
      ...judged.flatMap(({ pods, verdict }) => whoLeavesNode(pods, verdict, hash)),
      ...ours.filter((worker) => isOnGoneNode(worker, picture)).map(nodeGone),
    ],
    eligible: new Set(
      judged.filter(({ verdict }) => verdict.mayStart).flatMap(({ node }) => (refused.has(node) ? [] : node.name)),
    ),
    desired: desired.length,
    waits: [
      ...bare.filter(({ verdict }) => !verdict.mayStart).map(({ verdict }) => nodeTrouble(verdict.because)),
      ...startable.flatMap(({ node }) => nameHeld(node, nameHolders.get(daemonHostname(node)))),
    ],
    problems,
  }
}

/** A pod that is ending and has ended does not hold its Kube node any more. */
function countsOnNode(worker: Worker): boolean {
  return worker.targetNode !== '' && !(worker.terminating && isFinished(worker))
}

function whoLeavesNode(
  pods: readonly Worker[],
  verdict: { mayStay: boolean; because: string },
  hash: string,
): Condemnation[] {
  const staying = pods.filter(({ terminating }) => !terminating)
  if (!verdict.mayStay) return staying.map((worker) => leave(worker, 'NodeNotWanted', verdict.because))
  const healthy = rankForRemoval(
    staying.filter((worker) => !isFinished(worker)),
    hash,
  )
  const because = 'another worker is on the same Kube node'
  return healthy.slice(0, -1).map((worker) => leave(worker, 'Duplicate', because)) // the last in the ranking stays
}

function isOnGoneNode({ terminating, targetNode }: Worker, { kubeNodes }: Picture): boolean {
  return !terminating && targetNode !== '' && !kubeNodes.has(targetNode)
}

function nodeGone(worker: Worker): Condemnation {
  return leave(worker, 'NodeGone', `Kube node ${worker.targetNode} does not exist any more`)
}

function leave(worker: Worker, reason: LeaveReason, because: string): Condemnation {
  return { worker, reason, because, event: { type: 'Normal', reason: 'ScalingDown' } }
}

function daemonFor(node: KubeNode): Missing {
  return { ordinalText: undefined, name: undefined, hostname: daemonHostname(node), node: node.name }
}

interface Judged {
  readonly node: KubeNode
  readonly pods: readonly Worker[]
}

/** Two Kube nodes whose workers would have one name in Slurm: who has a worker keeps it, else the first by name gets one. */
function refuseSameHostnames(judged: readonly Judged[]): { refused: Set<KubeNode>; problems: Problem[] } {
  const refused = new Set<KubeNode>()
  const problems: Problem[] = []
  for (const [hostname, group] of Map.groupBy(judged, ({ node }) => daemonHostname(node))) {
    const chosen = group.find(({ pods }) => pods.length > 0) ?? group[0]
    const others = group.filter((one) => one !== chosen && one.pods.length === 0).map(({ node }) => node)
    for (const node of others) refused.add(node)
    if (chosen !== undefined && group.length > 1) problems.push(hostnameTaken(hostname, group, chosen))
  }
  return { refused, problems }
}

function hostnameTaken(hostname: string, group: readonly Judged[], chosen: Judged): Problem {
  const names = group.map(({ node }) => node.name).join(', ')
  const because = `Kube nodes ${names} would all be ${hostname} in Slurm: only ${chosen.node.name} gets a worker. Give the others the annotation hostname-override.`
  return { reason: 'HostnameTaken', because, needsPerson: true }
}

/** Slurm would take the new worker for the one that still leaves another Kube node. */
function nameHeld({ name }: KubeNode, holder: Worker | undefined): Wait[] {
  if (holder === undefined) return []
  const because = `${holder.pod} on Kube node ${holder.targetNode} has the name ${holder.hostname} until it is gone`
  const lookAgainInMs = NODE_TROUBLE_LOOK_MS
  return [{ worker: name, reason: 'NameTaken', because, sinceMs: undefined, lookAgainInMs }]
}

function nodeTrouble(because: string): Wait {
  return {
    ...{ worker: '', reason: 'KubeNodeNotReady', because: `no worker can start: ${because}` },
    ...{ sinceMs: undefined, lookAgainInMs: NODE_TROUBLE_LOOK_MS },
  }
}
