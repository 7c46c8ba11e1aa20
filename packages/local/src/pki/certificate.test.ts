import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { run } from '../machine/run.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { createAuthority, issueCertificate } from './certificate.ts'

const authority = createAuthority('test-ca')
const server = issueCertificate(authority, 'test-ca', {
  commonName: 'server',
  servesAs: ['localhost', 'a.b.svc', '127.0.0.1'],
})
const client = issueCertificate(authority, 'test-ca', {
  commonName: 'system:node:n1',
  organizations: ['system:nodes', 'more'],
})
const folder = tempFolder()

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('certificates', () => {
  test('openssl refuses one of them', async () => {
    const ca = file('ca.crt', authority.certificate)
    for (const [name, { certificate }] of Object.entries({ server, client })) {
      const { stdout } = await run(
        ['openssl', 'verify', '-x509_strict', '-CAfile', ca, file(`${name}.crt`, certificate)],
        { timeoutMs: 10_000 },
      )
      expect(stdout).toContain('OK')
    }
  })

  test('the names of a server or the groups of a user are lost', () => {
    expect(new X509Certificate(server.certificate).subjectAltName).toBe(
      'DNS:localhost, DNS:a.b.svc, IP Address:127.0.0.1',
    )
    expect(new X509Certificate(client.certificate).subject.split('\n')).toEqual([
      'O=system:nodes',
      'O=more',
      'CN=system:node:n1',
    ])
  })

  test('a client certificate serves as a server', () => {
    expect(new X509Certificate(client.certificate).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(new X509Certificate(server.certificate).keyUsage).toContain('1.3.6.1.5.5.7.3.1')
  })

  test('a handshake with both sides checked fails', async () => {
    const accepted: (string | undefined)[] = []
    const options = { cert: server.certificate, key: server.key, ca: authority.certificate, requestCert: true }
    const listener = createServer(options, (socket) => {
      accepted.push(socket.getPeerCertificate().subject.CN as string)
      socket.end('welcome')
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const socket = connect({
      host: '127.0.0.1',
      port,
      ca: authority.certificate,
      cert: client.certificate,
      key: client.key,
      servername: 'localhost',
    })
    const [greeting] = (await once(socket, 'data')) as [Buffer]
    listener.close()
    expect([greeting.toString(), socket.authorized, accepted]).toEqual(['welcome', true, ['system:node:n1']])
  })

  test('times after 2049 are written in the short form, which means 1950', () => {
    const late = createAuthority('late', new Date('2055-01-01T00:00:00Z'))
    expect(new X509Certificate(late.certificate).validFrom).toContain('2054')
    expect(new X509Certificate(late.certificate).validTo).toContain('2064')
  })
})
