import { KubeError, type Secret } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { createStillWorld, stillPass, type StillOptions } from '../testing/still-world.ts'
import type { KeyHolder } from './key-holder.ts'
import { keyObstacles, observeKeys } from './observe-keys.ts'

const refs = { slurmKeyRef: { name: 'keys', key: 'slurm.key' }, jwtKeyRef: { name: 'jwt', key: 'jwt.key' } }

function holder(annotations: Readonly<Record<string, string>> = {}, spec: KeyHolder['spec'] = refs): KeyHolder {
  const metadata = { name: 'prod', namespace: 'hpc', annotations }
  return { apiVersion: 'slinky.slurm.net/v1beta1', kind: 'Controller', metadata, spec }
}

const asking = holder({ 'slinky.slurm.net/generate-keys': 'true' })
const bytes = (count: number) => new Uint8Array(count).fill(7)

function still(objects: readonly object[] = [], more: Partial<StillOptions> = {}) {
  return createStillWorld({ objects, namespace: 'hpc', ...more })
}

const secret = (name: string, data: Readonly<Record<string, string>>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
})

describe('keys', () => {
  test('nobody asked for keys, and some are made', async () => {
    const { world, requests } = still()
    const facts = await observeKeys(holder(), { world, pass: stillPass }, bytes)
    expect(requests).toEqual([])
    expect(keyObstacles(facts).map(({ because }) => because)).toEqual([
      'Secret keys does not exist, but Controller prod needs it.',
      'Secret jwt does not exist, but Controller prod needs it.',
    ])
  })

  test('a made key goes with its chart, can be changed by mistake, or is too short', async () => {
    const { world, requests, find } = still()
    const facts = await observeKeys(asking, { world, pass: stillPass }, bytes)
    expect(requests).toEqual(['create Secret keys', 'create Secret jwt'])
    const made = find('Secret', 'keys') as Secret
    expect(made.immutable).toBe(true)
    expect(made.metadata.ownerReferences).toBeUndefined()
    expect(made.metadata.labels).toMatchObject({ 'app.kubernetes.io/managed-by': 'slurm-operator' })
    expect(Buffer.from(made.data?.['slurm.key'] ?? '', 'base64')).toHaveLength(1024)
    expect(Buffer.from((find('Secret', 'jwt') as Secret).data?.['jwt.key'] ?? '', 'base64')).toHaveLength(32)
    expect(keyObstacles(facts)).toEqual([])
    expect(facts.slurm.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('a key that exists is made anew', async () => {
    const { world, requests } = still([secret('keys', { 'slurm.key': 'a' }), secret('jwt', { 'jwt.key': 'b' })])
    await observeKeys(asking, { world, pass: stillPass }, bytes)
    await observeKeys(asking, { world, pass: stillPass }, bytes)
    expect(requests).toEqual([])
  })

  test('an entry is added to a Secret of somebody else', async () => {
    const { world, requests } = still([secret('keys', { other: 'a' }), secret('jwt', { 'jwt.key': 'b' })])
    const facts = await observeKeys(asking, { world, pass: stillPass }, bytes)
    expect(requests).toEqual([])
    expect(keyObstacles(facts).map(({ because }) => because)).toEqual([
      'Entry slurm.key of Secret keys does not exist, but Controller prod needs it.',
    ])
  })

  test('two resources make the same key, and the second one fails or wins', async () => {
    const theirs = secret('keys', { 'slurm.key': 'theirs' })
    const faster = (request: string) => {
      if (request !== 'create Secret keys') return undefined
      world.put(theirs)
      return new KubeError({ reason: 'AlreadyExists', request, detail: 'it exists' })
    }
    const world = still([secret('jwt', { 'jwt.key': 'b' })], { refuse: faster })
    const facts = await observeKeys(asking, { world: world.world, pass: stillPass }, bytes)
    expect(keyObstacles(facts)).toEqual([])
    expect(world.find('Secret', 'keys')).toMatchObject({ data: theirs.data })
  })

  test('the old name of a field hides the new one', async () => {
    const spec = { ...refs, jwtHs256KeyRef: { name: 'former', key: 'k' } }
    const { world } = still([secret('keys', { 'slurm.key': 'a' }), secret('jwt', { 'jwt.key': 'b' })])
    const { jwt } = await observeKeys(holder({}, spec), { world, pass: stillPass })
    expect(jwt.ref.name).toBe('jwt')
  })
})
