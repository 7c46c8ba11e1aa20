/**
 * What wakes the Accounting loop: one line per source.
 *
 * @module
 */
import { API_GROUP, components } from '@slurm-operator/api'
import { forObjects, ownedBy, watches, type LoopSource } from '@slurm-operator/runtime'
import { specChanged } from '../world/changes.ts'
import { keysBy } from '../world/keys-by.ts'
import { podOwners } from '../world/pod-owners.ts'
import type { World } from '../world/world.ts'

const owner = { group: API_GROUP, kind: 'Accounting' }

/** See the module. */
export function accountingSources({ caches }: World): readonly LoopSource[] {
  return [
    forObjects(caches.accountings, { when: specChanged }),
    ownedBy(caches.statefulSets, owner),
    ownedBy(caches.services, owner),
    ownedBy(caches.secretNames, owner),
    watches(caches.secretNames, keysBy(caches.accountings, 'secret')), // keys and the password of the database
    watches(caches.configMapNames, keysBy(caches.accountings, 'configMap')), // the keys of others
    watches(caches.pods, podOwners(caches.accountings, components.accounting.app)),
  ]
}
