import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTcpServer, connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { HiddenText } from '../config/hidden-text.ts'
import { failureOf } from '../client/gen.ts'
import { answer, certificateFor, cut, hang, httpRequest, settingsFor, startRudeServer, stream } from './gen.ts'
import type { HttpAnswer } from './http.ts'
import { createNodeTransport } from './node-transport.ts'

const folder = mkdtempSync(join(tmpdir(), 'kube-transport-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function textOf({ body }: HttpAnswer): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

test('many calls in a row open one connection', async () => {
  await using server = await startRudeServer()
  const transport = createNodeTransport(server.settings)
  for (let call = 0; call < 50; call++) await textOf(await transport.send(httpRequest()))
  expect(server.connections()).toBe(1)
  transport.close()
})

test('an open watch does not make calls wait, even with a single connection for calls', async () => {
  await using server = await startRudeServer()
  server.script(stream(['{}\n'], 'hang'), answer(200, 'two'))
  const transport = createNodeTransport(server.settings, { maxConnections: 1 })
  const watching = new AbortController()
  const opened = await transport.send(httpRequest({ use: 'watch', signal: watching.signal }))
  expect(await textOf(await transport.send(httpRequest()))).toBe('two')
  watching.abort()
  expect((await failureOf(textOf(opened))).reason).toBe('Aborted')
})

test('a request that hangs ends at its deadline and may have happened', async () => {
  await using server = await startRudeServer()
  server.script(hang)
  const error = await failureOf(
    createNodeTransport(server.settings).send(httpRequest({ method: 'POST', timeoutMs: 200 })),
  )
  expect(error).toMatchObject({ reason: 'Timeout', mayHaveHappened: true })
  expect(error.message).toBe('Cannot ask: no answer within 0.2 s (Timeout)')
})

test('an answer that begins and never ends is ended at the deadline as well', async () => {
  await using server = await startRudeServer()
  server.script(stream(['{'], 'hang'))
  const opened = await createNodeTransport(server.settings).send(httpRequest({ timeoutMs: 300 }))
  expect((await failureOf(textOf(opened))).reason).toBe('Timeout')
})

test('after silence the next call does not reuse a connection that may be dead', async () => {
  await using server = await startRudeServer()
  const transport = createNodeTransport(server.settings)
  await Promise.all([1, 2].map(async () => textOf(await transport.send(httpRequest()))))
  const before = server.connections()
  server.script(hang, answer(200))
  await failureOf(transport.send(httpRequest({ timeoutMs: 200 })))
  await textOf(await transport.send(httpRequest()))
  expect(server.connections()).toBe(before + 1)
})

test('a connection cut after sending may have happened; one cut before cannot', async () => {
  await using server = await startRudeServer()
  server.script(cut)
  const transport = createNodeTransport(server.settings)
  expect(await failureOf(transport.send(httpRequest({ method: 'POST', body: '{}' })))).toMatchObject({
    reason: 'Unreachable',
    mayHaveHappened: true,
  })
  server.refuse(1)
  expect(await failureOf(transport.send(httpRequest({ method: 'POST', body: '{}' })))).toMatchObject({
    reason: 'Unreachable',
    mayHaveHappened: false,
  })
})

test('a write on a connection that was used before may have happened when it is cut', async () => {
  await using server = await startRudeServer()
  const transport = createNodeTransport(server.settings)
  await textOf(await transport.send(httpRequest()))
  server.script(cut)
  const error = await failureOf(transport.send(httpRequest({ method: 'POST', body: '{}' })))
  expect([error.reason, error.mayHaveHappened, server.connections()]).toEqual(['Unreachable', true, 1])
})

test('nobody listening is a refusal before sending, and the error names no secret', async () => {
  const { port } = await startRudeServer().then(async (server) => {
    await server[Symbol.asyncDispose]()
    return server
  })
  const login = { kind: 'token', token: new HiddenText('sesame') } as const
  const error = await failureOf(createNodeTransport(settingsFor(port, { login })).send(httpRequest({ method: 'POST' })))
  expect(error).toMatchObject({ reason: 'Unreachable', mayHaveHappened: false })
  expect(JSON.stringify(error) + error.message + String(error.cause)).not.toContain('sesame')
})

test('a watch is not given up because its reader is slow', async () => {
  await using server = await startRudeServer()
  let more = (_text: string) => {}
  server.script((_request, response) => {
    more = (text) => response.write(text)
    more('a')
  })
  const opened = await createNodeTransport(server.settings).send(httpRequest({ use: 'watch', idleMs: 300 }))
  const pieces: string[] = []
  const reading = (async () => {
    for await (const piece of opened.body) {
      pieces.push(Buffer.from(piece).toString('utf8'))
      if (pieces.length < 3) more('b')
      await new Promise((resolve) => setTimeout(resolve, 500)) // longer than the silence that is believed
    }
  })()
  expect((await failureOf(reading)).message).toContain('nothing was heard')
  expect(pieces).toEqual(['a', 'b', 'b'])
})

test('leaving a watch early closes its connection', async () => {
  await using server = await startRudeServer()
  const closed = Promise.withResolvers<void>()
  server.script((request, response) => {
    request.socket.once('close', closed.resolve)
    response.write('a\n')
  })
  const opened = await createNodeTransport(server.settings).send(httpRequest({ use: 'watch', idleMs: 60_000 }))
  for await (const _ of opened.body) break
  await closed.promise
})

test('a write that waited for a connection goes out although its sender may no longer write', async () => {
  await using server = await startRudeServer()
  server.script(hang)
  const transport = createNodeTransport(server.settings, { maxConnections: 1 })
  const busy = failureOf(transport.send(httpRequest({ timeoutMs: 300 })))
  let isLeader = true
  const maySend = () => isLeader
  const waiting = failureOf(transport.send(httpRequest({ method: 'POST', timeoutMs: 5_000, maySend })))
  isLeader = false
  await busy // its connection is free now
  expect(await waiting).toMatchObject({ reason: 'Aborted', mayHaveHappened: false })
  expect(server.seen.filter(({ method }) => method === 'POST')).toEqual([])
})

test('a caller who has given up before the start sends nothing', async () => {
  await using server = await startRudeServer()
  const error = await failureOf(createNodeTransport(server.settings).send(httpRequest({ signal: AbortSignal.abort() })))
  expect(error.reason).toBe('Aborted')
  expect(server.seen).toEqual([])
})

test('a token that was replaced a moment ago is read again when the server refuses the old one', async () => {
  await using server = await startRudeServer()
  const path = join(folder, 'token')
  writeFileSync(path, 'old\n')
  const transport = createNodeTransport(settingsFor(server.port, { login: { kind: 'token-file', path } }))
  await textOf(await transport.send(httpRequest()))
  writeFileSync(path, 'new\n')
  server.script(answer(401), answer(200, 'welcome'))
  expect(await textOf(await transport.send(httpRequest({ method: 'POST', body: '{}' })))).toBe('welcome')
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer old', 'Bearer new'])
})

test('a refused token that did not change is not sent twice', async () => {
  await using server = await startRudeServer()
  server.script(answer(401))
  const login = { kind: 'token', token: new HiddenText('old') } as const
  const { status } = await createNodeTransport(settingsFor(server.port, { login })).send(httpRequest())
  expect([status, server.seen.length]).toEqual([401, 1])
})

test('a renewed client certificate is used without a restart', async () => {
  await using server = await startRudeServer()
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  const write = async (name: string) => {
    const pair = await certificateFor(name)
    writeFileSync(certificate, pair.certificate)
    writeFileSync(key, pair.key)
  }
  await write('first')
  const files = { certificate: { kind: 'file', path: certificate }, key: { kind: 'file', path: key } } as const
  const transport = createNodeTransport(settingsFor(server.port, { clientCertificate: files }))
  await textOf(await transport.send(httpRequest()))
  await write('second')
  server.script(answer(401), answer(200))
  await textOf(await transport.send(httpRequest()))
  expect(server.seen.map(({ client }) => client)).toEqual(['first', 'first', 'second'])
})

test('a server whose certificate has another name is believed only when that name was given', async () => {
  const { certificate, key } = await certificateFor('other', ['kube.test'])
  await using server = await startRudeServer({ cert: certificate, key })
  const send = (more: object) => createNodeTransport(settingsFor(server.port, more)).send(httpRequest())
  expect(await failureOf(send({}))).toMatchObject({ reason: 'Unreachable', mayHaveHappened: false })
  expect((await send({ serverName: 'kube.test' })).status).toBe(200)
  expect((await send({ skipTlsVerify: true })).status).toBe(200)
})

test('a server that an unknown authority vouches for gets no request', async () => {
  await using server = await startRudeServer()
  const { authority: _, ...untrusting } = settingsFor(server.port)
  expect(await failureOf(createNodeTransport(untrusting).send(httpRequest()))).toMatchObject({ mayHaveHappened: false })
  expect(server.seen).toEqual([])
})

test('a proxy tunnels the connection and sees nothing of it', async () => {
  await using server = await startRudeServer()
  const asked: string[] = []
  const proxy = createTcpServer((client) => {
    client.once('data', (head) => {
      asked.push(head.toString('latin1'))
      const there = connect(server.port, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
      client.pipe(there).pipe(client)
      there.on('error', () => client.destroy())
    })
    client.on('error', () => {})
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const proxyUrl = `http://user:word@127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const transport = createNodeTransport(settingsFor(server.port, { proxyUrl }))
  expect(await textOf(await transport.send(httpRequest()))).toBe('{}')
  expect(asked[0]).toMatch(new RegExp(`^CONNECT 127\\.0\\.0\\.1:${server.port} HTTP/1\\.1`))
  expect(asked[0]?.toLowerCase()).toContain('proxy-authorization: basic ')
  transport.close()
  await new Promise((resolve) => proxy.close(resolve))
})

test('a proxy that refuses is named as the obstacle, and nothing was sent', async () => {
  const proxy = createTcpServer((client) => {
    client.resume()
    client.on('error', () => {})
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const proxyUrl = `http://user:word@127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const error = await failureOf(createNodeTransport(settingsFor(1, { proxyUrl })).send(httpRequest({ method: 'POST' })))
  expect(error).toMatchObject({ reason: 'Unreachable', mayHaveHappened: false })
  expect(error.message).not.toContain('word')
  await new Promise((resolve) => proxy.close(resolve))
})

test('compressed answers are asked for only on demand, and unpacked', async () => {
  const { gzipSync } = await import('node:zlib')
  await using server = await startRudeServer()
  await textOf(await createNodeTransport(server.settings).send(httpRequest()))
  expect(server.seen[0]?.headers['accept-encoding']).toBe('identity')
  server.script((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(gzipSync('packed'))
  })
  expect(await textOf(await createNodeTransport(server.settings, { gzip: true }).send(httpRequest()))).toBe('packed')
})

test('a token with a line break is refused without being shown', async () => {
  const login = { kind: 'token', token: new HiddenText('two\nlines') } as const
  const error = await failureOf(createNodeTransport(settingsFor(1, { login })).send(httpRequest()))
  expect(error.reason).toBe('Misconfigured')
  expect(error.message).not.toContain('two')
})

test('the path of the server stays in front, and we say who we are', async () => {
  await using server = await startRudeServer()
  const settings = { ...server.settings, server: `${server.settings.server}/k8s/clusters/c-1/` }
  await textOf(await createNodeTransport(settings, { userAgent: 'tester/1' }).send(httpRequest({ path: '/api/v1' })))
  expect(server.seen[0]).toMatchObject({ path: '/k8s/clusters/c-1/api/v1', headers: { 'user-agent': 'tester/1' } })
})
