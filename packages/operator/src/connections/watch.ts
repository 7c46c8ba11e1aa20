/**
 * What wakes the loop of connections.
 *
 * @module
 */
import { forObjects, watches, type LoopSource } from '@slurm-operator/runtime'
import { specChanged } from '../world/changes.ts'
import { keysBy } from '../world/keys-by.ts'
import type { World } from '../world/world.ts'

/** One line per source. */
export function connectionSources({ caches }: World): readonly LoopSource[] {
  return [
    forObjects(caches.controllers, { when: specChanged }),
    forObjects(caches.clusters, { when: specChanged }),
    watches(
      caches.restApis,
      ({ metadata: { namespace }, spec }) => [{ namespace, name: spec.controllerRef?.name ?? '' }],
      { when: specChanged },
    ),
    watches(caches.secretNames, keysBy(caches.controllers, 'secret')),
    watches(caches.secretNames, keysBy(caches.clusters, 'secret')),
  ]
}
