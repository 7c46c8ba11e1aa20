/**
 * What a room of a component kind consists of. The engine in `reconcile-component.ts` does the rest: it reads, applies the
 * children, removes what is no longer wanted, writes status and Events, and decides when to look again.
 *
 * @module
 */
import type { KubeObject, Live, Resource, WantedCondition } from '@slurm-operator/kube'
import type { Cache, ObjectState, Outcome, Pass } from '@slurm-operator/runtime'
import type { Reason } from '../reasons/reasons.ts'
import type { Kept, Specified } from '../world/trim.ts'
import type { World } from '../world/world.ts'

/** Why something that the spec asks for is not done now. */
export interface Obstacle {
  readonly reason: Reason
  /** A sentence for people, naming the object or the field. */
  readonly because: string
  /** The reason of the Event that tells of it, where people already look for another one than `SyncFailed`. */
  readonly event?: 'ControllerRefFailed'
}

/** The complete list of children that an object wants. */
export interface Wish {
  readonly children: readonly KubeObject[]
  /** If there are any, children that are not in the list are left as they are: the list may be incomplete. */
  readonly obstacles: readonly Obstacle[]
}

/** What the status of an object is to say. */
export interface Judgement {
  readonly state: ObjectState
  /** All status fields but conditions and observedGeneration; an undefined one is taken away. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Conditions besides Ready, Reconciling and Stalled. */
  readonly conditions?: readonly WantedCondition[]
  /** Types of conditions that make no sense any more and are taken away. */
  readonly retired?: readonly string[]
  /** Nobody may tell us of the next change: look again then. */
  readonly lookAgainInSeconds?: number
}

/** What came of acting, where a server said something that the caches do not know. */
export interface Acted {
  readonly outcome: Outcome
  readonly conditions: readonly WantedCondition[]
}

/** One pass of a room, seen from inside. */
export interface RoomPass<T extends KubeObject> {
  /** From the cache, with defaults. */
  readonly object: Kept<T>
  readonly world: World
  readonly pass: Pass
  readonly nowMs: number
}

/**
 * A component kind. `Facts` is everything that building needs besides the object itself; `Full` is the object with all
 * its defaults.
 */
export interface ComponentRoom<T extends KubeObject & Specified, Facts, Full extends T = T> {
  /** In logs and metrics: `controller`. Events come from `<name>-controller`. */
  readonly name: string
  readonly resource: Resource<T>
  readonly cache: (world: World) => Cache<Live<T>, Kept<T>>
  /** Pure. */
  readonly withDefaults: (object: Kept<T>) => Kept<Full>
  /** Read what the object refers to. */
  readonly observe: (room: RoomPass<Full>) => Promise<Facts>
  /** Pure: the same object and facts give the same wish. */
  readonly build: (object: Kept<Full>, facts: Facts) => Wish
  /** What is to be done besides the children, after they were applied: label a pod, ask for a reconfigure. */
  readonly act?: (room: RoomPass<Full>, facts: Facts) => Promise<Outcome | Acted>
  /** Say how it is, from the caches as they are after the writes. No requests. */
  readonly judge: (room: RoomPass<Full>, facts: Facts) => Judgement
}
