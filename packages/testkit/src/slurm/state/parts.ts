import type { Cluster } from './cluster.ts'
import type { NodeSize, PartitionSettings } from './records.ts'

/** A machine with a slurmd on it. It lives on, whatever becomes of slurmctld. */
export interface Machine {
  readonly name: string
  readonly size: NodeSize
  /** Where its slurmd listens. */
  readonly address: string
  /** Does its slurmd run? */
  readonly isUp: boolean
  /** Since when it runs, or does not. */
  readonly sinceMs: number
  readonly bootAtMs: number
  /** slurmd was started and slurmctld has not heard of it yet. */
  readonly wantsToRegister: boolean
}

/** What every rule of slurmctld works on. */
export interface Parts {
  readonly cluster: Cluster
  readonly partitions: readonly PartitionSettings[]
  readonly machines: Map<string, Machine>
}

/** Does the slurmd of a node answer, where slurmctld remembers it to be? */
export function isHeard({ machines, cluster }: Parts, name: string): boolean {
  const machine = machines.get(name)
  return machine?.isUp === true && machine.address === cluster.nodes.get(name)?.address
}
