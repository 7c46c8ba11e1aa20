import type { BatchResult } from '../client/batch.ts'
import type { SlurmClient } from '../client/slurm-client.ts'
import { readHostlist } from '../hostlist/expand.ts'
import type { SlurmJob } from '../model/job.ts'
import { nodeUpdateEffect } from './node-kind.ts'
import type { WatchedLists } from './slurm-view.ts'
import type { WriteEnd } from './watched-list.ts'
import type { WriteEffect } from './writes.ts'

/** A new job takes some seconds to find its nodes. */
const WATCH_NEW_JOB_MS = 10_000
const changesJob: WriteEffect<SlurmJob> = { kind: 'change', fold: (job) => job, touchesState: true }

/**
 * The same client, with its writes folded into the view: what they may have made wrong is unknown at once, and the
 * next list confirms them. No write costs a read of its own.
 */
export function foldClient(client: SlurmClient, { nodes, jobs }: WatchedLists): SlurmClient {
  const jobWrite = <R>(id: number, work: () => Promise<R>): Promise<R> => {
    jobs.start()
    return jobs.write([String(id)], changesJob, work, allOf([String(id)]))
  }
  return {
    ...client,
    updateNode: (name, update) =>
      nodes.write([name], nodeUpdateEffect(update), () => client.updateNode(name, update), allOf([name])),
    updateNodes: (names, update) =>
      nodes.write(names, nodeUpdateEffect(update), () => client.updateNodes(names, update), endOfBatch),
    deleteNode: (name) => nodes.write([name], { kind: 'delete' }, () => client.deleteNode(name), allOf([name])),
    deleteNodes: (names) => nodes.write(names, { kind: 'delete' }, () => client.deleteNodes(names), endOfBatch),
    createNodes: (line) => {
      const names = namesInLine(line)
      return nodes.write(names, { kind: 'create' }, () => client.createNodes(line), allOf(names))
    },
    submitJob: async (job) => {
      const id = await client.submitJob(job)
      jobs.hurry(WATCH_NEW_JOB_MS)
      return id
    },
    updateJob: (id, update) => jobWrite(id, () => client.updateJob(id, update)),
    cancelJob: (id, signal) => jobWrite(id, () => client.cancelJob(id, signal)),
    requeueJob: (id, options) => jobWrite(id, () => client.requeueJob(id, options)),
  }
}

function allOf(names: readonly string[]): () => WriteEnd {
  return () => ({ accepted: names, uncertain: [] })
}

/** A name that failed alone may have been changed by the group before: Slurm does some and then refuses. */
function endOfBatch({ done, failed }: BatchResult): WriteEnd {
  return { accepted: done, uncertain: failed.map(({ name }) => name) }
}

function namesInLine(line: string): readonly string[] {
  const reading = readHostlist(/(?:^|\s)NodeName=(\S+)/i.exec(line)?.[1] ?? '')
  return reading.kind === 'names' ? reading.names : []
}
