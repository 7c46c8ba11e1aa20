import type { Node } from '@slurm-operator/kube'
import { oncePerObject } from '../world/once-per-object.ts'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import type { KubeNode } from './picture.ts'

/** All Kube nodes, by name. */
export function observeKubeNodes({ caches }: Pick<World, 'caches'>): ReadonlyMap<string, KubeNode> {
  return new Map(caches.nodes.list().map((node) => [node.metadata.name, readKubeNode(node)]))
}

/** Nodes hardly change, and every pass over every NodeSet needs all of them. */
const readKubeNode = oncePerObject((node: Kept<Node>): KubeNode => {
  const { name, labels = {}, annotations = {} } = node.metadata
  const conditions = (node.status?.conditions ?? []).map(({ type, status, reason = '', message = '' }) => {
    return { type, status, reason, message }
  })
  const { unschedulable = false, taints = [] } = node.spec ?? {}
  return { name, labels, annotations, conditions, unschedulable, taints }
})
