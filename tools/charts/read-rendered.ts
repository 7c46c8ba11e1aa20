import type { KubeObject } from '@slurm-operator/kube'
import { parseAllDocuments } from 'yaml'

/** An object of any kind. */
export interface Rendered extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly name: string }
  readonly [field: string]: unknown
}

/** The objects in what Helm has printed; empty documents are none. */
export function readRendered(text: string): Rendered[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null)
}
