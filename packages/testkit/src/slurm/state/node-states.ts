import type { Cluster } from './cluster.ts'
import { cpusPerNode, type JobRecord, type NodeRecord, type ReservationRecord } from './records.ts'

/** What the jobs on a node use of it. */
export interface Allocation {
  readonly cpus: number
  readonly memoryMib: number
  readonly gpus: number
}

/** The jobs that keep a node. */
function jobsOf(cluster: Cluster, name: string): readonly JobRecord[] {
  return [...cluster.jobsOn(name)].flatMap((id) => cluster.jobs.get(id) ?? [])
}

/** What its jobs use now; those that are suspended have given it back. */
export function allocationOf(cluster: Cluster, node: NodeRecord): Allocation {
  let used: Allocation = { cpus: 0, memoryMib: 0, gpus: 0 }
  for (const job of jobsOf(cluster, node.name)) {
    if (job.state === 'SUSPENDED') continue
    used = {
      cpus: used.cpus + cpusPerNode(job),
      memoryMib: used.memoryMib + (job.memoryPerNodeMib ?? node.memoryMib),
      gpus: used.gpus + job.gpusPerNode,
    }
  }
  return used
}

/** The reservation that keeps a node now. */
export function activeReservation(cluster: Cluster, name: string): ReservationRecord | undefined {
  for (const reservation of cluster.reservations.values())
    if (reservation.isActive && reservation.nodes.includes(name)) return reservation
  return undefined
}

/**
 * The words of a node's state, in Slurm's order. The used CPUs are those that the asker knows of: slurmctld itself only
 * knows whether there are jobs, and calls a node MIXED when some but not all of the CPUs it last counted are used.
 */
export function nodeStates(cluster: Cluster, node: NodeRecord, usedCpus: number): string[] {
  const jobs = jobsOf(cluster, node.name)
  const reservation = activeReservation(cluster, node.name)
  const has = (flag: Parameters<typeof node.flags.has>[0]): string[] => (node.flags.has(flag) ? [flag] : [])
  return [
    baseState(node, jobs, usedCpus),
    ...(reservation ? ['RESERVED'] : []),
    ...has('DRAIN'),
    ...(jobs.some(({ isCompleting }) => isCompleting) ? ['COMPLETING'] : []),
    ...has('NOT_RESPONDING'),
    ...has('FAIL'),
    ...(reservation?.flags.includes('MAINT') ? ['MAINTENANCE'] : []),
    ...has('REBOOT_REQUESTED'),
    ...has('REBOOT_ISSUED'),
    ...(node.origin === 'cloud' ? ['CLOUD'] : []),
    ...has('POWERED_DOWN'),
    ...has('INVALID_REG'),
    ...(node.origin === 'external' ? ['EXTERNAL'] : []),
    'DYNAMIC_NORM',
  ]
}

function baseState({ isDown, origin, cpus }: NodeRecord, jobs: readonly JobRecord[], usedCpus: number): string {
  if (origin === 'future') return 'FUTURE'
  if (isDown) return 'DOWN'
  if (usedCpus > 0 && usedCpus < cpus) return 'MIXED'
  return jobs.some(({ state }) => state === 'RUNNING') ? 'ALLOCATED' : 'IDLE'
}
