import type { NodeSetWithDefaults } from '@slurm-operator/api'
import { findControllingOwner, findTime, type ControllerRevision, type JsonValue } from '@slurm-operator/kube'
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
    .filter((revision) => revision.metadata.name.startsWith(`${name}-`) || findControllingOwner(revision)?.uid === uid)
    .map((revision) => readRevision(revision, uid))
  return { wantedJson: printOnce(nodeSet), existing }
}

const printOnce = oncePerObject((nodeSet: Kept<NodeSetWithDefaults>) => printRevisionData(nodeSet))

function readRevision(revision: Kept<ControllerRevision>, uid: string): Revision {
  const { name, labels = {}, creationTimestamp } = revision.metadata
  const owner = findControllingOwner(revision)
  return {
    name,
    number: revision.revision,
    createdAtMs: findTime(creationTimestamp),
    hash: labels[REVISION_HASH_LABEL] ?? '',
    data: (revision.data ?? {}) as JsonValue,
    owner: owner === undefined ? orphanOwner(labels) : owner.uid === uid ? 'us' : 'other',
  }
}

/** One without our label was made by somebody else: a StatefulSet may have a name like ours. */
function orphanOwner(labels: Readonly<Record<string, string>>): 'nobody' | 'other' {
  return REVISION_HASH_LABEL in labels ? 'nobody' : 'other'
}
