/**
 * What wakes the loop of connections.
 *
 * @module
 */
import type { Controller, RestApi } from '@slurm-operator/api'
import { forObjects, watches, type CacheChange, type LoopSource } from '@slurm-operator/runtime'
import { specChanged } from '../world/changes.ts'
import { keysBy } from '../world/keys-by.ts'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { isServing } from './plan-connection.ts'

/** One line per source. */
export function connectionSources({ caches }: World): readonly LoopSource[] {
  return [
    forObjects(caches.controllers, { when: isNews }),
    forObjects(caches.clusters, { when: specChanged }),
    watches(
      caches.restApis,
      ({ metadata: { namespace }, spec }) => [{ namespace, name: spec.controllerRef?.name ?? '' }],
      { when: isNews },
    ),
    watches(caches.secretNames, keysBy(caches.controllers, 'secret')),
    watches(caches.secretNames, keysBy(caches.clusters, 'secret')),
  ]
}

/** What was away or had the wrong key may answer again once it is ready. */
function isNews(change: CacheChange<Kept<RestApi> | Kept<Controller>>): boolean {
  if (specChanged(change)) return true
  return change.kind === 'updated' && isServing(change.object) && !isServing(change.old)
}
