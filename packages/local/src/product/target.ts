import { fileURLToPath } from 'node:url'
import type { Kubectl } from '../cluster/kubectl.ts'

/** The Kubernetes cluster that the product is installed on. */
export interface Target {
  readonly kubeconfig: string
  readonly kubectl: Kubectl
  readonly importImages: (archive: string) => Promise<void>
}

/** The absolute path of a file of the whole project: charts and examples are not part of a package. */
export function repositoryFile(path: string): string {
  return fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
}
