import { writeSortedHostlist } from '@slurm-operator/slurm'
import type { Cluster } from '../state/cluster.ts'
import { cpusPerNode, holdsNodes, type JobRecord } from '../state/records.ts'
import { fields, infinite, unset, wireNumber, wireTime, type WireNumber } from './values.ts'

const noSignal = { id: unset, name: '' } as const
const success = { status: ['SUCCESS'], return_code: wireNumber(0), signal: noSignal } as const
const hangUp = { status: ['SIGNALED'], return_code: unset, signal: { id: wireNumber(1), name: 'HUP' } } as const

/** What Slurm says of all our jobs, because nobody simulates it. */
const always = {
  ...fields('', 'admin_comment array_task_string batch_features burst_buffer burst_buffer_state cluster_features'),
  ...fields('', 'command container container_id cpus_per_tres cron dependency excluded_nodes extra'),
  ...fields('', 'federation_origin federation_siblings_active federation_siblings_viable het_job_id_set licenses'),
  ...fields('', 'mcs_label memory_per_tres network prefer scheduled_nodes selinux_context state_description'),
  ...fields('', 'standard_input standard_error system_comment tres_bind tres_freq tres_per_job tres_per_socket'),
  ...fields('', 'tres_per_task wckey'),
  ...fields(0, 'association_id core_spec nice required_switches sockets_per_board maximum_switch_wait_time'),
  ...fields(false, 'contiguous reboot'),
  ...fields(unset, 'array_task_id cores_per_socket cpu_frequency_minimum cpu_frequency_maximum'),
  ...fields(unset, 'cpu_frequency_governor memory_per_cpu sockets_per_node threads_per_core'),
  ...fields(infinite, 'tasks_per_core tasks_per_socket'),
  ...fields(wireNumber(0), 'array_job_id array_max_tasks deadline delay_boot het_job_id het_job_offset max_cpus'),
  ...fields(wireNumber(0), 'tasks_per_tres tasks_per_node tasks_per_board minimum_tmp_disk_per_node preempt_time'),
  ...fields(wireNumber(0), 'preemptable_time pre_sus_time resize_time suspend_time time_minimum'),
  ...fields([], 'gres_detail job_size_str mail_type priority_by_partition shared'),
  allocating_node: 'rest',
  batch_flag: true,
  thread_spec: 32_766,
  group_id: 1,
  derived_exit_code: success,
  profile: ['NOT_SET'],
  qos: 'normal',
  user_id: 1,
  standard_output: 'slurm-%j.out',
} as const

/** A job in an answer. */
export function jobShape(cluster: Cluster, job: JobRecord, version: string): Record<string, unknown> {
  return {
    ...always,
    ...versionFields(job, version),
    ...wishFields(job),
    ...progressFields(cluster, job),
    ...placeFields(job),
  }
}

function versionFields(job: JobRecord, version: string): Record<string, unknown> {
  return {
    ...(version >= 'v0.0.43' && {
      licenses_allocated: '',
      segment_size: 0,
      stdin_expanded: '',
      stdout_expanded: `${job.workingDirectory}/slurm-${job.id}.out`,
      stderr_expanded: '',
    }),
    ...(version >= 'v0.0.44' && { step_id: stepId(job.id), submit_line: '' }),
    ...(version <= 'v0.0.44' && { power: { flags: [] } }),
    ...(version >= 'v0.0.45' && { container_type: '', memory_update_delay: 0, memory_update_margin: 0 }),
  }
}

function stepId(id: number): Record<string, unknown> {
  return { sluid: `s${id}`, job_id: wireNumber(id), step_het_component: unset, step_id: 'entire' }
}

function wishFields(job: JobRecord): Record<string, unknown> {
  const memory: WireNumber = job.memoryPerNodeMib === undefined ? unset : wireNumber(job.memoryPerNodeMib)
  return {
    account: job.account,
    cluster: 'simulated',
    comment: job.comment,
    current_working_directory: job.workingDirectory,
    job_id: job.id,
    name: job.name,
    partition: job.partition,
    resv_name: job.reservation,
    features: job.constraints,
    user_name: job.user,
    mail_user: job.user,
    group_name: job.user,
    hold: job.hold,
    requeue: job.requeue,
    priority: wireNumber(job.hold ? 0 : 1),
    cpus_per_task: wireNumber(job.cpusPerTask),
    tasks: wireNumber(job.tasks),
    memory_per_node: memory,
    minimum_cpus_per_node: wireNumber(job.cpusPerTask),
    required_nodes: writeSortedHostlist(job.requiredNodes),
    time_limit: job.timeLimitInMinutes === 'infinite' ? infinite : wireNumber(job.timeLimitInMinutes),
    tres_per_node: job.gpusPerNode === 0 ? '' : `gres/gpu:${job.gpusPerNode}`,
    tres_req_str: tresOf(job, job.nodeCount),
  }
}

function progressFields({ skewMs }: Cluster, job: JobRecord): Record<string, unknown> {
  const time = (atMs: number | undefined): WireNumber => wireTime(atMs, skewMs)
  const eligible = time(job.hold ? undefined : job.eligibleAtMs)
  return {
    job_state: [job.state, ...(job.isCompleting ? ['COMPLETING'] : [])],
    state_reason: job.stateReason,
    restart_cnt: job.restarts,
    failed_node: job.failedNode,
    flags: ['EXACT_TASK_COUNT_REQUESTED', ...(job.state === 'RUNNING' ? ['JOB_WAS_RUNNING'] : [])],
    exit_code: exitCode(job),
    submit_time: time(job.submittedAtMs),
    accrue_time: eligible,
    eligible_time: eligible,
    last_sched_evaluation: time(job.startedAtMs ?? job.submittedAtMs),
    start_time: time(job.startedAtMs),
    end_time: time(endOf(job)),
  }
}

/** The real end, or the one to be expected. */
function endOf({ endedAtMs, startedAtMs, timeLimitInMinutes }: JobRecord): number | undefined {
  if (endedAtMs !== undefined || startedAtMs === undefined) return endedAtMs
  const minutes = timeLimitInMinutes === 'infinite' ? 365 * 24 * 60 : timeLimitInMinutes
  return startedAtMs + minutes * 60_000
}

function exitCode({ state, exitCode }: JobRecord): unknown {
  if (state === 'NODE_FAIL') return hangUp
  if (state !== 'FAILED') return success
  return { status: ['ERROR'], return_code: wireNumber(exitCode), signal: noSignal }
}

function placeFields(job: JobRecord): Record<string, unknown> {
  const count = job.nodes.length
  const hasPlace = count > 0 && (holdsNodes(job) || job.endedAtMs !== undefined)
  return {
    nodes: writeSortedHostlist(job.nodes),
    batch_host: job.nodes[0] ?? '',
    node_count: wireNumber(hasPlace ? count : job.nodeCount),
    max_nodes: wireNumber(hasPlace ? 0 : job.nodeCount),
    cpus: wireNumber(cpusPerNode(job) * job.nodeCount),
    billable_tres: hasPlace ? wireNumber(cpusPerNode(job) * count) : unset,
    tres_alloc_str: hasPlace ? tresOf(job, count) : '',
    job_resources: hasPlace ? resources(job) : null,
  }
}

function tresOf(job: JobRecord, nodes: number): string {
  const cpus = cpusPerNode(job) * nodes
  const memory = job.memoryPerNodeMib === undefined ? '' : `,mem=${job.memoryPerNodeMib * nodes}M`
  const gpus = job.gpusPerNode === 0 ? '' : `,gres/gpu=${job.gpusPerNode * nodes}`
  return `cpu=${cpus}${memory},node=${nodes},billing=${cpus}${gpus}`
}

function resources(job: JobRecord): Record<string, unknown> {
  const cpus = cpusPerNode(job)
  const cores = [{ index: 0, status: ['ALLOCATED'] }]
  const sockets = Array.from({ length: cpus }, (_, index) => ({ index, cores }))
  const allocation = job.nodes.map((name, index) => ({
    index,
    name,
    cpus: { count: cpus, used: 0 },
    memory: { used: 0, allocated: job.memoryPerNodeMib ?? 0 },
    sockets,
  }))
  return {
    select_type: ['CR_CORE_MEMORY'],
    nodes: {
      count: job.nodes.length,
      select_type: ['ONE_ROW'],
      list: writeSortedHostlist(job.nodes),
      whole: false,
      allocation,
    },
    cpus: cpus * job.nodes.length,
    threads_per_core: unset,
  }
}
