/**
 * A scheduler of the simplest kind: jobs in the order of their numbers, each on the first nodes that have room for it.
 *
 * @module
 */
import type { Cluster } from './cluster.ts'
import { activeReservation, allocationOf } from './node-states.ts'
import { cpusPerNode, featuresIn, gpusIn, type JobRecord, type NodeRecord, type PartitionSettings } from './records.ts'

/** What the scheduler needs to know besides the records. */
export interface Scheduling {
  readonly partitions: readonly PartitionSettings[]
  /** Start a job on these nodes. */
  readonly start: (job: JobRecord, nodes: readonly string[]) => void
}

/** Let the scheduler run soon; asked for again and again, it runs once. */
export function askScheduler(cluster: Cluster, scheduling: Scheduling, inMs = cluster.pace.schedulingMs): void {
  if (inMs === cluster.pace.schedulingMs) {
    if (cluster.isSchedulerDue) return
    cluster.isSchedulerDue = true
  }
  cluster.plan(cluster.nowMs + inMs, () => {
    cluster.isSchedulerDue = false
    schedule(cluster, scheduling)
  })
}

function schedule(cluster: Cluster, scheduling: Scheduling): void {
  let hasWaiting = false
  for (const job of [...cluster.jobs.values()]) {
    if (job.state !== 'PENDING' || job.isCompleting || job.hold || job.eligibleAtMs > cluster.nowMs) continue
    const nodes = findNodes(cluster, job, scheduling.partitions)
    if (nodes) scheduling.start(job, nodes)
    else {
      const stateReason = hasWaiting ? 'Priority' : 'Resources'
      if (job.stateReason !== stateReason) cluster.putJob({ ...job, stateReason })
      hasWaiting = true
    }
  }
}

/** The nodes that a job could get now; undefined: it must wait. */
function findNodes(
  cluster: Cluster,
  job: JobRecord,
  partitions: readonly PartitionSettings[],
): readonly string[] | undefined {
  const partition = partitions.find(({ name }) => name === job.partition)
  if (!partition) return undefined
  const fits = (node: NodeRecord): boolean =>
    isInPartition(node, partition) && mayRun(cluster, node, job) && hasRoom(cluster, node, job)
  const required = job.requiredNodes.flatMap((name) => cluster.nodes.get(name) ?? [])
  if (required.length < job.requiredNodes.length || !required.every(fits)) return undefined
  const found = new Set(required.map(({ name }) => name))
  for (const node of cluster.nodes.values()) {
    if (found.size >= job.nodeCount) break
    if (fits(node)) found.add(node.name)
  }
  return found.size >= job.nodeCount ? [...found] : undefined
}

/** Is the node part of the partition? */
export function isInPartition({ features, origin }: NodeRecord, { feature }: PartitionSettings): boolean {
  return origin !== 'future' && (feature === undefined || features.includes(feature))
}

function mayRun(cluster: Cluster, node: NodeRecord, job: JobRecord): boolean {
  if (node.isDown || node.origin === 'external' || node.flags.size > 0) return false
  if (!featuresIn(job.constraints).every((feature) => node.activeFeatures.includes(feature))) return false
  const reservation = activeReservation(cluster, node.name)
  return reservation === undefined ? job.reservation === '' : reservation.name === job.reservation
}

/** Has the node what the job asks for, free? */
export function hasRoom(cluster: Cluster, node: NodeRecord, job: JobRecord): boolean {
  const used = allocationOf(cluster, node)
  return (
    used.cpus + cpusPerNode(job) <= node.cpus &&
    used.memoryMib + (job.memoryPerNodeMib ?? node.memoryMib) <= node.memoryMib &&
    used.gpus + job.gpusPerNode <= gpusIn(node.gres)
  )
}
