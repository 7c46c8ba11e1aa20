import { annotationKeys, components, labelKeys, MANAGED_BY, PART_OF, selectorLabels } from '@slurm-operator/api'
import type { Component } from '@slurm-operator/api'
import type { ObjectMeta } from '@slurm-operator/kube'
import { inheritEntries, withoutVolatile, type Entries } from './inherited-metadata.ts'

/** Labels and annotations as users write them: anything may be absent or null. */
interface UserMetadata {
  readonly labels?: Entries | null
  readonly annotations?: Entries | null
}

/** What the metadata of a child is made of, in the order in which later ones win. */
export interface MetadataInput {
  /**
   * `pod`: one that we create ourselves. `pod-template`: of a workload; it carries nothing that would change with an
   * upgrade of the operator or a chart, since every change restarts the pods.
   */
  readonly on: 'object' | 'pod' | 'pod-template'
  readonly name: string
  readonly namespace: string
  /** The part of Slurm and the name of the resource: together its well-known labels. */
  readonly component: Component
  readonly instance: string
  /** The metadata of the resource. */
  readonly resource: UserMetadata | undefined
  /** The user's metadata for this child: of the template, the Service or the ServiceMonitor. */
  readonly extra?: UserMetadata | null | undefined
  /** More labels of ours, such as the one that names the Slurm cluster. */
  readonly labels?: Entries
  /** Hash annotations. */
  readonly hashes?: Entries
  /** What `kubectl logs` and `kubectl exec` mean. */
  readonly defaultContainer?: string
}

/** The metadata of a child: the resource's, then the user's for this child, then ours. */
export function buildMetadata(input: MetadataInput): ObjectMeta {
  const annotations = buildAnnotations(input)
  return {
    name: input.name,
    namespace: input.namespace,
    labels: buildLabels(input),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }
}

function buildLabels({ on, component, instance, resource, extra, labels }: MetadataInput): Entries {
  const isMarked = on !== 'pod-template'
  const users = { ...inheritEntries(resource?.labels), ...extra?.labels }
  return {
    ...(isMarked && { [labelKeys.partOf]: PART_OF }), // a user's own application may be the whole of which we are a part
    ...(on === 'object' ? users : withoutVolatile(users)),
    ...selectorLabels(component, instance),
    [labelKeys.component]: components[component].component,
    ...(isMarked && { [labelKeys.managedBy]: MANAGED_BY }),
    ...labels,
  }
}

function buildAnnotations({ on, resource, extra, hashes, defaultContainer }: MetadataInput): Entries {
  const users = { ...inheritEntries(resource?.annotations), ...extra?.annotations }
  return {
    ...(on === 'object' ? users : withoutVolatile(users)),
    ...hashes,
    ...(defaultContainer !== undefined && { [annotationKeys.defaultContainer]: defaultContainer }),
  }
}
