import type { ObjectKey } from '@slurm-operator/kube'
import { keyFromText, type AddOptions, type LoopSource } from '@slurm-operator/runtime'
import type { ConnectionChange } from '@slurm-operator/slurm'
import type { World } from '../world/world.ts'

/**
 * Wake a loop by what happens in Slurm.
 *
 * @param concerns which objects a change concerns, and how soon they want to hear of it; the key is that of the Slurm cluster
 */
export function onSlurm(
  { slurm }: Pick<World, 'slurm'>,
  concerns: (slurmCluster: ObjectKey, change: ConnectionChange) => readonly Concern[],
): LoopSource {
  return {
    name: 'slurm',
    start: async (wake, signal) => {
      const stop = slurm.subscribe((text, change) => {
        for (const { key, ...options } of concerns(keyFromText(text), change)) wake(key, options)
      })
      signal.addEventListener('abort', stop, { once: true })
    },
  }
}

/** An object, and when its loop looks at it. */
export interface Concern extends AddOptions {
  readonly key: ObjectKey
}
