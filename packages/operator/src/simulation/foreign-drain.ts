/**
 * An administrator drains a node with Slurm's own means, and gives it back some time later.
 *
 * @module
 */
import { someSeconds, undoAfter, type Stage } from './happening.ts'
import { FOREIGN_REASON } from './objects.ts'
import { orderAsAdministrator } from './order-as-administrator.ts'

/** How long it lasts, in seconds, and what happens when the node was given back. */
export interface DrainWish {
  readonly lasts: readonly [from: number, to: number]
  readonly afterwards?: (slurmNode: string) => void
}

/** See the module. Undefined: there is no node to drain, or nobody takes orders. */
export function drainForAWhile(stage: Stage, { lasts, afterwards }: DrainWish): string | undefined {
  const { cluster, random } = stage
  const nodes = cluster.slurm.truth.nodes().filter(({ record }) => !record.flags.has('DRAIN'))
  if (nodes.length === 0) return undefined
  const { name } = random.pick(nodes)
  const { orders } = cluster.slurm
  const giveBack = (): void => {
    const record = cluster.slurm.truth.node(name)?.record
    if (record?.reason !== FOREIGN_REASON || !record.flags.has('DRAIN')) return
    const state = record.isDown ? 'RESUME' : 'UNDRAIN'
    const isRefused = record.flags.has('INVALID_REG') // then only a new record helps
    const isDone = orderAsAdministrator(stage, name, () =>
      isRefused ? orders.deleteNode(name) : orders.updateNode(name, { state }),
    )
    if (!isDone) return undoAfter(stage, 10_000, giveBack)
    cluster.tell(`the administrator gives ${name} back`)
    afterwards?.(name)
  }
  const drain = () => orders.updateNode(name, { state: 'DRAIN', reason: FOREIGN_REASON })
  if (!orderAsAdministrator(stage, name, drain)) return undefined
  undoAfter(stage, someSeconds(stage, ...lasts), giveBack)
  return `an administrator drains ${name}`
}
