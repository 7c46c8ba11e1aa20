/**
 * What the status of a Controller or Cluster tells of Slurm. It must not change with every poll: counts change when
 * Slurm does, and the time of the last contact is renewed once an hour while all is well.
 *
 * @module
 */
import type { SlurmFacts } from '@slurm-operator/api'
import { findTime, printTime } from '@slurm-operator/kube'
import {
  findBaseState,
  findJobBaseState,
  lastSeen,
  type NodeStateWord,
  type SlurmConnection,
  type SlurmJob,
  type SlurmNode,
} from '@slurm-operator/slurm'

const RENEW_MS = 60 * 60_000

type Told = Pick<SlurmConnection, 'health' | 'view'>

/** What is to stand in the status: what Slurm says now, and what it last said where it is silent. */
export function describeSlurm(
  connection: Told | undefined,
  before: SlurmFacts | undefined,
  nowMs: number,
): SlurmFacts | undefined {
  if (connection === undefined) return before
  const { clusterName, slurmVersion, apiVersion } = connection.health()
  const nodes = lastSeen(connection.view.nodes())
  const jobs = lastSeen(connection.view.jobs())
  const lastContactTime = lastContact(connection, before, nowMs)
  return {
    ...before,
    ...(clusterName !== undefined && clusterName !== '' && { clusterName }),
    ...(slurmVersion !== undefined && { version: slurmVersion }),
    ...(apiVersion !== undefined && { apiVersion }),
    ...(lastContactTime !== undefined && { lastContactTime }),
    ...(nodes !== undefined && { nodes: countNodes(nodes) }),
    ...(jobs !== undefined && { jobs: countJobs(jobs) }),
  }
}

function lastContact(connection: Told, before: SlurmFacts | undefined, nowMs: number): string | undefined {
  const { state, lastContactMs } = connection.health()
  if (lastContactMs === undefined) return before?.lastContactTime
  const writtenMs = findTime(before?.lastContactTime)
  const isFresh = writtenMs !== undefined && writtenMs <= nowMs && nowMs - writtenMs < RENEW_MS
  return state === 'reachable' && isFresh ? before?.lastContactTime : printTime(lastContactMs)
}

function countNodes(nodes: readonly SlurmNode[]): NonNullable<SlurmFacts['nodes']> {
  const [total, allocated] = [nodes.length, nodes.filter(runsJobs).length]
  const idle = nodes.filter((node) => !runsJobs(node) && isFree(node)).length
  const other = total - allocated - idle
  const summary = `${allocated}/${idle}/${other}/${total}`
  return { total, allocated, idle, other, summary, states: countWords(nodes) }
}

const busy: readonly NodeStateWord[] = ['ALLOCATED', 'MIXED', 'COMPLETING']
const away: readonly NodeStateWord[] = ['DRAIN', 'FAIL', 'MAINTENANCE', 'NOT_RESPONDING', 'POWERED_DOWN', 'INVALID_REG']

function runsJobs({ states }: SlurmNode): boolean {
  return states.some((word) => busy.includes(word))
}

/** As sinfo counts: a drained node is idle and still no use to anybody. */
function isFree({ states }: SlurmNode): boolean {
  return findBaseState(states) === 'IDLE' && !states.some((word) => away.includes(word))
}

function countWords(nodes: readonly SlurmNode[]): Readonly<Record<string, number>> {
  const words = nodes.flatMap(({ states }) => states).sort()
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function countJobs(jobs: readonly SlurmJob[]): NonNullable<SlurmFacts['jobs']> {
  const inState = (base: string) => jobs.filter(({ states }) => findJobBaseState(states) === base).length
  return { running: inState('RUNNING'), pending: inState('PENDING') }
}
