import { Fields } from './fields.ts'
import type { SlurmNode } from './node.ts'
import type { Wire } from './wire.ts'

/** A node as v0.0.42 tells it: everything but its topology. */
export function readNode(raw: unknown): SlurmNode {
  return readNodeWith(raw, undefined)
}

/** A node as v0.0.43 and later tell it. */
export function readNodeWithTopology(raw: unknown): SlurmNode {
  return readNodeWith(raw, new Fields<Wire['nodeWithTopology']>(raw).text('topology'))
}

/** What drains, deletes or writes are decided on must be right or the record is lost; the rest is for the eye. */
function readNodeWith(raw: unknown, topology: string | undefined): SlurmNode {
  const fields = new Fields<Wire['node']>(raw)
  fields.require('name', 'state', 'reason')
  return {
    name: fields.name('name'),
    states: fields.words('state'),
    reason: fields.text('reason'),
    comment: fields.text('comment'),
    extra: fields.text('extra'),
    features: fields.words('features'),
    activeFeatures: fields.words('active_features'),
    topology,
    reservation: fields.text('reservation'),
    ...readOrigin(fields.forgiving()),
    ...readResources(fields.forgiving()),
    ...readTimes(fields.forgiving()),
  }
}

function readOrigin(fields: Fields<Wire['node']>) {
  return {
    // Older versions name root here even when there is no reason.
    reasonSetBy: fields.text('reason') === '' ? '' : fields.text('reason_set_by_user'),
    partitions: fields.words('partitions'),
    address: fields.text('address'),
    hostname: fields.text('hostname'),
    port: fields.count('port'),
    slurmdVersion: fields.text('version'),
    architecture: fields.text('architecture'),
    operatingSystem: fields.text('operating_system'),
    instanceId: fields.text('instance_id'),
    instanceType: fields.text('instance_type'),
  }
}

function readResources(fields: Fields<Wire['node']>) {
  return {
    cpus: fields.count('cpus'),
    effectiveCpus: fields.count('effective_cpus'),
    allocatedCpus: fields.count('alloc_cpus'),
    memoryMib: fields.count('real_memory'),
    allocatedMemoryMib: fields.count('alloc_memory'),
    freeMemoryMib: fields.count('free_mem'),
    gres: fields.text('gres'),
    gresUsed: fields.text('gres_used'),
    tres: fields.text('tres'),
    tresUsed: fields.text('tres_used'),
    weight: fields.count('weight'),
  }
}

function readTimes(fields: Fields<Wire['node']>) {
  return {
    reasonChangedAtMs: fields.timeMs('reason_changed_at'),
    bootedAtMs: fields.timeMs('boot_time'),
    slurmdStartedAtMs: fields.timeMs('slurmd_start_time'),
    lastBusyAtMs: fields.timeMs('last_busy'),
    resumeAfterMs: fields.timeMs('resume_after'),
  }
}
