import type { KubeObject } from '@slurm-operator/kube'
import { carryOutChildren, type CarryOutOptions, type ChildResult } from './carry-out.ts'
import { observeChildren, planChildren } from './plan-children.ts'

/** See what is there, decide, and do it: the whole engine for a loop that has nothing to add in between. */
export async function ensureChildren(
  wanted: readonly KubeObject[],
  options: CarryOutOptions,
): Promise<readonly ChildResult[]> {
  const kinds = observeChildren(options.owner, wanted, options.kinds)
  return carryOutChildren(planChildren({ ...options, wanted, kinds }), options)
}
