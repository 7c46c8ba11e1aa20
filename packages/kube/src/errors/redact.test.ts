import { describe, expect, test } from 'vitest'
import { KubeError } from './kube-error.ts'
import { redact } from './redact.ts'

const secrets = [
  ['a JSON web token', 'token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl is bad', 'eyJ'],
  ['a bearer header', 'Authorization: Bearer abc.def-123', 'abc'],
  ['a basic header', 'authorization: basic dXNlcjpwdw==', 'dXNlcjpwdw'],
  ['a password in a URL', 'connect to http://me:pw@proxy:3128 failed', 'pw@'],
  ['a key', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQ\n-----END EC PRIVATE KEY-----', 'MHcCAQ'],
  ['half a key', '-----BEGIN PRIVATE KEY-----\nMHcCAQ', 'MHcCAQ'],
  ['a token in JSON', '{"token":"abc123","a":1}', 'abc123'],
  ['a token in YAML', 'token: abc123', 'abc123'],
] as const

describe('no error shows', () => {
  for (const [name, text, secret] of secrets) {
    test(name, () => {
      expect(redact(text)).not.toContain(secret)
      expect(new KubeError({ reason: 'Unknown', request: 'ask', detail: text }).message).not.toContain(secret)
    })
  }
})

test('an ordinary message stays as it is', () => {
  const text = 'pods "worker-0" is forbidden: User "system:serviceaccount:a:b" cannot get resource "pods"'
  expect(redact(text)).toBe(text)
})
