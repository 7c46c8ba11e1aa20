import { readFileSync } from 'node:fs'
import { clusterDomainOf } from '@slurm-operator/api'

/** The DNS domain of this Kubernetes cluster, as the resolver of our own pod knows it. */
export function readClusterDomain(path = '/etc/resolv.conf'): string {
  try {
    return clusterDomainOf(readFileSync(path, 'utf8'))
  } catch {
    return clusterDomainOf('') // outside of a pod there may be no such file
  }
}
