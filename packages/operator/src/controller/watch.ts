/**
 * What wakes the Controller loop: one line per source.
 *
 * @module
 */
import { API_GROUP, components } from '@slurm-operator/api'
import type { ObjectKey } from '@slurm-operator/kube'
import { forObjects, ownedBy, watches, type LoopSource } from '@slurm-operator/runtime'
import type { ConnectionChange } from '@slurm-operator/slurm'
import { onSlurm, type Concern } from '../connections/slurm-source.ts'
import { specChanged } from '../world/changes.ts'
import { keysBy } from '../world/keys-by.ts'
import { podOwners } from '../world/pod-owners.ts'
import type { World } from '../world/world.ts'

const owner = { group: API_GROUP, kind: 'Controller' }

/** Counts are told within this time; many changes cost one write. */
const COUNTS_WITHIN_MS = 5_000

/** See the module. */
export function controllerSources(world: World): readonly LoopSource[] {
  const { caches, serviceMonitors } = world
  return [
    forObjects(caches.controllers, { when: specChanged }),
    ownedBy(caches.statefulSets, owner),
    ownedBy(caches.services, owner),
    ownedBy(caches.configMapNames, owner),
    ownedBy(caches.secretNames, owner),
    ...(serviceMonitors === undefined ? [] : [ownedBy(serviceMonitors, owner)]),
    watches(caches.accountings, keysBy(caches.controllers, 'accounting'), { when: specChanged }),
    watches(caches.nodeSets, controllerOf(world), { when: specChanged }), // counters of workers are no news for slurm.conf
    watches(caches.secretNames, keysBy(caches.controllers, 'secret')), // keys
    watches(caches.configMapNames, keysBy(caches.controllers, 'configMap')), // files and scripts
    watches(caches.pods, podOwners(caches.controllers, components.controller.app)),
    watches(caches.claims, podOwners(caches.controllers, components.controller.app)), // they have the labels of the pods
    watches(caches.claims, keysBy(caches.controllers, 'claim')),
    onSlurm(world, concernsOf(world)),
  ]
}

interface Member {
  readonly metadata: { readonly namespace?: string }
  readonly spec: { readonly controllerRef?: { readonly name?: string } }
}

/** The Controller that a NodeSet names; one that does not exist costs nothing. */
function controllerOf({ caches }: World): (member: Member) => readonly ObjectKey[] {
  return ({ metadata: { namespace }, spec }) => {
    const key = { namespace, name: spec.controllerRef?.name ?? '' }
    return caches.controllers.get(key) === undefined ? [] : [key]
  }
}

/** Health at once, because slurmctld may have changed places; counts some time later. */
function concernsOf({ caches }: World): (key: ObjectKey, change: ConnectionChange) => Concern[] {
  return (key, { kind }) => {
    if (caches.controllers.get(key) === undefined) return []
    return [{ key, ...(kind !== 'health' && kind !== 'trust' && { inMs: COUNTS_WITHIN_MS }) }]
  }
}
