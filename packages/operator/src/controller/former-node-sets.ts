/**
 * NodeSets that are gone and that slurm.conf must still know: slurmctld ends jobs, or itself, when a job names a partition
 * that is no longer there. What we wrote last is the memory of them, so that it survives a restart of the operator.
 *
 * @module
 */
import type { Knowledge, SlurmJob } from '@slurm-operator/slurm'
import type { NodeSetLine } from '../conf/partition-lines.ts'
import { readLines, readPairs } from '../conf/read-lines.ts'

/** What is known. */
export interface FormerPicture {
  /** The slurm.conf that is in use. */
  readonly written: string
  /** The Slurm names of the NodeSets that there are. */
  readonly present: readonly string[]
  /** The user's own lines. What they define needs no line of ours. */
  readonly extraConf: string | null | undefined
  readonly jobs: Knowledge<readonly SlurmJob[]>
}

/** Those that stay. */
export interface FormerNodeSets {
  readonly lines: readonly NodeSetLine[]
  /** Slurm has told that jobs name their partitions. Otherwise they may. */
  readonly isTold: boolean
}

/** Those with a partition that a job names, or may name as long as Slurm is silent or cannot be asked. */
export function findFormerNodeSets({ written, present, extraConf, jobs }: FormerPicture): FormerNodeSets {
  const isTold = jobs.kind === 'seen'
  const taken = [...present, ...readDefinitions('NodeSet', extraConf).map(({ name }) => name)]
  const gone = readNodeSetLines(written).filter(({ slurmName }) => !taken.includes(slurmName))
  if (gone.length === 0) return { lines: [], isTold } // as nearly always: there may be many jobs
  const theirs = readDefinitions('PartitionName', extraConf)
  const ours = readDefinitions('PartitionName', written).filter(({ name }) => !theirs.some((one) => one.name === name))
  const isInUse = mayBeNamedBy(jobs)
  const inUse = { ours: ours.filter(isInUse), theirs: theirs.filter(isInUse) }
  return { lines: gone.flatMap((line) => whatStays(line, inUse)), isTold }
}

/** Partitions that jobs may name. */
interface InUse {
  readonly ours: readonly Definition[]
  readonly theirs: readonly Definition[]
}

function whatStays(line: NodeSetLine, { ours, theirs }: InUse): NodeSetLine[] {
  const { name, slurmName, partition } = line
  if (partition !== undefined && ours.some((used) => used.name === slurmName)) return [line]
  // Other partitions may have its nodes, too. Without its line they would be left out, with all their jobs.
  return [...ours, ...theirs].some(({ nodes }) => nodes.includes(slurmName)) ? [{ name, slurmName }] : []
}

function mayBeNamedBy(jobs: FormerPicture['jobs']): (partition: Definition) => boolean {
  if (jobs.kind !== 'seen') return () => true
  const named = new Set(jobs.value.flatMap(({ partition }) => partition.split(','))) // one that waits may name several
  return ({ name }) => named.has(name)
}

/** A line that begins with a name and may list nodes. */
interface Definition {
  readonly name: string
  readonly nodes: readonly string[]
}

function readDefinitions(key: 'NodeSet' | 'PartitionName', text: string | null | undefined): Definition[] {
  return readLines(text ?? '').flatMap(({ content }) => {
    const [first, ...rest] = readPairs(content).pairs
    if (first?.key.toLowerCase() !== key.toLowerCase()) return []
    const nodes = rest.find((pair) => pair.key.toLowerCase() === 'nodes')?.value
    return [{ name: first.value, nodes: nodes?.split(',') ?? [] }]
  })
}

/** From here on a user may have written what looks like a line of ours. */
const EXTRA_CONFIG = '\n### EXTRA CONFIG ###\n'

/** The lines that we write for a NodeSet, read back. */
function readNodeSetLines(slurmConf: string): NodeSetLine[] {
  const [ours = ''] = slurmConf.split(EXTRA_CONFIG, 1)
  const lines = ours.split('\n')
  return lines.flatMap((line) => {
    const [, slurmName] = /^NodeSet=(\S+) Feature=\1$/.exec(line) ?? []
    if (slurmName === undefined) return []
    const start = `PartitionName=${slurmName} `
    const own = lines.find((other) => other.startsWith(start))
    const partition = own && { config: withoutStart(own.slice(start.length), `Nodes=${slurmName} `).trim() }
    return [{ name: slurmName, slurmName, ...(partition && { partition }) }]
  })
}

function withoutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : text
}
