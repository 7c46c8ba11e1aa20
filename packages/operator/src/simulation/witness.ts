import type { Orders } from './administrator-orders.ts'
import type { Recent, Way } from './recent.ts'
import type { SimulatedCluster } from './simulated-cluster.ts'

/** What promises work with. */
export interface Witness {
  readonly cluster: SimulatedCluster
  readonly way: Way
  readonly recent: Recent
  readonly orders: Orders
  /** Tell that a promise was broken. */
  readonly accuse: (text: string) => void
}
