/**
 * What a pass asks of the shared view of its Slurm cluster. A comment is parsed once for each record of a list, whoever
 * asks.
 *
 * @module
 */
import { keyText } from '@slurm-operator/runtime'
import { lastSeen, type Knowledge, type SlurmNode } from '@slurm-operator/slurm'
import { oncePerObject } from '../world/once-per-object.ts'
import type { SlurmListFacts } from './picture.ts'
import { readPodInfo } from './picture-pod-info.ts'

/** Records by what is asked for. */
export interface SlurmIndex {
  /** The names of records by their address: one that is down may have the same as one that works. */
  readonly namesAtAddress: ReadonlyMap<string, readonly string[]>
  /** By `namespace/name` of the NodeSet in their comment. */
  readonly byNodeSet: ReadonlyMap<string, readonly SlurmNode[]>
}

/** The index of what was last listed; of nothing if nothing was. */
export function indexOf(nodes: Knowledge<readonly SlurmNode[]>): SlurmIndex {
  const list = lastSeen(nodes) ?? []
  const byNodeSet = Map.groupBy(list, nodeSetKeyOf)
  byNodeSet.delete('')
  return { namesAtAddress: namesByAddress(list), byNodeSet }
}

function namesByAddress(list: readonly SlurmNode[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>()
  for (const { address, name } of list) {
    const others = names.get(address)
    if (others === undefined) names.set(address, [name])
    else others.push(name)
  }
  return names
}

/** The records of one NodeSet, by their comments. */
export function nodesOf(
  nodes: Knowledge<readonly SlurmNode[]>,
  { byNodeSet }: Pick<SlurmIndex, 'byNodeSet'>,
  nodeSet: { readonly namespace: string; readonly name: string },
): Knowledge<readonly SlurmNode[]> {
  return nodes.kind === 'seen' ? { ...nodes, value: byNodeSet.get(keyText(nodeSet)) ?? [] } : nodes
}

/** How long the list was, and when it was read; undefined: we cannot look. */
export function listFacts(
  nodes: Knowledge<readonly SlurmNode[]>,
  { nowMs, wholeAgeMs }: { readonly nowMs: number; readonly wholeAgeMs: number },
): SlurmListFacts | undefined {
  if (nodes.kind !== 'seen') return undefined
  const { value, atMs } = nodes
  return { nodes: value.length, atMs, wholeAtMs: Math.min(atMs, nowMs - wholeAgeMs) }
}

/** The NodeSet in the comment of a record, as `namespace/name`; empty if there is none. */
const nodeSetKeyOf = oncePerObject((node: SlurmNode): string => {
  const info = node.comment === '' ? undefined : readPodInfo(node.comment)
  return info?.nodeSetName === undefined ? '' : keyText({ namespace: info.namespace, name: info.nodeSetName })
})
