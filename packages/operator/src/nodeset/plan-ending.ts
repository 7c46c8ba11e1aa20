import type { Picture, Worker } from './picture.ts'

/** A pod on a Kube node that is lost ends only when somebody says that nothing runs there any more. Undefined: it will end. */
export function whyCannotEnd(
  worker: Worker | undefined,
  { kubeNodes }: Pick<Picture, 'kubeNodes'>,
): string | undefined {
  if (worker === undefined) return undefined
  const { pod, nodeName } = worker
  const { conditions = [] } = kubeNodes.get(nodeName) ?? {}
  const isLost = conditions.some(({ type, status }) => type === 'Ready' && status !== 'True')
  if (!isLost) return undefined
  return `${pod} cannot end, because Kube node ${nodeName} is not ready: repair that, or delete it if it is gone for good`
}
