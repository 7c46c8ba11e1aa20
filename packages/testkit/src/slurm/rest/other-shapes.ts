/**
 * Reservations, partitions and pings in answers.
 *
 * @module
 */
import { writeSortedHostlist } from '@slurm-operator/slurm'
import type { Parts } from '../state/parts.ts'
import { gpusIn, type NodeRecord, type PartitionSettings, type ReservationRecord } from '../state/records.ts'
import { isInPartition } from '../state/schedule.ts'
import { fields, infinite, unset, wireNumber, wireTime } from './values.ts'

/** "No value" of a 32-bit number of Slurm's, which a created reservation has for times that nobody gave. */
const NO_VALUE = 4_294_967_294

/** A reservation as it is kept. */
export function reservationShape(
  { cluster }: Parts,
  reservation: ReservationRecord,
  version: string,
): Record<string, unknown> {
  const cpus = reservation.nodes.reduce((sum, name) => sum + (cluster.nodes.get(name)?.cpus ?? 0), 0)
  return {
    ...fields('', 'burst_buffer features groups licenses'),
    ...(version <= 'v0.0.44' && { watts: unset }),
    accounts: reservation.accounts.join(','),
    core_count: cpus,
    core_specializations: [],
    end_time: wireTime(reservation.endsAtMs),
    flags: reservation.flags,
    max_start_delay: 0,
    name: reservation.name,
    node_count: reservation.nodes.length,
    node_list: writeSortedHostlist(reservation.nodes),
    partition: reservation.partition,
    purge_completed: { time: wireNumber(300) },
    start_time: wireTime(reservation.startsAtMs),
    tres: `cpu=${cpus}`,
    users: reservation.users.join(','),
  }
}

/** What POST says about a reservation: the order itself, not what became of it. */
export function reservationEcho(order: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...fields([], 'accounts flags groups licenses node_list tres users'),
    ...fields('', 'burst_buffer comment features partition'),
    ...fields(unset, 'core_count duration max_start_delay node_count'),
    ...fields(wireNumber(NO_VALUE), 'start_time end_time'),
    purge_completed: { time: unset },
    ...Object.fromEntries(Object.entries(order).map(([name, value]) => [name, wholeNumber(value)])),
  }
}

/** Requests may leave out a part of a number; answers never do. */
function wholeNumber(value: unknown): unknown {
  const isNumber = typeof value === 'object' && value !== null && 'number' in value
  return isNumber ? { ...unset, ...value } : value
}

const partitionFields = {
  accounts: { allowed: '', deny: '' },
  groups: { allowed: '' },
  qos: { allowed: '', deny: '', assigned: '' },
  ...fields('', 'alternate cluster'),
  ...fields(0, 'grace_time'),
  defaults: {
    memory_per_cpu: 0,
    partition_memory_per_cpu: unset,
    partition_memory_per_node: wireNumber(0),
    time: unset,
    job: '',
  },
  maximums: {
    ...fields(infinite, 'cpus_per_node cpus_per_socket nodes time'),
    memory_per_cpu: 0,
    partition_memory_per_cpu: unset,
    partition_memory_per_node: wireNumber(0),
    shares: 0,
    oversubscribe: { jobs: 0, flags: [] },
    over_time_limit: unset,
  },
  minimums: { nodes: 0 },
  priority: { job_factor: 1, tier: 1 },
  timeouts: { resume: unset, suspend: unset },
  suspend_time: unset,
} as const

/** A partition with the nodes it has now. */
export function partitionShape(
  { cluster }: Parts,
  partition: PartitionSettings,
  version: string,
): Record<string, unknown> {
  const nodes = [...cluster.nodes.values()].filter((node) => isInPartition(node, partition))
  const cpus = sumOf(nodes, (node) => node.cpus)
  const isNewest = version >= 'v0.0.45'
  return {
    ...partitionFields,
    name: partition.name,
    node_sets: partition.feature ?? 'ALL',
    nodes: {
      allowed_allocation: '',
      configured: writeSortedHostlist(nodes.map(({ name }) => name)),
      total: nodes.length,
    },
    tres: { billing_weights: '', configured: tresOf(nodes, cpus) },
    cpus: { task_binding: isNewest ? [] : 0, total: cpus },
    select_type: isNewest ? ['NONE'] : [],
    partition: { ...(isNewest && { exclusive: 'NO', oversubscribe: 'NO' }), state: ['UP'] },
    ...(version >= 'v0.0.43' && { topology: '' }),
    ...(isNewest && { flags: partition.isDefault ? ['DEFAULT'] : [], preempt_mode: ['CLUSTER_GLOBAL'] }),
  }
}

function tresOf(nodes: readonly NodeRecord[], cpus: number): string {
  const memory = sumOf(nodes, (node) => node.memoryMib)
  const gpus = sumOf(nodes, (node) => gpusIn(node.gres))
  return `cpu=${cpus},mem=${memory}M,node=${nodes.length},billing=${cpus}${gpus === 0 ? '' : `,gres/gpu=${gpus}`}`
}

function sumOf(nodes: readonly NodeRecord[], of: (node: NodeRecord) => number): number {
  return nodes.reduce((sum, node) => sum + of(node), 0)
}

/** How a daemon is doing. */
export interface PingFacts {
  readonly hostname: string
  readonly responding: boolean
  /** Newer versions say why not. */
  readonly status: string
  readonly isBackup?: boolean
}

/** One daemon in the answer to a ping. */
export function pingShape(
  { hostname, responding, status, isBackup = false }: PingFacts,
  version: string,
): Record<string, unknown> {
  const common = { hostname, responding, latency: 1000, primary: !isBackup }
  if (version >= 'v0.0.45') return { ...common, status }
  return { ...common, pinged: responding ? 'UP' : 'DOWN', mode: isBackup ? 'backup' : 'primary' }
}
