import { readHostlist } from '../hostlist/expand.ts'
import { seen } from '../knowledge.ts'
import type { SlurmJob } from '../model/job.ts'
import { isFinished } from '../states/job-states.ts'
import type { Doubt } from './sightings.ts'

/** Which jobs are on which node, and from which list that was computed. */
export interface JobIndex {
  readonly entries: ReadonlyMap<string, SlurmJob>
  readonly byNode: ReadonlyMap<string, readonly SlurmJob[]>
  /** The nodes of jobs that we could not read, or that have vanished. */
  readonly inDoubt: ReadonlySet<string>
  /** A job has nodes whose names we could not read: it may be anywhere. */
  readonly hasUnreadableNodes: boolean
}

/** Sort the jobs that have not ended by their nodes; also those in doubt, by what was read of them, or is remembered. */
export function jobsByNode(
  entries: ReadonlyMap<string, SlurmJob>,
  doubts: readonly Pick<Doubt<SlurmJob>, 'last' | 'nodes'>[],
): JobIndex {
  const byNode = new Map<string, SlurmJob[]>()
  const inDoubt = new Set<string>()
  let hasUnreadableNodes = false
  const namesIn = (hostlist: string | undefined): readonly string[] => {
    if (hostlist === '') return []
    const reading = hostlist === undefined ? undefined : readHostlist(hostlist)
    if (reading?.kind === 'names') return reading.names
    hasUnreadableNodes = true
    return []
  }
  const put = (job: SlurmJob, names: readonly string[]): void => {
    for (const name of names) byNode.set(name, [...(byNode.get(name) ?? []), job])
  }
  for (const job of entries.values()) if (isFinished(seen(job, 0)) !== 'yes') put(job, namesIn(job.nodes))
  for (const { last, nodes } of doubts) {
    if (last && isFinished(seen(last, 0)) === 'yes') continue
    const names = namesIn(nodes ?? (last?.nodes || undefined)) // one that waited may have begun since
    for (const name of names) inDoubt.add(name)
    if (last) put(last, names)
  }
  return { entries, byNode, inDoubt, hasUnreadableNodes }
}
