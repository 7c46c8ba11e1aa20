/**
 * The picture: everything one pass over one NodeSet knows, as plain data. It is the only food of plans.
 *
 * How to make one. `observe` reads caches and the shared Slurm view once, takes one `nowMs`, and fills this in:
 * `readWanted` makes `wanted` of the NodeSet, `claimPods` tells which pods are ours, `readWorker` makes a `Worker` of each
 * of them, `findLeftovers` finds the records without a worker, `readRevisions` prepares the ControllerRevisions.
 * What could not be read is not left out but said: `Knowledge` for Slurm, `problem` for the template and the Controller.
 * Never fill a gap with a default: no inputs, no decision.
 *
 * How to use it. `planNodeSet(picture)` gives the `Plan`; `buildNodeSetStatus(picture, plan)` gives the status.
 *
 * @module
 */
import type {
  Condition,
  IntOrString,
  JsonValue,
  NodeSelector,
  OwnerReference,
  Taint,
  Toleration,
} from '@slurm-operator/kube'
import type { Knowledge, SlurmJob, SlurmNode, SlurmReservation } from '@slurm-operator/slurm'

/** How many workers there are: a number of them, or one on every Kube node that fits. */
export type ScalingMode = 'StatefulSet' | 'DaemonSet'

/** What a claim does when its worker or the NodeSet goes. */
export type Retention = 'Retain' | 'Delete'

/** How workers get a new template. */
export type UpdateStrategy =
  | { readonly type: 'RollingUpdate'; readonly maxUnavailable: IntOrString }
  | { readonly type: 'OnDelete' }
  | {
      readonly type: 'ScheduledUpdate'
      readonly startsAtMs: number
      readonly durationInMinutes: number
      /** As the user wrote them. */
      readonly flags: readonly string[]
    }

/** Which workers are kept from being evicted. */
export type Protection = 'nobody' | 'who-runs-jobs' | 'until-drained'

/** What the user wants, from the NodeSet with its defaults. Made by `readWanted`. */
export interface Wanted {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly generation: number
  readonly controllerName: string
  readonly replicas: number
  readonly scalingMode: ScalingMode
  readonly ordinalPadding: number
  /** `template.spec.hostname`: what host names begin with in StatefulSet mode; empty means the name of the NodeSet. */
  readonly hostnamePrefix: string
  readonly hostNetwork: boolean
  readonly pinToNode: boolean
  /** Several workers may be on one Kube node: `oversubscribeNode`. */
  readonly sharesNodes: boolean
  readonly updateStrategy: UpdateStrategy
  readonly minReadySeconds: number
  readonly claimTemplates: readonly string[]
  readonly whenDeleted: Retention
  readonly whenScaled: Retention
  readonly protects: Protection
  readonly prunesRecords: boolean
  readonly revisionHistoryLimit: number
  readonly drainsOnDelete: boolean
  readonly finalizers: readonly string[]
  /** Set when the NodeSet is being deleted. */
  readonly deletedAtMs: number | undefined
}

/** The part of the built pod template that decides where a worker may run, and what present workers are compared with. */
export interface Placement {
  readonly nodeSelector: Readonly<Record<string, string>>
  /** `requiredDuringSchedulingIgnoredDuringExecution` of the node affinity, as the user wrote it. */
  readonly requiredNodes: NodeSelector | undefined
  readonly tolerations: readonly Toleration[]
  /** A hash of what slurmd will register with; see `REGISTRATION`. */
  readonly registration: string
  /** A hash of the sssd configuration. */
  readonly sssdConf: string
  /** What pods get of the NodeSet's own. */
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** The inputs of the pod template. If one is missing, nothing is created and nobody is sent away for its place. */
export type Template =
  | { readonly kind: 'built'; readonly placement: Placement }
  | {
      readonly kind: 'impossible'
      readonly reason: 'ControllerNotFound' | 'InputsUnreadable'
      readonly problem: string
    }

/** A Kube node, as far as it matters. */
export interface KubeNode {
  readonly name: string
  readonly unschedulable: boolean
  readonly taints: readonly Taint[]
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly conditions: readonly NodeConditionFact[]
}

/** One condition of a Kube node, for drain reasons. */
interface NodeConditionFact {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

/** The phase of a pod; empty before the kubelet has seen it. */
export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | ''

/** One condition of a worker pod. */
export interface PodConditionFact {
  readonly type: string
  readonly status: string
  readonly message: string
  /** Since when it has this status, if the pod says so. */
  readonly sinceMs?: number
}

/** A worker: its pod and both nodes, seen as one. Made by `readWorker`. */
export interface Worker {
  /** The name of the pod. */
  readonly pod: string
  readonly uid: string
  readonly createdAtMs: number | undefined
  readonly terminating: boolean
  readonly phase: Phase
  /** Since when it is Ready; undefined while it is not. `'unset'` if the kubelet did not say. */
  readonly readySinceMs: number | 'unset' | undefined
  /** It is Ready, or was once. */
  readonly wasReady: boolean
  /** A container of it has run at some time. */
  readonly hasStarted: boolean
  /** Since when the slurmd container runs; undefined while it does not. */
  readonly runningSinceMs: number | undefined
  readonly podIp: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly conditions: readonly PodConditionFact[]
  /** By its `scaling-mode` label; undefined if it has none. */
  readonly mode: ScalingMode | undefined
  /** The digits at the end of its name, as they stand there, and their value; undefined if there are none. */
  readonly ordinalText: string | undefined
  readonly ordinal: number | undefined
  readonly hostname: string
  /** The Kube node it runs on; empty while it is not scheduled. */
  readonly nodeName: string
  /** The Kube node it runs on or is meant for: `nodeName`, else the one its affinity names. */
  readonly targetNode: string
  readonly revisionHash: string
  /** Its name in Slurm. */
  readonly slurmName: string
  readonly slurmNode: Knowledge<SlurmNode>
  /** The unfinished jobs on it. */
  readonly jobs: Knowledge<readonly SlurmJob[]>
  /** A Slurm record of another name at the address of this pod: it has joined under a name we do not expect. */
  readonly joinedAs: string | undefined
  /** How often its predecessor on the same place has failed lately. From memory; losing it only shortens a pause. */
  readonly failuresBefore: number
  /** When it finished, for phases Failed and Succeeded. */
  readonly finishedAtMs: number | undefined
  /** It has no controlling owner yet and matches us. */
  readonly isOrphan: boolean
}

/** A PersistentVolumeClaim of this NodeSet. */
export interface Claim {
  readonly name: string
  readonly terminating: boolean
  readonly ownerReferences: readonly OwnerReference[]
}

/** An object of the NodeSet that is built elsewhere and only put in order by the plan. */
export interface SharedObject {
  readonly what: 'worker-service' | 'disruption-budget' | 'ssh-config'
  /** `unwanted`: exists, is ours alone, and should not exist. Objects that somebody is deleting are `current`. */
  readonly state: 'current' | 'missing' | 'different' | 'unwanted'
}

/** What the previous pass wrote that this one needs. From `status`. */
export interface Before {
  readonly ordinalToNode: Readonly<Record<string, string>>
  /** The start of the reservation that we last made, from `status.reservation.startTime`. */
  readonly reservationStartsAtMs: number | undefined
  readonly collisionCount: number
  /** `status.nodeSetHash` and the Slurm counters: kept while nothing newer is known. */
  readonly nodeSetHash: string
  readonly slurmCounters: SlurmCounters
  readonly conditions: readonly Condition[]
  /** `status.waiting`: since when each has waited. */
  readonly waiting: readonly { readonly name: string; readonly reason: string; readonly since?: string }[]
}

/** The counters that only Slurm can tell. */
export interface SlurmCounters {
  readonly slurmIdle: number
  readonly slurmAllocated: number
  readonly slurmDown: number
  readonly slurmDrain: number
}

/** What is known of the ControllerRevisions of a NodeSet. */
export interface RevisionFacts {
  /** The revision that the spec asks for: its data as Go would print it, see `printRevisionData`. */
  readonly wantedJson: string
  /** All revisions of the namespace that this NodeSet controls or whose name begins with its name and a dash. */
  readonly existing: readonly Revision[]
}

/** One ControllerRevision. */
export interface Revision {
  readonly name: string
  readonly number: number
  readonly createdAtMs: number | undefined
  /** Its hash label; empty if it has none. */
  readonly hash: string
  readonly data: JsonValue
  /** `nobody`: no controlling owner, and it was made for a NodeSet of our name. */
  readonly owner: 'us' | 'nobody' | 'other'
}

/** What is known of the newest list of Slurm nodes. */
export interface SlurmListFacts {
  /** How many records it held. */
  readonly nodes: number
  /** When it was asked for. */
  readonly atMs: number
  /** The same of the last one that was sent whole: later ones only said that nothing has changed since. */
  readonly wholeAtMs: number
}

/** See the module. */
export interface Picture {
  readonly nowMs: number
  readonly wanted: Wanted
  readonly template: Template
  /** All claimed pods, terminating ones included. */
  readonly workers: readonly Worker[]
  /** Pods that are ours by owner but do not match any more, to be let go. */
  readonly strayPods: readonly { readonly pod: string; readonly uid: string }[]
  /** The names of pods with our labels that belong to somebody else, as to a NodeSet of this name that was deleted. */
  readonly othersPods: ReadonlySet<string>
  /** All Kube nodes, by name. */
  readonly kubeNodes: ReadonlyMap<string, KubeNode>
  /** All claims whose names begin as those of this NodeSet do, by name. */
  readonly claims: ReadonlyMap<string, Claim>
  /** Records in Slurm that bear our pod info and belong to none of the workers. */
  readonly leftovers: Knowledge<readonly SlurmNode[]>
  /** Undefined if we cannot look. */
  readonly slurmList: SlurmListFacts | undefined
  readonly revisions: RevisionFacts
  /** The reservation of our name. `unknown` with `not-listed-yet` when nobody asked, because it does not matter. */
  readonly reservation: Knowledge<SlurmReservation>
  readonly shared: readonly SharedObject[]
  readonly before: Before
  /** From the flag `--propagated-node-conditions`. */
  readonly propagatedConditions: readonly string[]
}
