import { textOf, mapAt, withMeta } from '../objects/api-object.ts'
import type { KindRules } from './rules.ts'

/** Namespaces carry their name as a label and are finalized by whoever empties them. */
export const namespaceRules: KindRules = {
  fill: (namespace) =>
    withMeta(namespace, {
      labels: {
        ...mapAt(namespace.metadata, 'labels'),
        'kubernetes.io/metadata.name': textOf(namespace.metadata['name']),
      },
    }),
  begin: (namespace) => ({ ...namespace, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }),
  keep: (namespace, old) => ({ ...namespace, spec: old['spec'] ?? {}, status: old['status'] }),
}
