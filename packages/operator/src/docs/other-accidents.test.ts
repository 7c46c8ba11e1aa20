/** Accidents of `docs/weak-points.md` that concern two or three rooms at once, and have no other test. */
import { API_GROUP_VERSION } from '@slurm-operator/api'
import type { Deployment, KubeObject, Secret } from '@slurm-operator/kube'
import { mintToken, Secret as Key } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { loginSetRoom } from '../loginset/room.ts'
import { restApiRoom } from '../restapi/room.ts'
import { passThrough } from '../testing/build-in-still-world.ts'
import { tokenRoom } from '../token/room.ts'

const namespace = 'hpc'
const NOW = Date.parse('2026-06-01T12:00:00Z')
const ref = (name: string) => ({ name, key: 'k' })

function anObject<Kind extends string, Spec>(kind: Kind, name: string, spec: Spec, metadata = {}) {
  return { apiVersion: API_GROUP_VERSION, kind, metadata: { name, namespace, ...metadata }, spec } as const
}

function aSecret(name: string, text: string): Secret {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { k: Buffer.from(text).toString('base64') } }
}

function aCluster(slurmKey = 'first', slurmConf = 'ClusterName=a\nSlurmctldPort=6817\n'): object[] {
  const controller = anObject('Controller', 'slurm', { slurmKeyRef: ref('slurm-key'), jwtKeyRef: ref('jwt-key') })
  const data = { 'slurm.conf': slurmConf }
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'slurm-config' }, data }
  return [controller, config, aSecret('slurm-key', slurmKey), aSecret('sssd', 'sssd'), hostKeys]
}

const hostKeys = { ...aSecret('login-ssh-host-keys', 'of old'), metadata: { name: 'login-ssh-host-keys' } }
const metadata = { labels: { team: 'a' }, annotations: { note: 'b' } }

const find = (children: readonly KubeObject[], kind: string) => children.find((one) => one.kind === kind)
const template = (children: readonly KubeObject[]) =>
  JSON.stringify((find(children, 'Deployment') as Deployment).spec?.template)

async function restApi(objects = aCluster()) {
  const object = anObject('RestApi', 'slurm', { controllerRef: { name: 'slurm' } }, metadata)
  return (await passThrough(restApiRoom, object, { objects, namespace })).wish.children
}

async function loginSet(rootSshAuthorizedKeys = '', objects = aCluster()) {
  const spec = { controllerRef: { name: 'slurm' }, sssdConfRef: ref('sssd'), rootSshAuthorizedKeys }
  return (await passThrough(loginSetRoom, anObject('LoginSet', 'login', spec), { objects, namespace })).wish.children
}

describe('slurmrestd', () => {
  test('keeps a key that was rotated', async () => {
    expect(template(await restApi())).not.toBe(template(await restApi(aCluster('second'))))
  })

  test('keeps the address of a slurmctld that has moved', async () => {
    const moved = aCluster('first', 'ClusterName=a\nSlurmctldPort=7000\n')
    expect(template(await restApi())).not.toBe(template(await restApi(moved)))
  })

  test('has a Service that nobody finds by the labels of its RestApi', async () => {
    expect(find(await restApi(), 'Service')?.metadata).toMatchObject(metadata)
  })
})

describe('login pods', () => {
  test('keep a key that was rotated', async () => {
    expect(template(await loginSet())).not.toBe(template(await loginSet('', aCluster('second'))))
  })

  test('let somebody in as root whose key was taken away', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBGsqa8WaNnqtcqvHLRwMNJGUe1YDq3TZW2FdyQrVPVr admin\n'
    expect(template(await loginSet(key))).not.toBe(template(await loginSet()))
  })

  test('get new host keys in every pass', async () => {
    const secrets = (await loginSet()).filter(({ kind }) => kind === 'Secret') as Secret[]
    expect(secrets.map(({ data }) => data)).toEqual([hostKeys.data])
  })
})

describe('a token that was made once', () => {
  test('is never renewed, although it should be from now on', async () => {
    const claims = { username: 'alice', lifetimeSeconds: 900, nowMs: NOW - 800_000, random: () => 0.5 }
    const token = mintToken(new Key(Buffer.from('signing')), claims)
      .reveal()
      .toString('base64')
    const spec = { username: 'alice', jwtKeyRef: ref('jwt-key'), refresh: true, secretRef: ref('made') }
    const owner = { apiVersion: API_GROUP_VERSION, kind: 'Token', name: 't', uid: 'uid-of-Token-t', controller: true }
    const meta = { name: 'made', ownerReferences: [owner] }
    const made = { ...aSecret('made', ''), metadata: meta, immutable: true, data: { k: token } }
    const objects = [aSecret('jwt-key', 'signing'), made]
    const { wish } = await passThrough(tokenRoom, anObject('Token', 't', spec), { objects, namespace, nowMs: NOW })
    // Not among what is wanted: the engine deletes it, and the next pass makes one that can be changed.
    expect(wish).toEqual({ children: [], obstacles: [] })
  })
})
