/**
 * The union of all steps a plan may ask for.
 *
 * How to carry them out. Steps of the same `chain` run one after the other in the order of the plan, and the first that
 * fails ends its chain: a pod is not deleted if its claim could not be tied first, a node is not drained if the mark
 * could not be set. Different chains know nothing of each other; run them all, a bounded number at a time, and collect
 * the failures. `create-pod` steps go through `slowStart`. "Not found" on anything about a pod or a Slurm node means that
 * it is gone, which is no failure. Every step that cannot be undone names a `uid`: give it as a precondition.
 *
 * A step stands for a change; what is already so is not asked for again. So an Event for each step that has one is an
 * Event on a transition.
 *
 * @module
 */
import type { OwnerReference } from '@slurm-operator/kube'
import type { ReservationWish } from '@slurm-operator/slurm'
import type { Reason } from '../reasons/reasons.ts'
import type { SharedObject } from './picture.ts'

/** The words of Events that a step brings. Tools filter by them, so they are those of the Go operator, blank included. */
export type EventReason =
  | 'ScalingUp'
  | 'ScalingDown'
  | 'RollingUpdate'
  | 'Scheduled Update'
  | 'NodeCordon'
  | 'SlurmNodeNotRegistered'
  | 'InvalidRegistration'
  | 'HostnameMismatch'
  | 'FailedDaemonPod'
  | 'SucceededDaemonPod'
  | 'DefunctSlurmNodePruned'

/** What users read with `kubectl describe`. */
export interface StepEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: EventReason
}

/** What all steps have. */
interface Common {
  /** The machine word: why. Stable. */
  readonly reason: string
  /** The same for people. */
  readonly because: string
  readonly chain: string
  readonly event?: StepEvent
}

/** Labels or annotations to set; null takes one away. */
export type MetadataPatch = Readonly<Record<string, string | null>>

/** A condition of a worker pod. The time moves only if the status does. */
export interface WantedPodCondition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly message: string
}

/** The worker to make. */
export interface WorkerWish {
  /** In StatefulSet mode; with its padding. */
  readonly ordinalText: string | undefined
  /** The name of the pod, or undefined: then `generateName`. */
  readonly name: string | undefined
  readonly hostname: string
  /** The Kube node it must run on: always in DaemonSet mode, and if it is pinned. */
  readonly node: string | undefined
  readonly revisionHash: string
  /** Whether it is kept from being evicted from its first moment on. */
  readonly isProtected: boolean
  /** The claims it needs, in the order of the templates: make those that are missing, first. */
  readonly claims: readonly ClaimWish[]
}

/** A claim to make from a template. */
export interface ClaimWish {
  readonly template: string
  readonly name: string
  readonly exists: boolean
  /** Whether the NodeSet must own it from the start. */
  readonly ownedByNodeSet: boolean
}

/**
 * The word of Slurm on which a step rests that may end a job if that word does not hold any more. Slurm is asked for this
 * node once more, by its name, when the list is not of this very moment.
 */
export interface SlurmWord {
  /** The list says that this Slurm node is drained; one that may be evicted may also be DOWN. */
  readonly drainedAs?: string
  /** No list shows this Slurm node; something between Slurm and us may shorten lists. */
  readonly unlistedAs?: string
}

/** Something about one worker pod. */
interface AboutPod extends Common {
  readonly pod: string
  readonly uid: string
}

/** Something about one Slurm node. */
interface AboutSlurmNode extends Common {
  readonly slurmName: string
}

/** A change of the Slurm record. What is not named stays. */
export interface RecordChange {
  readonly comment?: string
  readonly features?: readonly string[]
  readonly activeFeatures?: readonly string[]
  readonly topology?: string
}

/** See the module. */
export type Step =
  // Pods.
  | (Common & { readonly do: 'create-pod'; readonly worker: WorkerWish })
  | (AboutPod & SlurmWord & { readonly do: 'delete-pod' })
  | (AboutPod & { readonly do: 'adopt-pod' }) // re-read the NodeSet first: same UID, not being deleted
  | (AboutPod & { readonly do: 'release-pod' })
  | (AboutPod & { readonly do: 'patch-pod'; readonly labels: MetadataPatch; readonly annotations: MetadataPatch })
  // Only when it may go, by what Slurm has said just now: who is not protected may be evicted at once.
  | (AboutPod & AboutSlurmNode & SlurmWord & { readonly do: 'unprotect-pod' })
  | (AboutPod & {
      readonly do: 'set-pod-conditions' // by condition type, never the whole list
      readonly set: readonly WantedPodCondition[]
      readonly remove: readonly string[]
    })
  // Slurm nodes. A drain without `drainReason` keeps the reason that is there.
  | (AboutSlurmNode & { readonly do: 'drain'; readonly drainReason: string | undefined })
  | (AboutSlurmNode & { readonly do: 'undrain' })
  | (AboutSlurmNode & { readonly do: 'resume' }) // takes DOWN and DRAIN back together
  | (AboutSlurmNode & { readonly do: 'update-slurm-node'; readonly change: RecordChange })
  | (AboutSlurmNode & { readonly do: 'prune-record' })
  // Claims.
  | (Common & { readonly do: 'create-pvc'; readonly claim: ClaimWish; readonly pod: string })
  | (Common & {
      readonly do: 'own-pvc'
      readonly claim: string
      readonly ownerReferences: readonly OwnerReference[] // the whole list, as it must be
    })
  // Revisions.
  | (Common & {
      readonly do: 'create-revision' // "already exists" is no failure: the next picture shows it
      readonly name: string
      readonly hash: string
      readonly number: number
      /** What goes into `data`, as text. */
      readonly json: string
    })
  | (Common & { readonly do: 'renumber-revision'; readonly name: string; readonly number: number })
  | (Common & { readonly do: 'adopt-revision'; readonly name: string }) // re-read the NodeSet first
  | (Common & { readonly do: 'delete-revision'; readonly name: string })
  // Reservations.
  | (Common & { readonly do: 'create-reservation'; readonly wish: ReservationWish })
  | (Common & { readonly do: 'update-reservation'; readonly wish: ReservationWish })
  | (Common & { readonly do: 'delete-reservation'; readonly name: string })
  // The NodeSet itself, and objects built elsewhere.
  | (Common & { readonly do: 'add-finalizer'; readonly finalizer: string })
  | (Common & { readonly do: 'remove-finalizer'; readonly finalizer: string })
  | (Common & { readonly do: 'apply-shared'; readonly what: SharedObject['what'] })
  | (Common & { readonly do: 'delete-shared'; readonly what: SharedObject['what'] })

/** Somebody waits for something. */
export interface Wait {
  /** The worker pod; empty if it concerns the whole NodeSet. */
  readonly worker: string
  readonly reason: string
  readonly because: string
  readonly sinceMs: number | undefined
  readonly lookAgainInMs: number
}

/** What is wrong and not ours to repair. */
export interface Problem {
  readonly reason: Reason
  readonly because: string
  /** Nothing goes on until a person does something. */
  readonly needsPerson: boolean
  /** Also worth an Event of this word; the reporter emits it when the problem is new. */
  readonly event?: string
}

/** One decision about everything. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly waits: readonly Wait[]
  readonly problems: readonly Problem[]
  /** The earliest wish to look again; undefined if only a change matters. */
  readonly lookAgainInMs: number | undefined
  /** We wait for Slurm: tell the view to hurry (`view.hurry('nodes', lookAgainInMs)`). */
  readonly hurrySlurm: boolean
  /** Which template is the newest one. */
  readonly revisionHash: string
  readonly collisionCount: number
  /** How many workers there should be. */
  readonly desired: number
  /** The start time of the reservation that exists or is being made, for `status.reservation`. */
  readonly reservationStartsAtMs: number | undefined
}

/** A step of one kind, or of some. */
export type StepOf<What extends Step['do']> = Extract<Step, { readonly do: What }>
