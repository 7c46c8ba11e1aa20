/**
 * What wakes the loop of connections.
 *
 * @module
 */
import type { RestApi } from '@slurm-operator/api'
import { forObjects, watches, type CacheChange, type LoopSource } from '@slurm-operator/runtime'
import { specChanged } from '../world/changes.ts'
import { keysBy } from '../world/keys-by.ts'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { isServing } from './plan-connection.ts'

/** One line per source. */
export function connectionSources({ caches }: World): readonly LoopSource[] {
  return [
    forObjects(caches.controllers, { when: specChanged }),
    forObjects(caches.clusters, { when: specChanged }),
    watches(
      caches.restApis,
      ({ metadata: { namespace }, spec }) => [{ namespace, name: spec.controllerRef?.name ?? '' }],
      { when: (change) => specChanged(change) || becameReady(change) },
    ),
    watches(caches.secretNames, keysBy(caches.controllers, 'secret')),
    watches(caches.secretNames, keysBy(caches.clusters, 'secret')),
  ]
}

/** A slurmrestd that was away may answer again. */
function becameReady(change: CacheChange<Kept<RestApi>>): boolean {
  return change.kind === 'updated' && isServing(change.object) && !isServing(change.old)
}
