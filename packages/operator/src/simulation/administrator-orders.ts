import type { SimulatedCluster } from './simulated-cluster.ts'

/** What administrators ordered lately, for orders that cross each other on the way. */
export interface Orders {
  readonly note: (slurmNode: string) => void
  /** Whether the last order about a node is not older than this. */
  readonly isWithin: (slurmNode: string, ms: number) => boolean
}

/** Begin to write down. */
export function followOrders({ world }: SimulatedCluster): Orders {
  const atMs = new Map<string, number>()
  const now = world.clock.monotonic
  return {
    note: (node) => void atMs.set(node, now()),
    isWithin: (node, ms) => now() - (atMs.get(node) ?? -Infinity) < ms,
  }
}
