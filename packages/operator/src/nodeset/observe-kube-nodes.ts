import type { Node } from '@slurm-operator/kube'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import type { KubeNode } from './picture.ts'

/** Nodes hardly change, and every pass over every NodeSet needs all of them: each is read once per version. */
const known = new WeakMap<Kept<Node>, KubeNode>()

/** All Kube nodes, by name. */
export function observeKubeNodes({ caches }: Pick<World, 'caches'>): ReadonlyMap<string, KubeNode> {
  return new Map(caches.nodes.list().map((node) => [node.metadata.name, readKubeNode(node)]))
}

function readKubeNode(node: Kept<Node>): KubeNode {
  const before = known.get(node)
  if (before !== undefined) return before
  const { name, labels = {}, annotations = {} } = node.metadata
  const conditions = (node.status?.conditions ?? []).map(({ type, status, reason = '', message = '' }) => {
    return { type, status, reason, message }
  })
  const { unschedulable = false, taints = [] } = node.spec ?? {}
  const read = { name, labels, annotations, conditions, unschedulable, taints }
  known.set(node, read)
  return read
}
