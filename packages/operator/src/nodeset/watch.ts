/**
 * What wakes the NodeSet loop: one line per source, with the changes that matter and the NodeSets they concern.
 *
 * Nothing is decided here. A change only yields keys; the loop then reads the whole picture again, so a lost or doubled
 * change costs time, never correctness. What is missing from this table is noticed at the next poll only.
 *
 * @module
 */
import { API_GROUP, labelKeys } from '@slurm-operator/api'
import { equalJson, findControllingOwner, type JsonValue, type Node, type ObjectKey } from '@slurm-operator/kube'
import { forObjects, ownedBy, watches, type CacheChange, type LoopSource } from '@slurm-operator/runtime'
import type { ConnectionChange } from '@slurm-operator/slurm'
import { onSlurm, type Concern } from '../connections/slurm-source.ts'
import { specChanged } from '../world/changes.ts'
import { keysBy } from '../world/keys-by.ts'
import type { Kept, KeptPod } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { readPodInfo } from './picture-pod-info.ts'

const owner = { group: API_GROUP, kind: 'NodeSet' }

/** Many changes of one moment cost one pass. */
const SOON_MS = 200

/** One line per source. */
export function nodeSetSources(world: World): readonly LoopSource[] {
  const { caches } = world
  const ofController = keysBy(caches.nodeSets, 'controller')
  const ofKey = keysBy(caches.controllers, 'secret')
  return [
    forObjects(caches.nodeSets, { when: specChanged }),
    watches(caches.pods, nodeSetOfPod),
    ownedBy(caches.revisions, owner),
    ownedBy(caches.configMapNames, owner),
    watches(caches.services, ownersOf),
    watches(caches.budgets, ownersOf),
    watches(caches.claims, ({ metadata }) => nodeSetOfLabels(metadata)),
    watches(caches.nodes, nodeSetsWithWorkersOn(world), { when: placementChanged(world) }),
    watches(caches.controllers, ofController, { when: specChanged }),
    watches(caches.secretNames, keysBy(caches.nodeSets, 'secret')), // sssd.conf
    watches(caches.secretNames, (secret) => ofKey(secret).flatMap((metadata) => ofController({ metadata }))),
    watches(caches.nodeSets, siblings(world), { when: ({ kind }) => kind !== 'updated' }), // they share the Service
    onSlurm(world, concerned(world)),
  ]
}

/** By its owner; an orphan by its labels. */
function nodeSetOfPod(pod: KeptPod): readonly ObjectKey[] {
  const controlling = findControllingOwner(pod)
  if (controlling === undefined) return nodeSetOfLabels(pod.metadata)
  return controlling.kind === 'NodeSet' ? [{ namespace: pod.metadata.namespace, name: controlling.name }] : []
}

function nodeSetOfLabels({ namespace, labels = {} }: KeptPod['metadata']): readonly ObjectKey[] {
  const name = labels[labelKeys.instance]
  return labels[labelKeys.app] === 'slurmd' && name !== undefined ? [{ namespace, name }] : []
}

function ownersOf({ metadata }: { readonly metadata: KeptPod['metadata'] }): readonly ObjectKey[] {
  const { namespace, ownerReferences = [] } = metadata
  return ownerReferences.filter(({ kind }) => kind === 'NodeSet').map(({ name }) => ({ namespace, name }))
}

function siblings({ caches }: World) {
  const ofController = keysBy(caches.nodeSets, 'controller')
  return ({
    metadata,
    spec,
  }: {
    metadata: { readonly namespace: string }
    spec: { controllerRef?: { name?: string } }
  }) => ofController({ metadata: { namespace: metadata.namespace, name: spec.controllerRef?.name ?? '' } })
}

/** Workers on that node, and NodeSets that want one on every node that fits. */
function nodeSetsWithWorkersOn({ caches }: World) {
  return ({ metadata: { name } }: Kept<Node>): readonly ObjectKey[] => [
    ...caches.pods.by('node', name).flatMap(nodeSetOfPod),
    ...caches.nodeSets
      .list()
      .filter(({ spec }) => spec.scalingMode === 'DaemonSet' || spec.pinToNode === true)
      .map(({ metadata: { namespace, name: nodeSet } }) => ({ namespace, name: nodeSet })),
  ]
}

/** The kubelet writes the status of its node every few seconds; only what places or cordons workers matters. */
function placementChanged({ propagatedConditions }: World) {
  const placementOf = readPlacement(new Set(propagatedConditions))
  return (change: CacheChange<Kept<Node>>): boolean =>
    change.kind !== 'updated' || !equalJson(placementOf(change.old), placementOf(change.object))
}

/** Of the conditions only those that become drain reasons, with all that stands in these; see `nodeDrainReason`. */
const readPlacement =
  (propagated: ReadonlySet<string>) =>
  (node: Kept<Node>): JsonValue => {
    const { metadata, spec, status } = node
    const { labels = {}, annotations = {} } = metadata
    const conditions = (status?.conditions ?? [])
      .filter(({ type }) => propagated.has(type))
      .map(({ type, status: is, reason = '', message = '' }) => [type, is, reason, message])
    const { unschedulable = false, taints = [] } = spec ?? {}
    return { labels, annotations, conditions, unschedulable, taints } as unknown as JsonValue
  }

/** A node's NodeSet is in its comment, or is found by the pod of its name; silence and its end concern all of them. */
function concerned({ caches }: World) {
  const ofController = keysBy(caches.nodeSets, 'controller')
  return (slurmCluster: ObjectKey, change: ConnectionChange): readonly Concern[] => {
    const soon = (keys: readonly ObjectKey[]) => keys.map((key) => ({ key, inMs: SOON_MS }))
    const all = () => soon(ofController({ metadata: slurmCluster }))
    if (change.kind !== 'node') return change.kind === 'job' ? [] : all()
    const info = readPodInfo((change.now ?? change.old)?.comment ?? '')
    if (info?.nodeSetName === undefined || info.namespace !== slurmCluster.namespace) return all()
    return soon([{ namespace: info.namespace, name: info.nodeSetName }])
  }
}
