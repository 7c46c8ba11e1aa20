/**
 * What wakes the Token loop.
 *
 * @module
 */
import { API_GROUP } from '@slurm-operator/api'
import { forObjects, ownedBy, watches, type LoopSource } from '@slurm-operator/runtime'
import { specChanged } from '../world/changes.ts'
import { keysBy } from '../world/keys-by.ts'
import type { World } from '../world/world.ts'

/** One line per source. */
export function tokenSources({ caches }: World): readonly LoopSource[] {
  return [
    forObjects(caches.tokens, { when: specChanged }),
    ownedBy(caches.secretNames, { group: API_GROUP, kind: 'Token' }),
    watches(caches.secretNames, keysBy(caches.tokens, 'secret')), // the signing key
  ]
}
