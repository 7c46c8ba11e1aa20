import type { ObjectKey } from '@slurm-operator/kube'
import type { AddOptions } from '../queue/queue.ts'

/** Tell a loop that something about this object may have changed. Too often costs time, too seldom costs trust. */
export type Wake = (key: ObjectKey, options?: AddOptions) => void

/** Where the keys of a loop come from: a cache, the children of its objects, a system outside of Kubernetes. */
export interface LoopSource {
  /** For people, such as `pods` or `slurm nodes`. */
  readonly name: string
  /**
   * Wake the loop for everything there is, with low priority, and resolve; go on with what changes until the signal is
   * aborted. Nothing is decided here.
   */
  readonly start: (wake: Wake, signal: AbortSignal) => Promise<void>
}
