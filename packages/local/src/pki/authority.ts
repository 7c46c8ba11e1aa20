import {
  createAuthority,
  createSigningKey,
  issueCertificate,
  type KeyPair,
  type Subject,
} from '@slurm-operator/runtime/certificates'
import { kubeconfigText } from './kubeconfig.ts'

const AUTHORITY_NAME = 'slurm-operator-local'
const DAY_MS = 24 * 3600_000

/** All key material of one Kubernetes cluster; plain data, so that it can be kept in a file. */
export interface ClusterKeys {
  readonly authority: KeyPair
  readonly serviceAccounts: { readonly privateKey: string; readonly publicKey: string }
}

/** New keys for a new cluster. */
export async function createClusterKeys(): Promise<ClusterKeys> {
  return { authority: await createAuthority(AUTHORITY_NAME, tenYears()), serviceAccounts: await createSigningKey() }
}

/** A certificate of this cluster. */
export async function issue(keys: ClusterKeys, subject: Subject): Promise<KeyPair> {
  return issueCertificate(keys.authority, subject, tenYears())
}

/** A Kubernetes user: name and groups. */
export interface KubeUser {
  readonly name: string
  readonly groups?: readonly string[]
}

/** The user who may do everything. */
export const adminUser: KubeUser = { name: 'admin', groups: ['system:masters'] }

/** A kubeconfig for a user at a server of this cluster. */
export async function kubeconfigFor(
  keys: ClusterKeys,
  server: string,
  { name, groups = [] }: KubeUser,
  cluster?: string,
): Promise<string> {
  const client = await issue(keys, { commonName: name, organizations: groups })
  return kubeconfigText({
    server,
    authority: keys.authority.certificate,
    client,
    user: name,
    ...(cluster === undefined ? {} : { cluster }),
  })
}

// From yesterday: clocks differ.
function tenYears() {
  const nowMs = Date.now()
  return { fromMs: nowMs - DAY_MS, untilMs: nowMs + 3650 * DAY_MS }
}
