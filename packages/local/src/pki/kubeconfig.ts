import type { KeyPair } from '@slurm-operator/runtime/certificates'

/** How one user reaches one API server; everything inside, no file referred to. */
export interface KubeconfigInput {
  readonly server: string
  readonly authority: string
  readonly client: KeyPair
  readonly cluster?: string
  readonly user?: string
}

/** A kubeconfig as text. It is JSON, which every reader of YAML understands. */
export function kubeconfigText({
  server,
  authority,
  client,
  cluster = 'local',
  user = 'admin',
}: KubeconfigInput): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(authority) } }],
    users: [
      {
        name: user,
        user: { 'client-certificate-data': base64(client.certificate), 'client-key-data': base64(client.key) },
      },
    ],
    contexts: [{ name: cluster, context: { cluster, user } }],
    'current-context': cluster,
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
