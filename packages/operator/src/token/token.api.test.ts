import { tokenResource, type Token } from '@slurm-operator/api'
import { secretResource, type Secret } from '@slurm-operator/kube'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createComponentLoop } from '../programs/create-loop.ts'
import { startBed, type Bed } from '../testing/bed.ts'
import { COLLECTED_WITHIN_MS, createNamespace, eventually } from '../testing/gen.ts'
import { tokenRoom } from './room.ts'
import { tokenSources } from './watch.ts'

let bed: Bed
let count = 0

beforeAll(async () => {
  bed = await startBed({ controllers: ['garbage-collector-controller'] })
  await bed.run((world) => [createComponentLoop(world, tokenRoom, tokenSources(world))])
})
afterAll(async () => {
  await bed?.[Symbol.asyncDispose]()
})

const secrets = () => bed.client.resource(secretResource)
const tokens = () => bed.client.resource(tokenResource)
const keySecret = (namespace: string, key: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'jwt', namespace },
  stringData: { key },
})
const token = (namespace: string, spec: Partial<Token['spec']> = {}): Token => ({
  apiVersion: 'slinky.slurm.net/v1beta1',
  kind: 'Token',
  metadata: { name: 't', namespace },
  spec: { username: 'alice', jwtKeyRef: { name: 'jwt', key: 'key' }, ...spec },
})
const prepare = async (spec?: Partial<Token['spec']>) => {
  const namespace = await createNamespace(bed.client, `token-${++count}`)
  await secrets().create(keySecret(namespace, 'first key'))
  await tokens().create(token(namespace, spec))
  return namespace
}
const readToken = async (namespace: string, name = 't-jwt-alice') => {
  const secret = await secrets().find({ namespace, name })
  const text = secret?.data?.['SLURM_JWT']
  return text === undefined ? undefined : Buffer.from(text, 'base64').toString()
}
const claimsOf = (text: string) =>
  JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
const anotherToken = (namespace: string, before: string) =>
  eventually('another token', async () => {
    const now = await readToken(namespace)
    return now !== undefined && now !== before ? now : undefined
  })
const ready = async (namespace: string) => {
  const { status } = await tokens().get({ namespace, name: 't' })
  return status?.conditions?.find(({ type }) => type === 'Ready')
}
const firstToken = (namespace: string) => eventually('a token', () => readToken(namespace))

describe('Tokens on a real API server prevent that', () => {
  test('a token is for somebody else, or nobody learns when it is renewed', async () => {
    const namespace = await prepare({ lifetime: '1h' })
    const claims = claimsOf(await firstToken(namespace))
    expect(claims).toMatchObject({ sun: 'alice', iss: 'slurm-operator' })
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(3600)
    await eventually('Ready', async () => (await ready(namespace))?.status === 'True' || undefined)
    const { status } = await tokens().get({ namespace, name: 't' })
    expect(Date.parse(status?.nextRenewalTime ?? '') - Date.parse(status?.issuedAt ?? '')).toBe(2880_000)
  })

  test('a new signing key leaves a token that nobody accepts', async () => {
    const namespace = await prepare()
    const before = await firstToken(namespace)
    await secrets().apply(keySecret(namespace, 'second key'), { fieldManager: 'test', force: true })
    await anotherToken(namespace, before)
  })

  test('another user or lifetime has no effect, also on a Secret that cannot be changed', async () => {
    const namespace = await prepare({ refresh: false })
    const before = await firstToken(namespace)
    expect((await secrets().get({ namespace, name: 't-jwt-alice' })).immutable).toBe(true)
    const body = { spec: { lifetime: '2h' } }
    await tokens().patch({ namespace, name: 't' }, { type: 'merge', body })
    const after = claimsOf(await anotherToken(namespace, before))
    expect(Number(after['exp']) - Number(after['iat'])).toBe(7200)
  })

  test('a Secret with another name leaves the old credential behind', async () => {
    const namespace = await prepare()
    await firstToken(namespace)
    const body = { spec: { secretRef: { name: 'elsewhere', key: 'SLURM_JWT' } } }
    await tokens().patch({ namespace, name: 't' }, { type: 'merge', body })
    await eventually('the new Secret', () => readToken(namespace, 'elsewhere'))
    await eventually('the old one to go', async () => ((await readToken(namespace)) === undefined ? true : undefined))
  })

  test('a Secret of somebody else is overwritten', async () => {
    const namespace = await createNamespace(bed.client, `token-${++count}`)
    const theirs = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 't-jwt-alice', namespace },
      stringData: { a: 'b' },
    } as const
    await secrets().create(theirs)
    await secrets().create(keySecret(namespace, 'key'))
    await tokens().create(token(namespace))
    const line = await eventually('a word about it', async () => {
      const found = await ready(namespace)
      return found?.reason === 'ObjectNotOurs' ? found : undefined
    })
    expect(line.message).toMatch(/t-jwt-alice/)
    expect((await secrets().get({ namespace, name: 't-jwt-alice' })).data).toEqual({ a: 'Yg==' })
  })

  test('a missing key is a mystery, or its arrival goes unnoticed', async () => {
    const namespace = await createNamespace(bed.client, `token-${++count}`)
    await tokens().create(token(namespace))
    const line = await eventually('a word about it', async () => {
      const found = await ready(namespace)
      return found?.reason === 'WaitingForReference' ? found : undefined
    })
    expect(line.message).toMatch(/Secret jwt.*entry key/)
    await secrets().create(keySecret(namespace, 'key'))
    await firstToken(namespace)
  })

  test('a deleted Token leaves a valid credential behind', async () => {
    const namespace = await prepare()
    await firstToken(namespace)
    await tokens().delete({ namespace, name: 't' })
    const isGone = async () => ((await readToken(namespace)) === undefined ? true : undefined)
    await eventually('the Secret to go', isGone, COLLECTED_WITHIN_MS)
  })

  test('a token that another operator left stays when its Token goes', async () => {
    const namespace = await prepare()
    const before = await firstToken(namespace)
    const key = await secrets().get({ namespace, name: 'jwt' })
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Secret', name: 'jwt', uid: key.metadata.uid, controller: true }]
    await secrets().patch(
      { namespace, name: 't-jwt-alice' },
      { type: 'merge', body: { metadata: { ownerReferences } } },
    )
    await eventually('our ownership', async () => {
      const { metadata } = await secrets().get({ namespace, name: 't-jwt-alice' })
      return metadata.ownerReferences?.some(({ kind }) => kind === 'Token') || undefined
    })
    expect(await readToken(namespace)).toBe(before)
  })
})
