import type { AccountingCluster, SlurmConfiguration, SlurmIdentity } from './cluster.ts'
import { Fields, isObject } from './fields.ts'
import type { Wire } from './wire.ts'

/** Who answered; undefined for an answer that does not say so, such as a plain text. Never throws. */
export function readIdentity(answer: unknown): SlurmIdentity | undefined {
  if (!isObject(answer) || !isObject(answer['meta'])) return undefined
  const fields = new Fields<Wire['meta']>(answer['meta'], false)
  const slurm = fields.inner('slurm')
  return {
    release: slurm.text('release'),
    clusterName: slurm.text('cluster'),
    apiVersion: fields.inner('plugin').text('data_parser').replace('data_parser/', ''),
  }
}

/** The running configuration. Only what a running slurmctld always says is taken out; the rest is passed on. */
export function readConfiguration(answer: unknown): SlurmConfiguration {
  const both = new Fields<{ slurm_conf?: { ClusterName?: string }; slurm_conf_meta?: Wire['configurationMeta'] }>(
    answer,
  )
  both.require('slurm_conf')
  const meta = both.forgiving().inner('slurm_conf_meta')
  return {
    clusterName: both.inner('slurm_conf').text('ClusterName'),
    version: meta.text('SLURM_VERSION'),
    lastUpdatedAtMs: meta.timeMs('LastUpdate'),
    bootedAtMs: meta.timeMs('BOOT_TIME'),
    values: (answer as { slurm_conf: Readonly<Record<string, unknown>> }).slurm_conf,
  }
}

/** A Slurm cluster as slurmdbd knows it, in any version. */
export function readAccountingCluster(raw: unknown): AccountingCluster {
  const fields = new Fields<Wire['cluster']>(raw)
  fields.require('name')
  const shown = fields.forgiving()
  return {
    name: fields.name('name'),
    controllerHost: shown.inner('controller').text('host'),
    controllerPort: shown.inner('controller').count('port'),
    nodes: shown.text('nodes'),
    rpcVersion: shown.count('rpc_version'),
  }
}
