import { readHostlist } from '../hostlist/expand.ts'
import { seen } from '../knowledge.ts'
import type { SlurmJob } from '../model/job.ts'
import { isFinished } from '../states/job-states.ts'

/** Which jobs are on which node, and from which list that was computed. */
export interface JobIndex {
  readonly entries: ReadonlyMap<string, SlurmJob>
  readonly byNode: ReadonlyMap<string, readonly SlurmJob[]>
  /** A job has nodes whose names we could not read: it may be anywhere. */
  readonly hasUnreadableNodes: boolean
}

/** Sort the jobs that have not ended by their nodes; also those in doubt, by where they were last seen. */
export function jobsByNode(entries: ReadonlyMap<string, SlurmJob>, doubted: readonly SlurmJob[]): JobIndex {
  const byNode = new Map<string, SlurmJob[]>()
  let hasUnreadableNodes = false
  for (const job of [...entries.values(), ...doubted]) {
    if (job.nodes === '' || isFinished(seen(job, 0)) === 'yes') continue
    const reading = readHostlist(job.nodes)
    if (reading.kind === 'unreadable') hasUnreadableNodes = true
    else for (const name of reading.names) byNode.set(name, [...(byNode.get(name) ?? []), job])
  }
  return { entries, byNode, hasUnreadableNodes }
}
