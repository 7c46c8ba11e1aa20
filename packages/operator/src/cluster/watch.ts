/**
 * What wakes the Cluster loop.
 *
 * @module
 */
import type { ObjectKey } from '@slurm-operator/kube'
import { forObjects, watches, type LoopSource } from '@slurm-operator/runtime'
import type { ConnectionChange } from '@slurm-operator/slurm'
import { onSlurm, type Concern } from '../connections/slurm-source.ts'
import { specChanged } from '../world/changes.ts'
import { keysBy } from '../world/keys-by.ts'
import type { World } from '../world/world.ts'

/** Counts are told within this time; many changes cost one write. */
const COUNTS_WITHIN_MS = 5_000

/** One line per source. */
export function clusterSources(world: World): readonly LoopSource[] {
  const { caches } = world
  const ofController = keysBy(caches.clusters, 'controller')
  const concerns = (key: ObjectKey, change: ConnectionChange): Concern[] => {
    const options = change.kind === 'health' || change.kind === 'trust' ? {} : { inMs: COUNTS_WITHIN_MS }
    const named = caches.clusters.get(key) === undefined ? [] : [key]
    return [...named, ...ofController({ metadata: key })].map((one) => ({ key: one, ...options }))
  }
  return [
    forObjects(caches.clusters, { when: specChanged }),
    watches(caches.secretNames, keysBy(caches.clusters, 'secret')),
    watches(caches.controllers, ofController),
    onSlurm(world, concerns),
  ]
}
