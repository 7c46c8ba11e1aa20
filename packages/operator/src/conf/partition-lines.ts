/**
 * NodeSets and partitions as lines of slurm.conf. slurmctld stops for a single bad partition, so one that cannot be
 * right is left out and reported, and all others keep working.
 *
 * @module
 */
import type { Built, Problem } from '../workload/problem.ts'
import { findMissingNodes, type KnownNodes } from './known-nodes.ts'
import { readLines, readPairs, type ConfLine, type Pair } from './read-lines.ts'

/** A NodeSet as slurm.conf knows it. */
export interface NodeSetLine {
  /** The name of the resource. */
  readonly name: string
  /** The name in Slurm: of the nodeset line, the feature and the partition. */
  readonly slurmName: string
  /** Its own partition, with the user's settings for it; undefined for none. */
  readonly partition?: { readonly config?: string | null | undefined } | undefined
}

/** The lines of all NodeSets, by the names of their resources. */
export function writeNodeSets(nodeSets: readonly NodeSetLine[], known: KnownNodes): Built<string[]> {
  const sorted = nodeSets.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const owners = new Map(sorted.map(({ slurmName, name }): [string, string] => [slurmName, name]).reverse())
  const written = sorted.map((nodeSet) => writeNodeSet(nodeSet, owners.get(nodeSet.slurmName) ?? '', known))
  return { value: written.flatMap(({ value }) => value), problems: written.flatMap(({ problems }) => problems) }
}

/** The names of their partitions. */
export function partitionNames(nodeSets: readonly NodeSetLine[]): string[] {
  return nodeSets.flatMap(({ slurmName, partition }) => (partition ? [slurmName] : []))
}

/** A user's own lines without the partitions that slurmctld would stop for. A comment stands in their place. */
export function writeExtraLines(
  lines: readonly ConfLine[],
  taken: readonly string[],
  known: KnownNodes,
  path: string,
): Built<string> {
  const names = new Set(taken)
  const checked = lines.map((line) => {
    const { pairs } = readPairs(line.content)
    const name = valueOf(pairs.slice(0, 1), 'PartitionName')
    if (name === undefined) return { line, why: undefined }
    const why = names.has(name) ? 'exists twice' : whyNodesMissing(valueOf(pairs, 'Nodes') ?? '', known)
    if (name !== 'DEFAULT') names.add(name)
    return { line, why: why && `has the partition ${name}, which ${why}` }
  })
  return {
    value: checked.flatMap(({ line, why }) => (why === undefined ? line.raw : comment(line, why))).join('\n'),
    problems: checked.flatMap(({ why }) => (why === undefined ? [] : leaveOut(path, why))),
  }
}

function writeNodeSet({ name, slurmName, partition }: NodeSetLine, owner: string, known: KnownNodes): Built<string[]> {
  const path = `NodeSet/${name}`
  const why = whyBadName(slurmName, name, owner)
  if (why !== undefined) return { value: [], problems: leaveOut(path, why) }
  const line = `NodeSet=${slurmName} Feature=${slurmName}`
  if (!partition) return { value: [line], problems: [] }
  const config = (partition.config ?? '').trim()
  const bad = whyBadPartition(config, known)
  if (bad !== undefined) return { value: [line], problems: leaveOut(`${path} spec.partition.config`, bad) }
  const nodes = valueOf(readPairs(config).pairs, 'Nodes') === undefined ? `Nodes=${slurmName} ` : ''
  return { value: [line, `PartitionName=${slurmName} ${nodes}${config}`], problems: [] }
}

function whyBadName(slurmName: string, name: string, owner: string): string | undefined {
  if (!/^[^\s#=,"\\[\]]+$/u.test(slurmName)) return `would be named ${JSON.stringify(slurmName)} in Slurm`
  return owner === name ? undefined : `has the same name in Slurm as ${owner}: ${slurmName}. Change its hostname`
}

function whyBadPartition(config: string, known: KnownNodes): string | undefined {
  const [line, second] = readLines(config)
  if (second !== undefined || /[\r\n]/u.test(config)) return 'has a line break in it'
  if (line?.raw[0]?.endsWith('\\')) return 'ends with a backslash, which would swallow the next line'
  const { pairs, rest } = readPairs(line?.content ?? '')
  if (rest !== '') return `has something in it that is no Key=Value: ${JSON.stringify(rest)}`
  if (valueOf(pairs, 'PartitionName') !== undefined) return 'names another partition'
  return whyNodesMissing(valueOf(pairs, 'Nodes') ?? '', known)
}

function whyNodesMissing(nodes: string, known: KnownNodes): string | undefined {
  const missing = findMissingNodes(nodes, known)
  return missing.length === 0 ? undefined : `names ${missing.join(', ')}, but there is no NodeSet of that name`
}

function valueOf(pairs: readonly Pair[], wanted: string): string | undefined {
  return pairs.find(({ key }) => key.toLowerCase() === wanted.toLowerCase())?.value
}

/** One comment line: it must not go on behind a backslash, and it holds nothing that could end it. */
function comment({ raw }: ConfLine, why: string): string {
  const text = `# left out by the operator: it ${why}: ${raw.join(' ')}`
  return text.replaceAll('\\', '/').replaceAll('\r', '')
}

function leaveOut(path: string, why: string): Problem[] {
  return [{ path, problem: `${why}. It is left out of slurm.conf.`, severity: 'warning' }]
}
