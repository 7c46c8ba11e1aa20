/**
 * The promises, checked in raw facts while a history goes on: what the servers and the machines know, never what the
 * operator thinks.
 *
 * @module
 */
import type { Live, Pod } from '@slurm-operator/kube'
import { promiseClaims } from './promise-claims.ts'
import { promiseDrainedFirst } from './promise-drained-first.ts'
import { promiseEvictions } from './promise-evictions.ts'
import { promiseForeignDrains } from './promise-foreign-drains.ts'
import { promiseJobs } from './promise-jobs.ts'
import { promiseBudget } from './promise-budget.ts'
import { promiseMissingWorkers } from './promise-missing-workers.ts'
import { promiseNoHotLoop } from './promise-no-hot-loop.ts'
import { promiseNoSilence } from './promise-no-silence.ts'
import { followSpecs, type Way } from './recent.ts'
import { followOrders } from './administrator-orders.ts'
import type { SimulatedCluster } from './simulated-cluster.ts'
import type { Witness } from './witness.ts'

/** Promises under observation. */
export interface Promises {
  /** What was broken, in the order in which it was seen; empty: nothing. */
  readonly broken: readonly string[]
  readonly accuse: Witness['accuse']
  /** For those that are about how long something lasts. */
  readonly look: () => void
  /** An administrator gives an order about a node: what we ordered in the same moment may cross it. */
  readonly noteOrder: (slurmNode: string) => void
  /** Somebody evicts this pod now, and no budget is against it. */
  readonly noteEviction: (pod: Live<Pod>) => void
}

/** Begin to observe. On a sound way news comes at once, and less is forgiven. */
export function observePromises(cluster: SimulatedCluster, way: Way = 'sound'): Promises {
  const broken: string[] = []
  const accuse = (text: string): void => {
    broken.push(`${(cluster.world.clock.monotonic() / 1000).toFixed(1)} s: ${text}`)
    cluster.tell(`BROKEN: ${text}`)
  }
  const recent = followSpecs(cluster, way)
  const witness: Witness = { cluster, way, recent, orders: followOrders(cluster), accuse }
  const jobs = promiseJobs(witness)
  const drainedFirst = promiseDrainedFirst(witness)
  promiseForeignDrains(witness)
  promiseBudget(witness)
  promiseClaims(witness)
  const hotLoop = promiseNoHotLoop(witness)
  const silence = promiseNoSilence(witness)
  const missingWorkers = promiseMissingWorkers(witness)
  return {
    broken,
    accuse,
    noteOrder: witness.orders.note,
    noteEviction: promiseEvictions(witness),
    look: () => {
      jobs.look()
      drainedFirst.look()
      hotLoop.look()
      silence.look()
      missingWorkers.look()
      for (const because of cluster.endings) accuse(`the operator ended by itself: ${because}`)
    },
  }
}
