import { expect, test } from 'vitest'
import { planBundlePatch } from './bundle-patch.ts'
import { MemoryBundles } from './gen.ts'
import { tellAuthorities } from './tell-authorities.ts'

const signal = new AbortController().signal
const base64 = (text: string) => Buffer.from(text).toString('base64')
const target = (...webhooks: readonly { readonly name: string; readonly caBundle?: string }[]) =>
  ({ kind: 'ValidatingWebhookConfiguration', name: 'ours', webhooks }) as const

test('a configuration that is right is patched, or one that is wrong in one place is patched everywhere', () => {
  expect(planBundlePatch(target({ name: 'a', caBundle: base64('X') }), 'X')).toBeUndefined()
  expect(planBundlePatch(target(), 'X')).toBeUndefined()
  expect(
    planBundlePatch(target({ name: 'a', caBundle: base64('X') }, { name: 'b', caBundle: base64('Y') }), 'X'),
  ).toEqual([
    { op: 'test', path: '/webhooks/1/name', value: 'b' },
    { op: 'add', path: '/webhooks/1/clientConfig/caBundle', value: base64('X') },
  ])
})

test('webhooks that changed places between reading and writing get each other’s authorities', async () => {
  const bundles = new MemoryBundles(1)
  bundles.install('ours', 'a', 'b')
  const stale = {
    expected: 1,
    patch: bundles.patch,
    read: async () => [target({ name: 'b' }, { name: 'a' })],
  }
  expect(await tellAuthorities(stale, 'X', signal)).toBe('again')
  expect(bundles.trusted()).toEqual([undefined, undefined])
  expect(await tellAuthorities(bundles, 'X', signal)).toBe('all')
  expect(bundles.trusted()).toEqual(['X', 'X'])
})

test('one configuration that cannot be written keeps the others from being written', async () => {
  const bundles = new MemoryBundles(2)
  bundles.install('first', 'a')
  bundles.install('second', 'b')
  const patch: MemoryBundles['patch'] = (one, operations) =>
    one.name === 'first' ? Promise.reject(new Error('forbidden')) : bundles.patch(one, operations)
  const half = { expected: 2, read: bundles.read, patch }
  await expect(tellAuthorities(half, 'X', signal)).rejects.toThrow('Cannot tell the API server whom to trust')
  expect(bundles.trusted()).toEqual([undefined, 'X'])
})
