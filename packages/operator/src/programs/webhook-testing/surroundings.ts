import {
  configMapResource,
  namespaceResource,
  persistentVolumeClaimResource,
  type Client,
  type PersistentVolumeClaim,
} from '@slurm-operator/kube'
import type { Findings } from '../../admission/gen.ts'

type AccessModes = NonNullable<NonNullable<PersistentVolumeClaim['spec']>['accessModes']>

/** Test data: a namespace. */
export async function buildNamespace(client: Client, name: string): Promise<void> {
  await client.resource(namespaceResource).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
}

/** Test data: make what a row finds around it; it goes again with the row. */
export async function buildSurroundings(client: Client, namespace: string, world: Findings): Promise<AsyncDisposable> {
  const gone = new AsyncDisposableStack()
  const maps = client.resource(configMapResource)
  const claims = client.resource(persistentVolumeClaimResource)
  for (const [name, files] of Object.entries(world.configMaps ?? {})) {
    if (files instanceof Error) continue
    const data = Object.fromEntries(files.map((file) => [file, '']))
    await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data })
    gone.defer(async () => void (await maps.delete({ namespace, name })))
  }
  for (const [name, accessModes] of Object.entries(world.claims ?? {})) {
    if (accessModes instanceof Error) continue
    const spec = { accessModes: accessModes as AccessModes, resources: { requests: { storage: '1Gi' } } }
    const metadata = { namespace, name, finalizers: [] }
    await claims.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec })
    gone.defer(() => removeClaim(client, namespace, name))
  }
  for (const nodeSet of world.nodeSets instanceof Error ? [] : (world.nodeSets ?? [])) {
    const path = `/apis/slinky.slurm.net/v1beta1/namespaces/${namespace}/nodesets`
    const body = JSON.stringify(nodeSet)
    await client.raw({ method: 'POST', path, body, contentType: 'application/json' })
    const { name } = nodeSet['metadata'] as { name: string }
    gone.defer(async () => void (await client.raw({ method: 'DELETE', path: `${path}/${name}` }).catch(() => {})))
  }
  return gone
}

/** Claims are protected by a finalizer that nobody takes off here. */
async function removeClaim(client: Client, namespace: string, name: string): Promise<void> {
  const claims = client.resource(persistentVolumeClaimResource)
  await claims.delete({ namespace, name })
  await claims
    .patch({ namespace, name }, { type: 'merge', body: { metadata: { finalizers: null } } })
    .catch(() => undefined)
}
