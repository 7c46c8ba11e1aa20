import { allocationOf, nodeStates } from './node-states.ts'
import { isHeard } from './parts.ts'
import type { JobRecord, NodeRecord, ReservationRecord } from './records.ts'
import type { Slurmctld } from './slurmctld.ts'

/** A node as it is, whatever anybody was told. */
interface TrueNode {
  readonly name: string
  readonly states: readonly string[]
  /** The jobs that keep it, running or being cleaned up. */
  readonly jobs: readonly number[]
  /** Does its slurmd answer? */
  readonly isHeard: boolean
  readonly record: NodeRecord
}

/** What Slurm is really like now. */
export interface Truth {
  node(name: string): TrueNode | undefined
  nodes(): readonly TrueNode[]
  job(id: number): JobRecord | undefined
  jobs(): readonly JobRecord[]
  reservation(name: string): ReservationRecord | undefined
}

/** The truth about one Slurm. Looking lets everything happen that was due. */
export function buildTruth(controller: Slurmctld): Truth {
  const settled = (): Slurmctld['cluster'] => {
    controller.settle()
    return controller.cluster
  }
  const describe = (record: NodeRecord): TrueNode => {
    const { cluster } = controller
    const states = nodeStates(cluster, record, allocationOf(cluster, record).cpus)
    const { name } = record
    return { name, states, jobs: [...cluster.jobsOn(name)], isHeard: isHeard(controller, name), record }
  }
  return {
    node: (name) => {
      const record = settled().nodes.get(name)
      return record && describe(record)
    },
    nodes: () => [...settled().nodes.values()].map(describe),
    job: (id) => settled().jobs.get(id),
    jobs: () => [...settled().jobs.values()],
    reservation: (name) => settled().reservations.get(name),
  }
}
