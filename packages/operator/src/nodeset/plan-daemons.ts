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
  const { accepted, problems } = refuseSameHostnames(desired.map(({ node }) => node))
  const bare = desired.filter(({ node, pods }) => pods.length === 0 && accepted.has(node.name))
  return {
    missing: bare.filter(({ verdict }) => verdict.mayStart).map(({ node }) => daemonFor(node)),
    leaving: [
      ...judged.flatMap(({ pods, verdict }) => whoLeavesNode(pods, verdict, hash)),
      ...ours.filter((worker) => isOnGoneNode(worker, picture)).map(nodeGone),
    ],
    eligible: new Set(judged.filter(({ verdict }) => verdict.mayStart).map(({ node }) => node.name)),
    desired: desired.length,
    waits: bare.filter(({ verdict }) => !verdict.mayStart).map(({ verdict }) => nodeTrouble(verdict.because)),
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

/** Two Kube nodes whose workers would have one name in Slurm: the first by name gets it. */
function refuseSameHostnames(nodes: readonly KubeNode[]): { accepted: Set<string>; problems: Problem[] } {
  const groups = [...Map.groupBy(nodes, daemonHostname).entries()]
  const accepted = new Set(groups.flatMap(([, [first]]) => first?.name ?? []))
  const problems = groups
    .filter(([, group]) => group.length > 1)
    .map(([hostname, group]): Problem => {
      const names = group.map(({ name }) => name).join(', ')
      const because = `Kube nodes ${names} would all be ${hostname} in Slurm: only the first gets a worker. Give the others the annotation hostname-override.`
      return { reason: 'HostnameTaken', because, needsPerson: true }
    })
  return { accepted, problems }
}

function nodeTrouble(because: string): Wait {
  return {
    ...{ worker: '', reason: 'KubeNodeNotReady', because: `no worker can start: ${because}` },
    ...{ sinceMs: undefined, lookAgainInMs: NODE_TROUBLE_LOOK_MS },
  }
}
