import fc from 'fast-check'
import { X509Certificate } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { expect, test } from 'vitest'
import { goodNow } from './gen.ts'
import { createAuthority, issueCertificate } from './issue-certificate.ts'
import { factsOf, findCertificate, findPrivateKey, splitCertificates, whyNoPair } from './read-certificate.ts'
import { canonicalName } from './served-name.ts'

test('a bundle with words, carriage returns and rubbish between its certificates loses one of them', async () => {
  const { certificate: one } = await createAuthority('one', goodNow())
  const { certificate: other } = await createAuthority('other', goodNow())
  const text = `subject: one\n${one.replaceAll('\n', '\r\n')}\n# other\n-----BEGIN X-----\n${other}`
  expect(splitCertificates(text)).toEqual([one, other])
})

test('a key that belongs elsewhere is served with a certificate', async () => {
  const one = await createAuthority('one', goodNow())
  const other = await createAuthority('other', goodNow())
  expect(whyNoPair(one.certificate, one.key)).toBeUndefined()
  expect(whyNoPair(one.certificate, other.key)).toBe('the private key does not belong to the certificate')
  expect(whyNoPair(one.certificate, 'nonsense')).toBe('the private key cannot be read')
  expect(whyNoPair('nonsense', one.key)).toBe('the certificate cannot be read')
})

test('no text at all makes reading throw', () => {
  const blocks = fc.base64String().map((text) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`)
  fc.assert(
    fc.property(fc.oneof(fc.string(), blocks), (text) => {
      for (const block of [text, ...splitCertificates(text)]) expect(findCertificate(block)).toBeUndefined()
      expect(findPrivateKey(text)).toBeUndefined()
    }),
  )
})

test('an address is not found again in the certificate that was issued for it', async () => {
  const authority = await createAuthority('one', goodNow())
  const anyName = fc.oneof(fc.ipV6(), fc.ipV4(), fc.domain())
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(anyName, { minLength: 1, maxLength: 5, selector: canonicalName }),
      async (names) => {
        const pair = await issueCertificate(authority, { commonName: 'x', servesAs: names }, goodNow())
        const certificate = new X509Certificate(pair.certificate)
        expect(factsOf(certificate).names).toEqual(names.map(canonicalName))
        for (const name of names.filter(isIPv6)) expect(certificate.checkIP(name)).toBeDefined()
      },
    ),
    { numRuns: 60 },
  )
})
