/**
 * NodeSets and partitions as lines of slurm.conf. slurmctld stops for a single bad partition, so one that cannot be
 * right is left out and reported, and all others keep working.
 *
 * @module
 */
import type { Built, Problem } from '../workload/problem.ts'
import type { ExtraConf } from './extra-conf.ts'
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
export function writeNodeSets(nodeSets: readonly NodeSetLine[]): Built<string[]> {
  const sorted = nodeSets.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const first = new Map(sorted.map(({ slurmName, name }): [string, string] => [slurmName, name]).reverse())
  const written = sorted.map((nodeSet) => writeNodeSet(nodeSet, first.get(nodeSet.slurmName) ?? nodeSet.name))
  return { value: written.flatMap(({ value }) => value), problems: written.flatMap(({ problems }) => problems) }
}

function writeNodeSet({ name, slurmName, partition }: NodeSetLine, owner: string): Built<string[]> {
  const path = `NodeSet/${name}`
  if (!/^[^\s#=,"\\]+$/u.test(slurmName)) return leaveOut(path, `has ${JSON.stringify(slurmName)} as its name in Slurm`)
  if (owner !== name) return leaveOut(path, `has the same name in Slurm as ${owner}: ${slurmName}. Change its hostname`)
  const line = `NodeSet=${slurmName} Feature=${slurmName}`
  if (!partition) return { value: [line], problems: [] }
  const config = (partition.config ?? '').trim()
  const why = whyBadPartition(config)
  if (why !== undefined) return { ...leaveOut(`${path} spec.partition.config`, why), value: [line] }
  const nodes = hasKey(config, 'Nodes') ? '' : `Nodes=${slurmName} `
  return { value: [line, `PartitionName=${slurmName} ${nodes}${config}`], problems: [] }
}

function whyBadPartition(config: string): string | undefined {
  const lines = readLines(config)
  if (lines.length > 1 || config.includes('\r')) return 'has a line break in it'
  if (/(?:^|[^\\])(?:\\\\)*\\$/u.test(config)) return 'ends with a backslash, which would swallow the next line'
  const { pairs, rest } = readPairs(lines[0]?.content ?? '')
  if (rest !== '') return `has something in it that is no Key=Value: ${JSON.stringify(rest)}`
  return pairs.some(({ key }) => key.toLowerCase() === 'partitionname') ? 'names another partition' : undefined
}

function hasKey(config: string, wanted: string): boolean {
  const content = readLines(config)[0]?.content ?? ''
  return readPairs(content).pairs.some(({ key }) => key.toLowerCase() === wanted.toLowerCase())
}

/**
 * A user's own lines without the partitions that name a NodeSet that does not exist. A comment stands in their place.
 *
 * @param slurmNames of the NodeSets that exist
 */
export function leaveOutLostPartitions(extra: ExtraConf, slurmNames: readonly string[], path: string): Built<string> {
  const known = new Set([...slurmNames, ...extra.lines.flatMap(({ content }) => namesDefinedBy(content))])
  const checked = extra.lines.map((line) => ({ line, lost: findLostNames(line.content, known) }))
  const value = checked.flatMap(({ line, lost }) => (lost ? [explain(line, lost.missing)] : line.raw)).join('\n')
  const lost = checked.flatMap((each) => (each.lost ? [each.lost] : []))
  return { value, problems: lost.flatMap(({ name, missing }) => leaveOut(path, whyLost(name, missing)).problems) }
}

interface LostPartition {
  readonly name: string
  readonly missing: readonly string[]
}

function findLostNames(content: string, known: ReadonlySet<string>): LostPartition | undefined {
  const { pairs } = readPairs(content)
  const name = valueOf(pairs.slice(0, 1), 'PartitionName')
  if (name === undefined) return undefined
  const nodes = (valueOf(pairs, 'Nodes') ?? '').split(',').filter((each) => each !== '')
  const missing = hasHostlist(nodes) ? [] : nodes.filter((each) => !isKnown(each, known))
  return missing.length > 0 ? { name, missing } : undefined
}

function isKnown(node: string, known: ReadonlySet<string>): boolean {
  const workerOf = node.replace(/-?\d+$/u, '') // a single worker of a NodeSet
  return node.toUpperCase() === 'ALL' || known.has(node) || known.has(workerOf)
}

/** Ranges such as `gpu-[0-3]` are left to Slurm. */
function hasHostlist(nodes: readonly string[]): boolean {
  return nodes.some((node) => node.includes('['))
}

function namesDefinedBy(content: string): string[] {
  const [first] = readPairs(content).pairs
  return first && ['nodeset', 'nodename'].includes(first.key.toLowerCase()) ? first.value.split(',') : []
}

function valueOf(pairs: readonly Pair[], wanted: string): string | undefined {
  return pairs.find(({ key }) => key.toLowerCase() === wanted.toLowerCase())?.value
}

function whyLost(name: string, missing: readonly string[]): string {
  return `has the partition ${name}, which names ${missing.join(', ')}, but no NodeSet has that name`
}

function explain({ raw }: ConfLine, missing: readonly string[]): string {
  return [`# left out, as no NodeSet is named ${missing.join(', ')}:`, ...raw.map((line) => `# ${line}`)]
    .join('\n')
    .replaceAll('\\', '/') // a comment, too, goes on behind a backslash
}

function leaveOut(path: string, why: string): Built<string[]> {
  const problem: Problem = { path, problem: `${why}. It is left out of slurm.conf.`, severity: 'warning' }
  return { value: [], problems: [problem] }
}
