/**
 * NodeSets that are gone and that slurm.conf must still know: slurmctld ends jobs, or itself, when a job names a partition
 * that is no longer there. What we wrote last is the memory of them.
 *
 * @module
 */
import type { Knowledge, SlurmJob } from '@slurm-operator/slurm'
import type { NodeSetLine } from '../conf/partition-lines.ts'

/** What is known. */
export interface FormerPicture {
  /** The slurm.conf that is in use. */
  readonly written: string
  /** The Slurm names of the NodeSets that there are. */
  readonly present: readonly string[]
  /** undefined: there is no connection to Slurm, and nobody to ask. */
  readonly jobs: Knowledge<readonly SlurmJob[]> | undefined
}

/** Those that stay: the ones with a partition that a job names, or may name as long as Slurm is silent. */
export function findFormerNodeSets({ written, present, jobs }: FormerPicture): NodeSetLine[] {
  if (jobs === undefined) return []
  return readNodeSetLines(written).filter(({ slurmName, partition }) => {
    if (partition === undefined || present.includes(slurmName)) return false
    return jobs.kind !== 'seen' || jobs.value.some((job) => job.partition.split(',').includes(slurmName))
  })
}

/** The lines that we write for a NodeSet, read back. */
function readNodeSetLines(slurmConf: string): NodeSetLine[] {
  const lines = slurmConf.split('\n')
  return lines.flatMap((line) => {
    const [, slurmName] = /^NodeSet=(\S+) Feature=\1$/.exec(line) ?? []
    if (slurmName === undefined) return []
    const start = `PartitionName=${slurmName} Nodes=${slurmName}`
    const own = lines.find((other) => other === start || other.startsWith(`${start} `))
    const partition = own && { config: own.slice(start.length).trim() }
    return [{ name: slurmName, slurmName, ...(partition && { partition }) }]
  })
}
