/**
 * NodeSets that ask for `drain-on-delete`: they are deleted while jobs run, and some users change their minds, before or
 * meanwhile.
 *
 * @module
 */
import { annotationKeys, nodeSetResource, YES, type NodeSet } from '@slurm-operator/api'
import type { Live } from '@slurm-operator/kube'
import { undoAfter, type Happening, type Stage } from './happening.ts'
import { NAMESPACE } from './objects.ts'
import { submitJobFor } from './submit-job.ts'
import { deleteForAWhile, someNodeSet } from './user-edits.ts'
import { livingPods } from './worker-pods.ts'

/** See the module. */
export const drainedDeletions: readonly Happening[] = [
  { name: 'switch drain-on-delete', weight: 6, happen: switchDrain },
  { name: 'delete NodeSet with jobs', weight: 12, happen: deleteWithJobs },
]

/** Jobs need a moment to begin; a deletion may come before and after that. */
const MOST_BETWEEN_MS = 10_000

async function switchDrain(stage: Stage): Promise<string | undefined> {
  const nodeSet = someNodeSet(stage)
  if (nodeSet === undefined) return undefined
  const { name, annotations } = nodeSet.metadata
  const value = annotations?.[annotationKeys.drainOnDelete] === YES ? null : YES
  const body = { metadata: { annotations: { [annotationKeys.drainOnDelete]: value } } }
  await stage.cluster.users.resource(nodeSetResource).patch({ namespace: NAMESPACE, name }, { type: 'merge', body })
  return `a user ${value === YES ? 'asks' : 'no longer asks'} NodeSet ${name} to drain before it goes`
}

function deleteWithJobs(stage: Stage): string | undefined {
  const nodeSet = someNodeSet(stage)
  if (nodeSet === undefined || nodeSet.metadata.deletionTimestamp !== undefined) return undefined
  const { name } = nodeSet.metadata
  for (const { spec } of livingPods(stage.cluster, name))
    if (stage.random.chance(0.7)) submitJobFor(stage, spec?.hostname ?? '')
  const afterMs = stage.random.below(MOST_BETWEEN_MS)
  undoAfter(stage, afterMs, () => deleteLater(stage, nodeSet).catch(stage.promises.accuse))
  return `a user will delete NodeSet ${name} in ${afterMs / 1000} s`
}

/** As it is by then; somebody may have been faster. */
async function deleteLater(stage: Stage, { metadata: { uid, name } }: Live<NodeSet>): Promise<void> {
  const present = stage.cluster.server.find(nodeSetResource, { namespace: NAMESPACE, name })
  if (present?.metadata.uid !== uid || present.metadata.deletionTimestamp !== undefined) return
  stage.cluster.tell(await deleteForAWhile(stage, present))
}
