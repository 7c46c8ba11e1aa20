import { createPublicKey, createSign, createVerify, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { goodNow, handshake, hasOpenssl, openssl } from './gen.ts'
import { createAuthority, issueCertificate } from './issue-certificate.ts'
import { createSigningKey } from './key-pair.ts'
import { factsOf, isSignedBy } from './read-certificate.ts'

const names = ['hook.ns.svc', '*.hook.ns.svc', '127.0.0.1', '::1', 'fd00:0:0:1::a', '::ffff:1.2.3.4']
const server = { commonName: 'hook', servesAs: names, uses: 'server' } as const

describe('openssl agrees with what we write', () => {
  beforeEach(({ skip }) => skip(!hasOpenssl(), 'openssl is not on this machine'))

  test('a chain of ours does not verify', async () => {
    const authority = await createAuthority('one authority', goodNow())
    const { certificate } = await issueCertificate(authority, server, goodNow())
    const files = { 'ca.pem': authority.certificate, 'leaf.pem': certificate }
    const verify = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'ca.pem']
    expect(openssl(files, ...verify, '-verify_hostname', 'hook.ns.svc', 'leaf.pem')).toBe('leaf.pem: OK\n')
    expect(openssl(files, ...verify, '-verify_ip', 'fd00::1:0:0:0:a', 'leaf.pem')).toBe('leaf.pem: OK\n')
    expect(() => openssl(files, ...verify, '-verify_hostname', 'other.ns.svc', 'leaf.pem')).toThrow(/mismatch/)
    expect(() => openssl(files, 'verify', '-purpose', 'sslclient', '-CAfile', 'ca.pem', 'leaf.pem')).toThrow(/purpose/)
  })

  test('names, addresses or usages are written where nobody finds them', async () => {
    const authority = await createAuthority('one authority', goodNow())
    const { certificate } = await issueCertificate(authority, server, goodNow())
    const text = openssl({ 'leaf.pem': certificate }, 'x509', '-in', 'leaf.pem', '-noout', '-text')
    expect(text).toContain('DNS:hook.ns.svc, DNS:*.hook.ns.svc, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
    expect(text).toContain('IP Address:FD00:0:0:1:0:0:0:A, IP Address:0:0:0:0:0:FFFF:102:304')
    expect(text).toContain('TLS Web Server Authentication')
    expect(text).not.toContain('TLS Web Client Authentication')
    expect(text).toMatch(/CA:FALSE/)
    expect(text).toMatch(/Version: 3/)
  })

  test('two authorities of the same name are confused with each other', async () => {
    const [one, other] = await Promise.all([createAuthority('same', goodNow()), createAuthority('same', goodNow())])
    const { certificate } = await issueCertificate(other, server, goodNow())
    const files = { 'ca.pem': one.certificate + other.certificate, 'leaf.pem': certificate }
    expect(openssl(files, 'verify', '-CAfile', 'ca.pem', 'leaf.pem')).toBe('leaf.pem: OK\n')
  })

  test('an authority that only calls itself like another, down to the identifier of its key, has signed for it', async () => {
    const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=same -keyout - -addext'
    const make = () => {
      const made = openssl({}, ...words.split(' '), 'subjectKeyIdentifier=AA:BB')
      const start = made.indexOf('-----BEGIN CERT')
      return { key: made.slice(0, start), certificate: made.slice(start) }
    }
    const [one, forged] = [make(), make()]
    const leaf = new X509Certificate((await issueCertificate(one, server, goodNow())).certificate)
    expect(leaf.checkIssued(new X509Certificate(forged.certificate)), 'the forgery is a good one').toBe(true)
    expect(isSignedBy(leaf, new X509Certificate(one.certificate))).toBe(true)
    expect(isSignedBy(leaf, new X509Certificate(forged.certificate))).toBe(false)
  })

  test('an authority whose key identifier was made by another rule signs what nobody accepts', async () => {
    const made = openssl(
      {},
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj'.split(' '),
      '/O=Ä/OU=b/CN=c d',
      '-keyout',
      '-',
    )
    const foreign = {
      certificate: made.slice(made.indexOf('-----BEGIN CERT')),
      key: made.slice(0, made.indexOf('-----BEGIN CERT')),
    }
    const { certificate } = await issueCertificate(foreign, server, goodNow())
    const files = { 'ca.pem': foreign.certificate, 'leaf.pem': certificate }
    expect(openssl(files, 'verify', '-CAfile', 'ca.pem', 'leaf.pem')).toBe('leaf.pem: OK\n')
  })
})

test('a client that trusts one authority also trusts the server of another', async () => {
  const [one, other] = await Promise.all([createAuthority('one', goodNow()), createAuthority('other', goodNow())])
  const pair = await issueCertificate(one, { commonName: 's', servesAs: ['localhost', '127.0.0.1'] }, goodNow())
  await using listening = createServer({ cert: pair.certificate, key: pair.key })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  expect(await handshake(port, other.certificate + one.certificate)).toMatch(/^([0-9A-F]{2}:){31}/)
  await expect(handshake(port, other.certificate)).rejects.toThrow(/unable to verify|unable to get/)
  await expect(handshake(port, one.certificate, 'elsewhere')).rejects.toThrow(/does not match/)
})

test('a certificate says something else than what was asked for', async () => {
  const validity = { fromMs: Date.UTC(2049, 11, 31, 23, 59, 59), untilMs: Date.UTC(2050, 0, 1) } // both forms of time
  const authority = await createAuthority('one', validity)
  const pair = await issueCertificate(authority, { commonName: 'alice', organizations: ['a', 'b'] }, validity)
  const certificate = new X509Certificate(pair.certificate)
  expect(certificate.subject).toBe('O=a\nO=b\nCN=alice')
  expect(factsOf(certificate)).toMatchObject({ ...validity, isAuthority: false, names: [] })
  expect(factsOf(new X509Certificate(authority.certificate))).toMatchObject({ ...validity, isAuthority: true })
  expect(isSignedBy(certificate, new X509Certificate(authority.certificate))).toBe(true)
  const namesake = await createAuthority('one', validity)
  expect(isSignedBy(certificate, new X509Certificate(namesake.certificate))).toBe(false)
})

test('names are read in another form than they are asked for', async () => {
  const pair = await issueCertificate(await createAuthority('one', goodNow()), server, goodNow())
  const facts = factsOf(new X509Certificate(pair.certificate))
  expect(facts.names).toEqual(['hook.ns.svc', '*.hook.ns.svc', '127.0.0.1', '::1', 'fd00:0:0:1::a', '::ffff:102:304'])
})

const badNames = ['', 'a b', 'naïve.example', 'x\0.example', 'a,DNS:b', 'fe80::1%eth0', '-x', 'http://x']

test.each(badNames)('a name that is none gets into a certificate: %j', async (name) => {
  const authority = await createAuthority('one', goodNow())
  await expect(issueCertificate(authority, { commonName: 'x', servesAs: [name] }, goodNow())).rejects.toThrow(
    /^Cannot /,
  )
})

test('an authority with a key we cannot sign with fails deep inside', async () => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const { certificate } = await createAuthority('one', goodNow())
  const broken = { certificate, key: key.toString() }
  await expect(issueCertificate(broken, server, goodNow())).rejects.toThrow('it is of type rsa')
})

test('a certificate with the name of its authority is issued, and nobody accepts it', async () => {
  const authority = await createAuthority('same', goodNow())
  await expect(issueCertificate(authority, { commonName: 'same' }, goodNow())).rejects.toThrow('Choose another name')
})

test('a signing key does not fit its public half', async () => {
  const { privateKey, publicKey } = await createSigningKey()
  const signature = createSign('sha256').update('text').sign(privateKey)
  expect(createVerify('sha256').update('text').verify(createPublicKey(publicKey), signature)).toBe(true)
})
