import { selectorLabels, type NodeSetWithDefaults } from '@slurm-operator/api'
import {
  findControllingOwner,
  findTime,
  revisionName,
  type ControllerRevision,
  type JsonValue,
} from '@slurm-operator/kube'
import { oncePerObject } from '../world/once-per-object.ts'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { REVISION_HASH_LABEL } from './picture-keys.ts'
import { printRevisionData } from './revisions-data.ts'
import type { Revision, RevisionFacts } from './picture.ts'

/** The ControllerRevisions that are ours, or might be. */
export function observeRevisions(nodeSet: Kept<NodeSetWithDefaults>, { caches }: World): RevisionFacts {
  const { namespace, name, uid } = nodeSet.metadata
  const existing = caches.revisions
    .by('namespace', namespace)
    .filter((revision) => revision.metadata.name.startsWith(revisionName(name, '')) || ownerUid(revision) === uid)
    .map((revision) => readRevision(revision, { name, uid }))
  return { wantedJson: printOnce(nodeSet), existing }
}

const printOnce = oncePerObject((nodeSet: Kept<NodeSetWithDefaults>) => printRevisionData(nodeSet))

interface Identity {
  readonly name: string
  readonly uid: string
}

function readRevision(revision: Kept<ControllerRevision>, nodeSet: Identity): Revision {
  const { name, labels = {}, creationTimestamp } = revision.metadata
  return {
    name,
    number: revision.revision,
    createdAtMs: findTime(creationTimestamp),
    hash: labels[REVISION_HASH_LABEL] ?? '',
    data: (revision.data ?? {}) as JsonValue,
    owner: ownerOf(revision, nodeSet),
  }
}

function ownerOf(revision: Kept<ControllerRevision>, nodeSet: Identity): Revision['owner'] {
  const uid = ownerUid(revision)
  if (uid !== undefined) return uid === nodeSet.uid ? 'us' : 'other'
  return isMadeFor(revision, nodeSet) ? 'nobody' : 'other'
}

function ownerUid(revision: Kept<ControllerRevision>): string | undefined {
  return findControllingOwner(revision)?.uid
}

/**
 * Whether an orphan was made for a NodeSet of this name, by us or by another program. A name that only begins like ours may
 * be that of a NodeSet or a StatefulSet with a longer one: their revisions have the same hash label.
 */
function isMadeFor({ metadata, data }: Kept<ControllerRevision>, { name }: Identity): boolean {
  const { labels = {} } = metadata
  if (Object.entries(selectorLabels('worker', name)).every(([key, value]) => labels[key] === value)) return true
  const hash = labels[REVISION_HASH_LABEL]
  return hash !== undefined && metadata.name === revisionName(name, hash) && !isOfStatefulSet(data)
}

/** A StatefulSet may even have our name. It records its template and nothing else; a NodeSet always has more to say. */
function isOfStatefulSet(data: unknown): boolean {
  const { spec } = (data ?? {}) as { readonly spec?: object }
  return Object.keys(spec ?? {}).every((key) => key === 'template')
}
