import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminUser, issue, kubeconfigFor, type ClusterKeys, type KubeUser } from '../pki/authority.ts'
import { API_PORT, API_SERVICE_ADDRESS, CLUSTER_DOMAIN, FIRST_NODE, nodeAddress } from './layout.ts'

const API_URL = `https://${nodeAddress(FIRST_NODE)}:${API_PORT}`

/** Who of the programs talks to the API server, and as whom. */
const programUsers: Readonly<Record<string, KubeUser>> = {
  'kube-controller-manager': { name: 'system:kube-controller-manager' },
  'kube-scheduler': { name: 'system:kube-scheduler' },
  'kube-proxy': { name: 'system:kube-proxy' },
  coredns: { name: 'system:coredns' },
  'local-path-provisioner': { name: 'system:local-path-provisioner' },
  kwok: adminUser,
  admin: adminUser,
}

/** Write the keys that one node needs; the first node also gets those of the control plane. */
export async function writeNodeKeys(keys: ClusterKeys, node: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
  const groups = ['system:nodes']
  const kubelet = await issue(keys, {
    commonName: `system:node:${node}`,
    organizations: groups,
    servesAs: [node, nodeAddress(node)],
  })
  write('ca.crt', keys.authority.certificate)
  write('kubelet.crt', kubelet.certificate)
  write('kubelet.key', kubelet.key)
  write('kubelet.conf', await kubeconfigFor(keys, API_URL, { name: `system:node:${node}`, groups }))
  const programs = node === FIRST_NODE ? Object.keys(programUsers) : ['kube-proxy']
  for (const program of programs)
    write(`${program}.conf`, await kubeconfigFor(keys, API_URL, programUsers[program] ?? adminUser))
  if (node === FIRST_NODE) await writeControlPlaneKeys(keys, write)
}

async function writeControlPlaneKeys(keys: ClusterKeys, write: (name: string, text: string) => void): Promise<void> {
  const services = ['', '.default', '.default.svc', `.default.svc.${CLUSTER_DOMAIN}`].map((end) => `kubernetes${end}`)
  const servesAs = [...services, 'localhost', '127.0.0.1', nodeAddress(FIRST_NODE), API_SERVICE_ADDRESS]
  const server = await issue(keys, { commonName: 'kube-apiserver', servesAs })
  const client = await issue(keys, { commonName: 'kube-apiserver-kubelet-client', organizations: ['system:masters'] })
  write('apiserver.crt', server.certificate)
  write('apiserver.key', server.key)
  write('kubelet-client.crt', client.certificate)
  write('kubelet-client.key', client.key)
  write('sa.key', keys.serviceAccounts.privateKey)
  write('sa.pub', keys.serviceAccounts.publicKey)
}
