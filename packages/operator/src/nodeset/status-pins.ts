import type { Picture } from './picture.ts'
import { fitsNode } from './placement.ts'
import { isFinished } from './plan-release.ts'

/**
 * The Kube node of each worker, by its number, for `pinToNode`. An entry stays while its Kube node exists, fits and is not
 * taken by another worker: a cordon or a taint passes. Undefined without pinning; unchanged if nobody can tell what fits.
 */
export function pinsOf(picture: Picture): Readonly<Record<string, string>> | undefined {
  const { wanted, template, kubeNodes, before, workers } = picture
  if (!wanted.pinToNode || wanted.scalingMode !== 'StatefulSet') return undefined
  if (template.kind !== 'built') return before.ordinalToNode
  const fits = (name: string): boolean => {
    const node = kubeNodes.get(name)
    return node !== undefined && fitsNode(template.placement, node)
  }
  const running = workers.flatMap(({ phase, ordinal, nodeName, mode }): [string, string][] =>
    mode === 'StatefulSet' && phase === 'Running' && ordinal !== undefined ? [[String(ordinal), nodeName]] : [],
  )
  const others = othersOn(picture)
  const remembered = Object.entries(before.ordinalToNode).filter(([ordinal, node]) => !others(node, ordinal))
  return Object.fromEntries([...remembered, ...running].filter(([, node]) => fits(node)))
}

/** Whether a worker of another number has the Kube node for itself; it came while the pinned one was away. */
function othersOn({ wanted, workers }: Picture): (node: string, ordinal: string) => boolean {
  if (wanted.sharesNodes) return () => false
  const placed = workers.filter((worker) => worker.nodeName !== '' && !worker.terminating && !isFinished(worker))
  const byNode = Map.groupBy(placed, ({ nodeName }) => nodeName)
  return (node, ordinal) => {
    const there = byNode.get(node) ?? []
    return there.length > 0 && there.every((worker) => String(worker.ordinal) !== ordinal)
  }
}
