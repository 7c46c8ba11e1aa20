/**
 * One object of each kind, and what they refer to: a small cluster in a namespace of its own, for tests.
 *
 * @module
 */
import { API_GROUP_VERSION, kinds, resourceOf, type OurKind } from '@slurm-operator/api'
import {
  configMapResource,
  persistentVolumeClaimResource,
  secretResource,
  type Client,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
  type PersistentVolumeClaimSpec,
  type Resource,
} from '@slurm-operator/kube'
import { createNamespace } from '../testing/gen.ts'

/** What the object of a kind is called. */
export const names: Readonly<Record<OurKind, string>> = {
  Controller: 'slurm',
  Accounting: 'acct',
  RestApi: 'web',
  LoginSet: 'front',
  NodeSet: 'gpu',
  Token: 'alice',
  Cluster: 'main',
}

/** All of them, in the order in which they are made. */
export const ourKinds = Object.keys(names) as readonly OurKind[]

const key = { name: 'keys', key: 'key' }
const image = (name: string) => ({ image: `registry.example.com/${name}:1` })

/** What there is before the first edit. */
export const firstSpecs: Readonly<Record<OurKind, JsonObject>> = {
  Controller: {
    ...{ slurmKeyRef: key, jwtKeyRef: key, slurmctld: image('slurmctld'), logfile: image('shell') },
    reconfigure: image('slurmctld'),
    persistence: { enabled: true, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  Accounting: {
    ...{ slurmKeyRef: key, jwtKeyRef: key, slurmdbd: image('slurmdbd') },
    storageConfig: { host: 'mariadb', passwordKeyRef: key },
  },
  RestApi: { controllerRef: { name: 'slurm' }, slurmrestd: image('slurmrestd') },
  LoginSet: {
    ...{ controllerRef: { name: 'slurm' }, login: image('login'), initconf: image('shell') },
    sssdConfRef: key,
  },
  NodeSet: { controllerRef: { name: 'slurm' }, slurmd: image('slurmd'), logfile: image('shell'), replicas: 1 },
  Token: { username: 'alice', jwtKeyRef: key, lifetime: '1h' },
  Cluster: { controllerRef: { name: 'slurm' } },
}

/** An object of ours, of any kind. */
type OurObject = KubeObject & { readonly spec: JsonObject; readonly status?: JsonObject }

/** What is copied of another object. */
type Copied = Pick<OurObject, 'spec'> & { readonly metadata: Pick<ObjectMeta, 'labels' | 'annotations'> }

/** Where objects of a kind are. */
export function resourceOfKind(kind: OurKind): Resource<OurObject> {
  return resourceOf<OurObject>(kinds[kind])
}

const text = { key: 'k'.repeat(32), other: 'o'.repeat(32), 'auth-token': 'a token' }
const maps = {
  keys: text,
  'more-keys': text,
  files: { 'gres.conf': 'AutoDetect=off' },
  scripts: { 'prolog.sh': '#!/bin/sh' },
}
const claimSpec: PersistentVolumeClaimSpec = {
  accessModes: ['ReadWriteMany'],
  resources: { requests: { storage: '1Gi' } },
}

/** What the objects refer to. */
async function createSurroundings(client: Client, namespace: string): Promise<void> {
  await createNamespace(client, namespace)
  for (const name of ['keys', 'more-keys']) {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData: text } as const
    await client.resource(secretResource).create(secret)
  }
  for (const [name, data] of Object.entries(maps)) {
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data } as const
    await client.resource(configMapResource).create(configMap)
  }
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'state', namespace } } as const
  await client.resource(persistentVolumeClaimResource).create({ ...claim, spec: claimSpec })
}

/** Make it, as it is at first or like another one, in a new namespace of this name. */
export async function createSmallCluster(
  client: Client,
  namespace: string,
  like?: Readonly<Record<OurKind, Copied>>,
): Promise<void> {
  await createSurroundings(client, namespace)
  for (const kind of ourKinds) {
    const { spec, metadata } = like?.[kind] ?? { spec: firstSpecs[kind], metadata: {} }
    await client.resource(resourceOfKind(kind)).create({
      ...{ apiVersion: API_GROUP_VERSION, kind, spec },
      metadata: { ...keptOf(metadata), namespace, name: names[kind] },
    })
  }
}

function keptOf({ labels, annotations }: Copied['metadata']): Copied['metadata'] {
  return { ...(labels && { labels }), ...(annotations && { annotations }) }
}

/** The objects as they are. */
export async function readSmallCluster(client: Client, namespace: string): Promise<Record<OurKind, Copied>> {
  const read = async (kind: OurKind) => {
    const { spec, metadata } = await client.resource(resourceOfKind(kind)).get({ namespace, name: names[kind] })
    return [kind, { spec, metadata }] as [OurKind, Copied]
  }
  return Object.fromEntries(await Promise.all(ourKinds.map(read))) as Record<OurKind, Copied>
}
