import { readHostlist } from '../hostlist/expand.ts'
import { seen } from '../knowledge.ts'
import type { SlurmJob } from '../model/job.ts'
import { isFinished } from '../states/job-states.ts'
import type { Sightings } from './sightings.ts'

/** Which jobs are on which node, and from which list that was computed. */
export interface JobIndex {
  readonly entries: ReadonlyMap<string, SlurmJob>
  readonly byNode: ReadonlyMap<string, readonly SlurmJob[]>
  /** The nodes of jobs that we could not read, or that have vanished. */
  readonly inDoubt: ReadonlySet<string>
  /** Of some job we could not read where it is. */
  readonly mayBeAnywhere: boolean
}

type ToldOfJobs = Pick<Sightings<SlurmJob>, 'entries' | 'doubts' | 'hasNameless'>

/** Sort the jobs that have not ended by their nodes; also those in doubt, by what was read of them, or is remembered. */
export function jobsByNode(told: ToldOfJobs): JobIndex {
  const byNode = new Map<string, SlurmJob[]>()
  const inDoubt = new Set<string>()
  let mayBeAnywhere = told.hasNameless
  for (const { job, nodes, isInDoubt } of placesOf(told)) {
    const names = namesIn(nodes)
    mayBeAnywhere ||= names === undefined
    for (const name of names ?? []) {
      if (isInDoubt) inDoubt.add(name)
      if (job) byNode.set(name, [...(byNode.get(name) ?? []), job])
    }
  }
  return { entries: told.entries, byNode, inDoubt, mayBeAnywhere }
}

/** Where a job is; undefined: nobody knows. */
interface Place {
  readonly job: SlurmJob | undefined
  readonly nodes: string | undefined
  readonly isInDoubt: boolean
}

function placesOf({ entries, doubts }: ToldOfJobs): readonly Place[] {
  const listed = [...entries.values()].map((job) => ({ job, nodes: job.nodes, isInDoubt: false }))
  const doubted = [...doubts.values()].map(({ last, nodes }) => {
    const lastNodes = last?.nodes || undefined // one that waited may have begun since
    return { job: last, nodes: nodes ?? lastNodes, isInDoubt: true }
  })
  return [...listed, ...doubted].filter(({ job }) => job === undefined || isFinished(seen(job, 0)) !== 'yes')
}

/** Undefined: they cannot be read. */
function namesIn(hostlist: string | undefined): readonly string[] | undefined {
  if (hostlist === '') return []
  const reading = hostlist === undefined ? undefined : readHostlist(hostlist)
  return reading?.kind === 'names' ? reading.names : undefined
}
