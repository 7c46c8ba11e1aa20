import { activeReservation, type Allocation, nodeStates } from '../state/node-states.ts'
import type { Parts } from '../state/parts.ts'
import { gpusIn, type NodeRecord } from '../state/records.ts'
import { isInPartition } from '../state/schedule.ts'
import type { Release } from './releases.ts'
import { fields, infinite, unset, wireNumber, wireTime } from './values.ts'

/** What slurmctld says of all machines, because nobody simulates it. */
const always = {
  ...fields('', 'burstbuffer_network_address cluster_name specialized_cpus gpu_spec'),
  ...fields('', 'instance_id instance_type mcs_label owner'),
  ...fields(1, 'boards cores threads'),
  ...fields(0, 'specialized_cores cpu_binding specialized_memory res_cores_per_gpu temporary_disk'),
  energy: {
    ...fields(0, 'average_watts base_consumed_energy consumed_energy previous_consumed_energy last_collected'),
    current_watts: wireNumber(0),
  },
  next_state_after_reboot: ['INVALID'],
  port: 6818,
  resume_after: wireNumber(0),
} as const

/** Fields that not every version has. */
const sinceVersion43 = { tls_cert_last_renewal: wireNumber(0), cert_flags: [] } as const
const untilVersion44 = { external_sensors: {}, power: {}, tres_weighted: 0 } as const
const sinceVersion45 = { suspend_time: infinite } as const

/** How a node is shown: by which daemon, in which version, with which knowledge of what it uses. */
export interface NodeView {
  readonly release: Release
  readonly version: string
  readonly used: Allocation
}

/** A node in an answer. */
export function nodeShape(parts: Parts, node: NodeRecord, view: NodeView): Record<string, unknown> {
  const { version } = view
  return {
    ...always,
    ...(version >= 'v0.0.43' && { ...sinceVersion43, topology: node.topology }),
    ...(version <= 'v0.0.44' && untilVersion44),
    ...(version >= 'v0.0.45' && sinceVersion45),
    ...machineFields(parts, node, view.release),
    ...orderFields(parts, node),
    ...useFields(parts, node, view),
  }
}

/** What its slurmd told, or nothing if there never was one. */
function machineFields({ cluster }: Parts, node: NodeRecord, release: Release): Record<string, unknown> {
  const isKnown = node.slurmdStartAtMs !== undefined
  return {
    name: node.name,
    hostname: node.name,
    address: node.address === '' ? node.name : node.address,
    cpus: node.cpus,
    effective_cpus: node.cpus,
    sockets: node.cpus,
    real_memory: node.memoryMib,
    features: node.features,
    active_features: node.activeFeatures,
    gres: node.gres,
    architecture: isKnown ? 'x86_64' : '',
    operating_system: isKnown ? 'Linux 6.1.0 #1 SMP' : '',
    version: isKnown ? release.full : '',
    cpu_load: isKnown ? 100 : 0,
    free_mem: isKnown ? wireNumber(node.memoryMib) : unset,
    boot_time: wireTime(node.bootAtMs, cluster.skewMs),
    slurmd_start_time: wireTime(node.slurmdStartAtMs, cluster.skewMs),
    last_busy: wireTime(node.lastBusyAtMs, cluster.skewMs),
  }
}

/** What somebody ordered. */
function orderFields({ cluster, partitions }: Parts, node: NodeRecord): Record<string, unknown> {
  return {
    comment: node.comment,
    extra: node.extra,
    weight: node.weight,
    reason: node.reason,
    reason_changed_at: wireTime(node.reasonAtMs, cluster.skewMs),
    reason_set_by_user: node.reasonSetBy,
    reservation: activeReservation(cluster, node.name)?.name ?? '',
    partitions: partitions.filter((partition) => isInPartition(node, partition)).map(({ name }) => name),
  }
}

/** What its jobs use, as far as the asker gets to know. */
function useFields({ cluster }: Parts, node: NodeRecord, { used }: NodeView): Record<string, unknown> {
  const gpus = gpusIn(node.gres)
  const kind = node.gres.replace(/:\d+$/, '')
  return {
    state: nodeStates(cluster, node, used.cpus),
    alloc_cpus: used.cpus,
    alloc_memory: used.memoryMib,
    alloc_idle_cpus: Math.max(0, node.cpus - used.cpus),
    gres_drained: 'N/A',
    gres_used: gpus === 0 ? '' : `${kind}:${used.gpus}(IDX:${used.gpus === 0 ? 'N/A' : rangeOf(used.gpus)})`,
    tres: tresText(node.cpus, node.memoryMib, gpus, `,billing=${node.cpus}`),
    tres_used: used.cpus === 0 ? '' : tresText(used.cpus, used.memoryMib, used.gpus),
  }
}

function tresText(cpus: number, memoryMib: number, gpus: number, more = ''): string {
  return `cpu=${cpus},mem=${memoryMib}M${more}${gpus === 0 ? '' : `,gres/gpu=${gpus}`}`
}

function rangeOf(count: number): string {
  return count === 1 ? '0' : `0-${count - 1}`
}
