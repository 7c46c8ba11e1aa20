import { writeSortedHostlist } from '@slurm-operator/slurm'
import { refusals } from '../state/refusals.ts'
import { bare, payload, wireError, type RestAnswer } from './answer.ts'
import { textIn, textsIn, whyNotAsked, whyNotObeyed, type Call } from './call.ts'
import { expanded } from './node-routes.ts'
import { partitionShape, pingShape } from './other-shapes.ts'
import { wireNumber, wireTime } from './values.ts'
import { recordText } from './write-json.ts'

/** slurmrestd learns at once that nobody listens, and after TCPTimeout that nobody is there. */
const REFUSED_MS = 40
const UNREACHABLE_MS = 2000
const CONTROLLER_PORT = 6817

/** 200 whatever is wrong; whether slurmctld answers is inside. */
export function ping({ restd, user, voice, version }: Call): RestAnswer {
  const { controller, backup } = restd
  const presence = backup?.state === 'active' ? 'away' : controller.presence
  const facts = (hostname: string, isThere: boolean): Parameters<typeof pingShape>[0] => {
    const away = isThere ? undefined : refusals.noController
    const failure = away ?? (user === undefined ? refusals.authentication : undefined)
    return { hostname, responding: failure === undefined, status: failure?.text ?? refusals.noError.text }
  }
  const pings = [pingShape(facts('ctl', presence === 'running'), version)]
  if (backup) pings.push(pingShape({ ...facts(backup.hostname, backup.state !== 'away'), isBackup: true }, version))
  const delayMs = presence === 'running' ? 0 : presence === 'away' ? REFUSED_MS : UNREACHABLE_MS
  return { ...payload(voice, { pings }), delayMs }
}

/** All daemons read their configuration again; here there is none. */
export function reconfigure(call: Call): RestAnswer {
  const complaint = { description: 'slurm_reconfigure() failed', source: 'op_handler_reconfigure' }
  return whyNotObeyed(call, complaint) ?? bare(call.voice, 200)
}

/** What the scheduler has done. Only what our client reads; the rest is left out. */
export function statistics(call: Call): RestAnswer {
  const silence = whyNotAsked(call, { description: 'Failure to query statistics', source: '_op_handler_diag' })
  if (silence) return silence
  const { cluster, startedAtMs } = call.restd.controller
  const jobs = [...cluster.jobs.values()]
  const count = (state: string): number => jobs.filter((job) => job.state === state).length
  const numbers = {
    req_time: wireTime(cluster.wallMs),
    req_time_start: wireTime(startedAtMs, cluster.skewMs),
    server_thread_count: 1,
    agent_queue_size: 0,
    agent_count: 0,
    dbd_agent_queue_size: 0,
    schedule_cycle_max: 0,
    schedule_cycle_last: 0,
    schedule_cycle_mean: 0,
    schedule_cycle_per_minute: 0,
    schedule_queue_length: count('PENDING'),
    jobs_submitted: cluster.nextJobId - 1,
    jobs_started: jobs.filter((job) => job.startedAtMs !== undefined).length,
    jobs_completed: count('COMPLETED'),
    jobs_canceled: count('CANCELLED'),
    jobs_failed: count('FAILED'),
    jobs_pending: count('PENDING'),
    jobs_running: count('RUNNING'),
    job_states_ts: wireTime(cluster.wallMs),
    bf_backfilled_jobs: 0,
    bf_cycle_counter: 0,
    bf_cycle_mean: 0,
    bf_cycle_last: 0,
    bf_cycle_max: 0,
    bf_when_last_cycle: wireNumber(0),
    bf_active: false,
  }
  return payload(call.voice, { statistics: numbers })
}

/** The settings that our client reads. */
export function configuration(call: Call): RestAnswer {
  const silence = whyNotAsked(call, { description: 'Failure to query configuration', source: 'op_handler_conf' })
  if (silence) return silence
  const { restd, voice } = call
  const { cluster, startedAtMs } = restd.controller
  const settings = {
    ClusterName: restd.clusterName,
    controllers: [{ address: 'ctl', machine: 'ctl' }],
    MaxNodeCount: 12_000,
    MinJobAge: 300,
    ReturnToService: 'all',
    SlurmdTimeout: cluster.pace.slurmdTimeoutMs / 1000,
    SlurmUser: 'slurm',
    SlurmctldPort: CONTROLLER_PORT,
    SlurmdPort: 6818,
    SelectType: 'select/cons_tres',
    TopologyPlugin: 'topology/flat',
    ResumeTimeout: 60,
    SuspendTimeout: 30,
    AccountingStorageType: restd.accounting.isConfigured ? 'accounting_storage/slurmdbd' : '',
  }
  const about = {
    LastUpdate: Math.floor(cluster.wallMs / 1000),
    BOOT_TIME: Math.floor((startedAtMs + cluster.skewMs) / 1000),
    NEXT_JOB_ID: wireNumber(cluster.nextJobId),
    SLURM_CONF: '/etc/slurm/slurm.conf',
    SLURM_VERSION: restd.release.full,
  }
  return payload(voice, { slurm_conf: settings, slurm_conf_meta: about })
}

/** All partitions. */
export function listPartitions(call: Call): RestAnswer {
  return partitionsNamed(call, undefined)
}

/** One partition; the answer for one that does not exist has no list, and says so in a warning. */
export function getPartition(call: Call): RestAnswer {
  return partitionsNamed(call, call.names[0] ?? '')
}

function partitionsNamed(call: Call, name: string | undefined): RestAnswer {
  const silence = whyNotAsked(call, { description: 'Failure to query partitions', source: '_dump_part' })
  if (silence) return silence
  const { restd, voice, version } = call
  const { controller } = restd
  const found = controller.partitions.filter((partition) => name === undefined || partition.name === name)
  if (found.length === 0) return noSuchPartition(call, name ?? '')
  const texts = found.map((partition) => recordText(partitionShape(controller, partition, version)))
  return payload(voice, { last_update: wireTime(controller.cluster.wallMs) }, { key: 'partitions', texts })
}

function noSuchPartition({ restd, voice }: Call, name: string): RestAnswer {
  const description = `Unable to find partition ${name}`
  if (restd.release.hasPartitionError)
    return bare(voice, 422, wireError(refusals.query, description, 'op_handler_partition'))
  return bare({ ...voice, warnings: [{ description, source: '_partition_get' }] }, 200)
}

/** Is slurmdbd there? */
export function pingAccounting(call: Call): RestAnswer {
  const pings = [pingShape({ hostname: 'dbd', responding: true, status: refusals.noError.text }, call.version)]
  return whyNoAccounting(call) ?? payload(call.voice, { pings })
}

/** The Slurm clusters that slurmdbd knows: this one. */
export function listClusters(call: Call): RestAnswer {
  const { restd, voice } = call
  const { cluster } = restd.controller
  const root = { account: 'root', cluster: restd.clusterName, partition: '', user: '', id: 1 }
  const one = {
    controller: { host: '10.0.0.10', port: CONTROLLER_PORT },
    flags: ['MULTIPLE_SLURMD'],
    name: restd.clusterName,
    nodes: writeSortedHostlist([...cluster.nodes.keys()]),
    associations: { root },
    rpc_version: 11_520,
    tres: [{ type: 'node', name: '', id: 4, count: cluster.nodes.size }],
  }
  return whyNoAccounting(call) ?? payload(voice, { clusters: [one] })
}

function whyNoAccounting({ restd, user, voice }: Call): RestAnswer | undefined {
  const description = 'Failed to open slurmdbd connection'
  const failure = restd.accounting.isAway
    ? refusals.noDatabase
    : user === undefined
      ? refusals.authentication
      : undefined
  return (
    failure && bare(voice, restd.accounting.isAway ? 502 : 511, wireError(failure, description, 'openapi_get_db_conn'))
  )
}

/** Names of a hostlist. */
export function hostnames({ voice, body }: Call): RestAnswer {
  return payload(voice, { hostnames: expanded([textIn(body, 'hostlist') ?? '']) })
}

/** A hostlist of names. */
export function hostlist({ voice, body }: Call): RestAnswer {
  return payload(voice, { hostlist: writeSortedHostlist(textsIn(body, 'hostnames') ?? []) })
}
