import type { JsonPatch, JsonPatchOperation } from '@slurm-operator/kube'

/** A resource of the API that names the authorities by which the API server knows our webhooks. */
export interface BundleTarget {
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration'
  readonly name: string
  /** Each webhook's own name and its `clientConfig.caBundle`, in their order. */
  readonly webhooks: readonly { readonly name: string; readonly caBundle?: string }[]
}

/**
 * The patch that makes every webhook of a configuration trust these authorities; undefined if all do. It names what it
 * expects at each place: webhooks that were put into another order meanwhile make it fail, not hit the wrong one.
 */
export function planBundlePatch({ webhooks }: BundleTarget, authorities: string): JsonPatch | undefined {
  const wanted = Buffer.from(authorities).toString('base64')
  const operations = webhooks.flatMap(({ name, caBundle }, index): JsonPatchOperation[] => {
    if (caBundle === wanted) return []
    return [
      { op: 'test', path: `/webhooks/${index}/name`, value: name },
      { op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: wanted },
    ]
  })
  return operations.length === 0 ? undefined : operations
}
