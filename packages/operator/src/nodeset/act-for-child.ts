/**
 * Before a NodeSet gets children: is it still there? The cache may be older than its end. What is made for a NodeSet that
 * is gone is deleted by the garbage collector, and made again, for as long as the news does not come; and jobs of a worker
 * that was made so would end with it.
 *
 * @module
 */
import { nodeSetResource } from '@slurm-operator/api'
import { asError } from '@slurm-operator/runtime'
import type { Acting } from './acting.ts'
import type { Step } from './steps.ts'

const forChild: ReadonlySet<Step['do']> = new Set([
  ...(['create-pod', 'create-pvc', 'create-revision', 'apply-shared'] as const),
  ...(['adopt-pod', 'adopt-revision'] as const),
])

/** Whether a step makes the NodeSet the owner of something. */
export function isForChild({ do: what }: Step): boolean {
  return forChild.has(what)
}

/** Why none of these steps may do so: the server is asked once per pass, and only if there is such a step. */
export async function whyNoChildren(steps: readonly Step[], at: Acting): Promise<Error | undefined> {
  if (!steps.some(isForChild)) return undefined
  const { name, namespace, uid } = at.observed.nodeSet.metadata
  try {
    const now = await at.world.client.resource(nodeSetResource).find({ namespace, name }, { signal: at.signal })
    if (now?.metadata.uid === uid && now.metadata.deletionTimestamp === undefined) return undefined
    return new Error(`Cannot make anything for NodeSet ${name}: it is being deleted, or was made anew.`)
  } catch (thrown) {
    return asError(thrown)
  }
}
