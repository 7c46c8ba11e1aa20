import { Fields } from './fields.ts'
import type { SlurmPartition } from './partition.ts'
import type { Wire } from './wire.ts'

/** A partition as v0.0.42 tells it. */
export function readPartition(raw: unknown): SlurmPartition {
  return { ...readCommon(raw), topology: undefined, isDefault: undefined }
}

/** A partition as v0.0.43 and v0.0.44 tell it. */
export function readPartitionWithTopology(raw: unknown): SlurmPartition {
  const fields = new Fields<Wire['partitionWithTopology']>(raw, false)
  return { ...readCommon(raw), topology: fields.text('topology'), isDefault: undefined }
}

/** A partition as v0.0.45 tells it. */
export function readPartitionWithFlags(raw: unknown): SlurmPartition {
  const flags = new Fields<Wire['partitionWithFlags']>(raw, false).words('flags')
  return { ...readPartitionWithTopology(raw), isDefault: flags.includes('DEFAULT') }
}

function readCommon(raw: unknown): Omit<SlurmPartition, 'topology' | 'isDefault'> {
  const fields = new Fields<Wire['partition']>(raw)
  fields.require('name')
  return {
    name: fields.name('name'),
    states: fields.inner('partition').words('state'),
    nodes: fields.inner('nodes').text('configured'),
    ...readSize(fields.forgiving()),
    ...readLimits(fields.forgiving()),
  }
}

function readSize(fields: Fields<Wire['partition']>) {
  return {
    nodeSets: fields.text('node_sets'),
    nodeCount: fields.inner('nodes').count('total'),
    cpus: fields.inner('cpus').count('total'),
    tres: fields.inner('tres').text('configured'),
  }
}

function readLimits(fields: Fields<Wire['partition']>) {
  return {
    maximumTimeInMinutes: fields.inner('maximums').bounded('time'),
    defaultTimeInMinutes: fields.inner('defaults').bounded('time'),
    maximumNodes: fields.inner('maximums').bounded('nodes'),
    minimumNodes: fields.inner('minimums').count('nodes'),
    priorityTier: fields.inner('priority').count('tier'),
    priorityJobFactor: fields.inner('priority').count('job_factor'),
    allowedAccounts: fields.inner('accounts').text('allowed'),
    deniedAccounts: fields.inner('accounts').text('deny'),
    allowedGroups: fields.inner('groups').text('allowed'),
    allowedQos: fields.inner('qos').text('allowed'),
  }
}
