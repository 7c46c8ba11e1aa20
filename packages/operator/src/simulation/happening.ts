import { nodeResource } from '@slurm-operator/kube'
import type { RandomSource } from '@slurm-operator/testkit'
import type { Promises } from './promises.ts'
import type { SimulatedCluster } from './simulated-cluster.ts'

/** A cluster to which things happen. */
export interface Stage {
  readonly cluster: SimulatedCluster
  readonly random: RandomSource
  readonly promises: Promises
  /** What must be undone when peace comes; each removes itself when it ends before. */
  readonly undo: Set<() => unknown>
}

/** Something that people, machines or chance do. */
export interface Happening {
  readonly name: string
  /** How often it happens, compared with the others. */
  readonly weight: number
  /** Do it. The answer is what the story says; undefined: it was not possible. */
  readonly happen: (stage: Stage) => Promise<string | undefined> | string | undefined
}

/** One of many, by weight. */
export function chooseHappening(random: RandomSource, all: readonly Happening[]): Happening {
  const total = all.reduce((sum, { weight }) => sum + weight, 0)
  let left = random.next() * total
  return all.find(({ weight }) => (left -= weight) < 0) ?? (all[0] as Happening)
}

/** Undo something after a while, or when peace comes, whatever is first. */
export function undoAfter({ cluster, undo }: Stage, afterMs: number, action: () => unknown): void {
  let isDone = false
  const once = (): unknown => {
    undo.delete(once)
    if (isDone) return undefined
    isDone = true
    return action()
  }
  undo.add(once)
  cluster.world.clock.schedule(afterMs, () => void once())
}

/** A Kube node, by chance. */
export function someNode({ cluster, random }: Stage): string | undefined {
  const all = cluster.server.all(nodeResource)
  return all.length === 0 ? undefined : random.pick(all).metadata.name
}

/** Seconds, by chance. */
export function someSeconds({ random }: Stage, from: number, to: number): number {
  return (from + random.below(to - from + 1)) * 1000
}
