import { describe, expect, test } from 'vitest'
import { parseOwnCertificates } from './webhook-certificates.ts'

const flags = (secret: string, service: string, ...configurations: string[]) => ({
  'cert-secret': secret,
  'cert-service': service,
  'webhook-configurations': configurations,
})

describe('reading the flags about certificates prevents that', () => {
  test('old manifests, which have files, get certificates of ours', () => {
    expect(parseOwnCertificates(flags('', ''))).toBeUndefined()
  })

  test('the API server does not find its name in the certificate', () => {
    expect(parseOwnCertificates(flags('ns/secret', 'hook.ns', 'both', 'validating/one', 'mutating/other'))).toEqual({
      secret: { namespace: 'ns', name: 'secret' },
      names: ['hook.ns.svc', 'hook.ns', 'hook'],
      validating: ['both', 'one'],
      mutating: ['both', 'other'],
    })
  })

  const mistakes: readonly (readonly [ReturnType<typeof flags>, string])[] = [
    [flags('ns/secret', 'hook.ns'), 'Give all three or none.'],
    [flags('', 'hook.ns', 'a'), 'Give all three or none.'],
    [flags('ns/secret', '', 'a'), 'Give all three or none.'],
    [flags('secret', 'hook.ns', 'a'), 'Cannot use --cert-secret=secret: it is not of the form namespace/name.'],
    [flags('ns/a/b', 'hook.ns', 'a'), 'Cannot use --cert-secret=ns/a/b'],
    [flags('ns/secret', 'hook', 'a'), 'Cannot use --cert-service=hook: it is not of the form service.namespace.'],
    [flags('ns/secret', 'hook.ns', 'x/a'), 'Cannot use --webhook-configurations=x/a'],
  ]
  for (const [given, because] of mistakes) {
    test(`a mistake is found only in the log of the API server: ${JSON.stringify(given)}`, () => {
      expect(() => parseOwnCertificates(given)).toThrow(because)
    })
  }
})
