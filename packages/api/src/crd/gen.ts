/**
 * Test data: a real API server that knows our kinds, and small objects of each.
 *
 * @module
 */
import {
  createClient,
  customResourceDefinitionResource,
  defineResource,
  isFailure,
  KubeError,
  loadSettings,
  type Client,
  type Live,
} from '@slurm-operator/kube'
import { startApiServer, untilTrue } from '@slurm-operator/local'
import { afterAll } from 'vitest'
import { API_GROUP, API_GROUP_VERSION, API_VERSION } from '../constants.ts'
import { kinds, type OurKind } from '../kinds/all.ts'
import { buildCrd } from './build-crd.ts'
import type { AnyObject } from './gen-compat.ts'

const ESTABLISHED_MS = 30_000

/** A server with our CRDs for all tests of a file. */
export async function startServerWithCrds(): Promise<Client> {
  const api = await startApiServer()
  const client = createClient(await loadSettings({ kubeconfig: api.kubeconfig }))
  afterAll(async () => {
    client.close()
    await api.stop()
  })
  const crds = client.resource(customResourceDefinitionResource)
  await Promise.all(Object.values(kinds).map((kind) => crds.create(buildCrd(kind))))
  await untilTrue('the CRDs', async () => (await crds.list()).items.every(isEstablished), {
    timeoutMs: ESTABLISHED_MS,
  })
  return client
}

function isEstablished({ status }: { readonly status?: { readonly conditions?: readonly Line[] } }): boolean {
  return (status?.conditions ?? []).some((line) => line.type === 'Established' && line.status === 'True')
}

interface Line {
  readonly type: string
  readonly status: string
}

/** The objects of one kind, without types: tests write what is not allowed. */
export function objectsOf(client: Client, kind: OurKind) {
  const { plural } = kinds[kind]
  return client.resource(
    defineResource<AnyObject>({ group: API_GROUP, version: API_VERSION, kind, plural, namespaced: true }),
  )
}

/** Create an object; what the server complains about instead of an object if it refuses. */
export async function tryCreate(
  client: Client,
  kind: OurKind,
  object: { readonly name: string; readonly spec?: unknown },
): Promise<Live<AnyObject> | string> {
  const { name, ...rest } = object
  const metadata = { namespace: 'default', name }
  try {
    return await objectsOf(client, kind).create({ apiVersion: API_GROUP_VERSION, kind, metadata, ...rest })
  } catch (error) {
    if (isFailure(error, 'Invalid', 'BadRequest') && error instanceof KubeError) return error.message
    throw error
  }
}
