import { createAuthority, createSigningKey, issueCertificate, type KeyPair, type Subject } from './certificate.ts'
import { kubeconfigText } from './kubeconfig.ts'

const AUTHORITY_NAME = 'slurm-operator-local'

/** All key material of one Kubernetes cluster; plain data, so that it can be kept in a file. */
export interface ClusterKeys {
  readonly authority: KeyPair
  readonly serviceAccounts: { readonly privateKey: string; readonly publicKey: string }
}

/** New keys for a new cluster. */
export function createClusterKeys(): ClusterKeys {
  return { authority: createAuthority(AUTHORITY_NAME), serviceAccounts: createSigningKey() }
}

/** A certificate of this cluster. */
export function issue(keys: ClusterKeys, subject: Subject): KeyPair {
  return issueCertificate(keys.authority, AUTHORITY_NAME, subject)
}

/** A Kubernetes user: name and groups. */
export interface KubeUser {
  readonly name: string
  readonly groups?: readonly string[]
}

/** The user who may do everything. */
export const adminUser: KubeUser = { name: 'admin', groups: ['system:masters'] }

/** A kubeconfig for a user at a server of this cluster. */
export function kubeconfigFor(
  keys: ClusterKeys,
  server: string,
  { name, groups = [] }: KubeUser,
  cluster?: string,
): string {
  const client = issue(keys, { commonName: name, organizations: groups })
  return kubeconfigText({
    server,
    authority: keys.authority.certificate,
    client,
    user: name,
    ...(cluster === undefined ? {} : { cluster }),
  })
}
