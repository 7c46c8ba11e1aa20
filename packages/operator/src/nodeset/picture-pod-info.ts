/**
 * The note that we leave in the comment of a Slurm node: which pod it is. The key order is part of the format.
 *
 * @module
 */
import { readNote, type Knowledge, type SlurmNode } from '@slurm-operator/slurm'
import type { Wanted, Worker } from './picture.ts'

/** Which pod a Slurm node is. */
interface PodInfo {
  readonly namespace: string
  readonly podName: string
  /** The Kube node. */
  readonly node: string
  readonly nodeSetName?: string
  readonly nodeSetUID?: string
}

/** The text for the comment. */
export function printPodInfo({ namespace, podName, node, nodeSetName = '', nodeSetUID = '' }: PodInfo): string {
  return JSON.stringify({
    ...{ namespace, podName, node },
    ...(nodeSetName !== '' && { nodeSetName }),
    ...(nodeSetUID !== '' && { nodeSetUID }),
  })
}

/** What a comment says; undefined if it is empty, somebody's words, or another program's. */
export function readPodInfo(comment: string): PodInfo | undefined {
  const note = readNote(comment)
  if (note.kind !== 'data') return undefined
  const { namespace, podName, node, nodeSetName, nodeSetUID } = note.values
  if (typeof namespace !== 'string' || typeof podName !== 'string') return undefined
  return {
    ...{ namespace, podName, node: typeof node === 'string' ? node : '' },
    ...(typeof nodeSetName === 'string' && { nodeSetName }),
    ...(typeof nodeSetUID === 'string' && { nodeSetUID }),
  }
}

/** The info of a worker. */
export function podInfoOf(wanted: Wanted, { pod, nodeName }: Pick<Worker, 'pod' | 'nodeName'>): PodInfo {
  const { namespace, name, uid } = wanted
  return { namespace, podName: pod, node: nodeName, nodeSetName: name, nodeSetUID: uid }
}

/** Records that bear our info and belong to no worker. */
export function findLeftovers(
  nodes: Knowledge<readonly SlurmNode[]>,
  { namespace, name }: Pick<Wanted, 'namespace' | 'name'>,
  workers: readonly Pick<Worker, 'slurmName'>[],
): Knowledge<readonly SlurmNode[]> {
  if (nodes.kind !== 'seen') return nodes
  const taken = new Set(workers.map(({ slurmName }) => slurmName))
  const value = nodes.value.filter((node) => {
    if (taken.has(node.name) || node.comment === '') return false
    const info = readPodInfo(node.comment)
    return info?.namespace === namespace && info.nodeSetName === name
  })
  return { ...nodes, value }
}
