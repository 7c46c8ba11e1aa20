import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { goodNow, hasOpenssl, openssl } from '../gen.ts'
import { createAuthority, issueCertificate } from '../issue-certificate.ts'
import { entries } from './kept.ts'
import { readKept } from './read-kept.ts'

const server = { commonName: 'hook', servesAs: ['hook.ns.svc'] }

async function sound() {
  const authority = await createAuthority('one', goodNow())
  const serving = await issueCertificate(authority, server, goodNow())
  return {
    authority,
    texts: {
      [entries.certificate]: serving.certificate,
      [entries.key]: serving.key,
      [entries.trusted]: authority.certificate,
      [entries.signingKey]: authority.key,
    },
  }
}

test('a sound Secret is taken for broken', async () => {
  const kept = readKept((await sound()).texts)
  expect(kept.problems).toEqual([])
  expect(kept.serving?.signedBy).toBe(kept.signing?.fingerprint)
  expect(kept.next).toBeUndefined()
})

const other = await createAuthority('other', goodNow())
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const damages: readonly [string, Readonly<Record<string, string>>, string][] = [
  ['a key of another certificate', { [entries.key]: other.key }, 'tls.crt: the private key does not belong'],
  ['no key at all', { [entries.key]: 'x' }, 'tls.crt: the private key cannot be read'],
  ['no certificate', { [entries.certificate]: 'x' }, 'tls.crt: the certificate cannot be read'],
  ['a key of no authority', { [entries.signingKey]: other.key }, 'ca.key: no trusted authority has this key'],
  ['a key of another kind', { [entries.signingKey]: rsa }, 'ca.key: no trusted authority has this key'],
  ['an unreadable key', { [entries.nextKey]: 'x' }, 'ca-next.key: the key cannot be read'],
]

test.each(damages)('%s is believed', async (_name, damage, problem) => {
  const { problems } = readKept({ ...(await sound()).texts, ...damage })
  expect(problems).toEqual([expect.stringContaining(problem)])
})

test('a certificate that nobody trusted signed counts as signed', async () => {
  const { texts } = await sound()
  expect(readKept({ ...texts, [entries.trusted]: other.certificate }).serving?.signedBy).toBeUndefined()
})

test('an authority with an RSA key is asked to sign', ({ skip }) => {
  skip(!hasOpenssl(), 'openssl is not on this machine')
  const made = openssl({}, 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=rsa', '-keyout', '-')
  const start = made.indexOf('-----BEGIN CERT')
  const kept = readKept({ [entries.trusted]: made.slice(start), [entries.signingKey]: made.slice(0, start) })
  expect(kept.signing).toBeUndefined()
  expect(kept.problems).toEqual(['ca.key: the key is not on the P-256 curve'])
})

test('links between certificate and authority are not followed, or are lost', ({ skip }) => {
  skip(!hasOpenssl(), 'openssl is not on this machine')
  const files = chainOf()
  const texts = {
    [entries.certificate]: files.leaf + files.link,
    [entries.key]: files.key,
    [entries.trusted]: files.root,
  }
  const { serving, trusted, problems } = readKept(texts)
  expect(problems).toEqual([])
  expect(serving?.signedBy).toBe(trusted[0]?.fingerprint)
  expect(serving?.certificate).toBe(files.leaf + files.link)
  expect(readKept({ ...texts, [entries.certificate]: files.leaf }).serving?.signedBy).toBeUndefined()
})

/** Root, link and leaf, as a company's authority would make them. */
function chainOf() {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const split = (made: string) => ({
    key: made.slice(0, made.indexOf('-----BEGIN CERT')),
    certificate: made.slice(made.indexOf('-----BEGIN CERT')),
  })
  const root = split(openssl({}, ...request, '-subj', '/CN=root', '-keyout', '-'))
  const under = (name: string, signer: { readonly key: string; readonly certificate: string }, isAuthority: boolean) =>
    split(
      openssl(
        { 'ca.key': signer.key, 'ca.crt': signer.certificate },
        ...[...request, '-subj', `/CN=${name}`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-keyout', '-'],
        ...['-addext', `basicConstraints=critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}`],
      ),
    )
  const link = under('link', root, true)
  const leaf = under('leaf', link, false)
  return { root: root.certificate, link: link.certificate, leaf: leaf.certificate, key: leaf.key }
}
