/**
 * What wakes the RestApi loop.
 *
 * @module
 */
import { API_GROUP } from '@slurm-operator/api'
import type { ObjectKey } from '@slurm-operator/kube'
import { forObjects, ownedBy, watches, type LoopSource } from '@slurm-operator/runtime'
import { specChanged } from '../world/changes.ts'
import { keysBy, type Named } from '../world/keys-by.ts'
import { podOwners } from '../world/pod-owners.ts'
import type { World } from '../world/world.ts'

const owner = { group: API_GROUP, kind: 'RestApi' }

/** One line per source. */
export function restApiSources(world: World): readonly LoopSource[] {
  const { caches } = world
  const ofController = keysBy(caches.restApis, 'controller')
  const ofKey = keysBy(caches.controllers, 'secret')
  return [
    forObjects(caches.restApis, { when: specChanged }),
    ownedBy(caches.deployments, owner),
    ownedBy(caches.services, owner),
    watches(caches.pods, podOwners(caches.restApis, 'slurmrestd')),
    watches(caches.controllers, ofController, { when: specChanged }),
    watches(caches.configMapNames, configOwners(ofController)),
    watches(caches.secretNames, (secret) => ofKey(secret).flatMap((metadata) => ofController({ metadata }))),
  ]
}

/** The slurm.conf of a Controller: it owns the ConfigMap. */
function configOwners(ofController: (controller: Named) => readonly ObjectKey[]) {
  return ({ metadata }: Named): readonly ObjectKey[] => {
    const { namespace, ownerReferences = [] } = metadata
    const owners = ownerReferences.filter(({ kind }) => kind === 'Controller')
    return owners.flatMap(({ name }) =>
      ofController({ metadata: { name, ...(namespace !== undefined && { namespace }) } }),
    )
  }
}
