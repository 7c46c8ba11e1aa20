/**
 * What wakes the LoginSet loop.
 *
 * @module
 */
import { API_GROUP } from '@slurm-operator/api'
import { forObjects, ownedBy, watches, type LoopSource } from '@slurm-operator/runtime'
import { specChanged } from '../world/changes.ts'
import { keysBy } from '../world/keys-by.ts'
import { podOwners } from '../world/pod-owners.ts'
import type { World } from '../world/world.ts'

const owner = { group: API_GROUP, kind: 'LoginSet' }

/** One line per source. */
export function loginSetSources({ caches }: World): readonly LoopSource[] {
  const ofController = keysBy(caches.loginSets, 'controller')
  const ofKey = keysBy(caches.controllers, 'secret')
  return [
    forObjects(caches.loginSets, { when: specChanged }),
    ownedBy(caches.deployments, owner),
    ownedBy(caches.services, owner),
    ownedBy(caches.secretNames, owner),
    ownedBy(caches.configMapNames, owner),
    watches(caches.pods, podOwners(caches.loginSets, 'login')),
    watches(caches.controllers, ofController, { when: specChanged }),
    watches(caches.secretNames, keysBy(caches.loginSets, 'secret')), // sssd.conf
    watches(caches.secretNames, (secret) => ofKey(secret).flatMap((metadata) => ofController({ metadata }))),
  ]
}
