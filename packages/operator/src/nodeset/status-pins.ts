import type { Picture } from './picture.ts'
import { fitsNode } from './placement.ts'

/**
 * The Kube node of each worker, by its number, for `pinToNode`. An entry stays while its Kube node exists and fits: a
 * cordon or a taint passes. Undefined without pinning; unchanged if nobody can tell what fits.
 */
export function pinsOf({
  wanted,
  template,
  kubeNodes,
  before,
  workers,
}: Picture): Readonly<Record<string, string>> | undefined {
  if (!wanted.pinToNode || wanted.scalingMode !== 'StatefulSet') return undefined
  if (template.kind !== 'built') return before.ordinalToNode
  const fits = (name: string): boolean => {
    const node = kubeNodes.get(name)
    return node !== undefined && fitsNode(template.placement, node)
  }
  const running = workers.flatMap(({ phase, ordinal, nodeName, mode }): [string, string][] =>
    mode === 'StatefulSet' && phase === 'Running' && ordinal !== undefined ? [[String(ordinal), nodeName]] : [],
  )
  const entries = [...Object.entries(before.ordinalToNode), ...running].filter(([, node]) => fits(node))
  return Object.fromEntries(entries)
}
