import type { Condition, KubeObject, ObjectKey, ResourceClient } from '@slurm-operator/kube'
import { eventually } from './gen.ts'

interface Judged extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/** Wait until a condition of an object has this reason, and return it. */
export function untilReason<T extends Judged>(
  objects: Pick<ResourceClient<T>, 'get'>,
  key: ObjectKey,
  reason: string,
  type = 'Ready',
): Promise<Condition> {
  return eventually(`${type} ${reason}`, async () => {
    const { status } = await objects.get(key)
    const line = status?.conditions?.find((each) => each.type === type)
    return line?.reason === reason ? line : undefined
  })
}
