/**
 * What a pass asks of the shared view of its Slurm cluster. Indexes are made once per list, whoever asks.
 *
 * @module
 */
import { keyText } from '@slurm-operator/runtime'
import { lastSeen, type Knowledge, type SlurmNode, type SlurmReader } from '@slurm-operator/slurm'
import { readPodInfo } from './picture-pod-info.ts'

/** Records by what is asked for. */
interface SlurmIndex {
  readonly nameAtAddress: ReadonlyMap<string, string>
  /** By `namespace/name` of the NodeSet in their comment. */
  readonly byNodeSet: ReadonlyMap<string, readonly SlurmNode[]>
}

const indexes = new WeakMap<readonly SlurmNode[], SlurmIndex>()
const empty: SlurmIndex = { nameAtAddress: new Map(), byNodeSet: new Map() }

/** The index of what was last listed; of nothing if nothing was. */
export function indexOf(nodes: Knowledge<readonly SlurmNode[]>): SlurmIndex {
  const list = lastSeen(nodes)
  if (list === undefined) return empty
  const known = indexes.get(list)
  if (known !== undefined) return known
  const index = createIndex(list)
  indexes.set(list, index)
  return index
}

/** The records of one NodeSet, by their comments. */
export function nodesOf(
  nodes: Knowledge<readonly SlurmNode[]>,
  nodeSet: { readonly namespace: string; readonly name: string },
): Knowledge<readonly SlurmNode[]> {
  if (nodes.kind !== 'seen') return nodes
  return { ...nodes, value: indexOf(nodes).byNodeSet.get(keyText(nodeSet)) ?? [] }
}

/** How long the list was, and when it was read; undefined: we cannot look. */
export function listFacts(reader: SlurmReader): { readonly nodes: number; readonly atMs: number } | undefined {
  const nodes = reader.nodes()
  return nodes.kind === 'seen' ? { nodes: nodes.value.length, atMs: nodes.atMs } : undefined
}

function createIndex(nodes: readonly SlurmNode[]): SlurmIndex {
  const byNodeSet = new Map<string, SlurmNode[]>()
  for (const node of nodes) {
    const info = node.comment === '' ? undefined : readPodInfo(node.comment)
    if (info?.nodeSetName === undefined) continue
    const key = keyText({ namespace: info.namespace, name: info.nodeSetName })
    const list = byNodeSet.get(key)
    if (list === undefined) byNodeSet.set(key, [node])
    else list.push(node)
  }
  return { nameAtAddress: new Map(nodes.map(({ address, name }) => [address, name])), byNodeSet }
}
