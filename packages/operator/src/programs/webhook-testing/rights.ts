import type { Client } from '@slurm-operator/kube'

/** Test data: who the webhook is. */
export const RIGHTS_FOR = 'webhook'

const API = '/apis/rbac.authorization.k8s.io/v1'

/** All that the webhook needs in the whole cluster. */
const clusterRules = [
  { apiGroups: [''], resources: ['configmaps', 'persistentvolumeclaims', 'pods', 'nodes'], verbs: ['get'] },
  { apiGroups: ['slinky.slurm.net'], resources: ['nodesets'], verbs: ['list'] },
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
    resourceNames: ['hooks'],
    verbs: ['get', 'patch'],
  },
]

/** All that it needs in its own namespace. */
const ownRules = [
  { apiGroups: [''], resources: ['secrets'], resourceNames: ['webhook-certificates'], verbs: ['get', 'patch'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
]

/** Test data: give the webhook the rights that the charts give it, and no others. */
export async function grantRights(client: Client, namespace: string): Promise<void> {
  const name = RIGHTS_FOR
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }]
  const roleRef = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name })
  const folder = `${API}/namespaces/${namespace}`
  const create = (path: string, body: object) =>
    client.raw({ method: 'POST', path, contentType: 'application/json', body: JSON.stringify(body) })
  await create(`${API}/clusterroles`, { metadata: { name }, rules: clusterRules })
  await create(`${API}/clusterrolebindings`, { metadata: { name }, subjects, roleRef: roleRef('ClusterRole') })
  await create(`${folder}/roles`, { metadata: { name }, rules: ownRules })
  await create(`${folder}/rolebindings`, { metadata: { name }, subjects, roleRef: roleRef('Role') })
}
