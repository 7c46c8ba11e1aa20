import type { KubeObject } from '@slurm-operator/kube'
import { Loop, type LoopOptions, type LoopSource, type Reconcile } from '@slurm-operator/runtime'
import { createComponentPass } from '../component/reconcile-component.ts'
import type { ComponentRoom } from '../component/room.ts'
import type { Specified } from '../world/trim.ts'
import type { World } from '../world/world.ts'

/** How a loop is run. */
export type LoopSettings = Pick<LoopOptions, 'workers' | 'observer' | 'queueObserver'>

/** A loop in this world. */
export function createLoop(
  { clock, random, log }: World,
  name: string,
  parts: { readonly reconcile: Reconcile; readonly sources: readonly LoopSource[] },
  settings: LoopSettings = {},
): Loop {
  return new Loop({ name, ...parts, ...settings, clock, random, log })
}

/** The loop of a component kind. */
export function createComponentLoop<T extends KubeObject & Specified, Facts, Full extends T>(
  world: World,
  room: ComponentRoom<T, Facts, Full>,
  sources: readonly LoopSource[],
  settings: LoopSettings = {},
): Loop {
  return createLoop(world, room.name, { reconcile: createComponentPass(room, world), sources }, settings)
}
