import { createServer } from 'node:https'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { createClusterKeys, issue } from '@slurm-operator/local'
import { startFakeRestd, type Answering, type FakeRestd } from './gen.ts'
import { httpTransport } from './http-transport.ts'
import { TransportError, type Transport } from './transport.ts'

const never = new AbortController().signal
const good: Answering = () => ({ status: 200, body: { fine: true } })
const closers: (() => PromiseLike<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function world(answering: Answering): Promise<{ fake: FakeRestd; transport: Transport }> {
  const fake = await startFakeRestd(answering)
  const transport = httpTransport({ url: fake.url })
  closers.push(
    () => transport.close(),
    () => fake[Symbol.asyncDispose](),
  )
  return { fake, transport }
}

async function ask(transport: Transport, path = '/x', method: 'GET' | 'POST' = 'GET'): Promise<string> {
  const { status, body } = await transport.send({ method, path, headers: {} }, never)
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return `${status} ${Buffer.concat(pieces).toString()}`
}

describe('the HTTP transport prevents that', () => {
  test.for(['doubled', 'stray-bytes', 'no-length'] as const)(
    'an answer sent %s breaks it or the next one',
    async (manner) => {
      const { fake, transport } = await world(good)
      fake.answering = () => ({ status: 404, body: 'nothing here', manner })
      for (let round = 0; round < 5; round++) expect(await ask(transport)).toBe('404 nothing here')
      fake.answering = good
      for (let round = 0; round < 5; round++) expect(await ask(transport)).toBe('200 {"fine":true}')
    },
  )

  test('slurmrestd runs out of connections', async () => {
    const { fake, transport } = await world(good)
    await Promise.all(Array.from({ length: 100 }, () => ask(transport)))
    expect(fake.requests).toHaveLength(100)
    expect(fake.connections.most).toBeLessThanOrEqual(16)
  })

  test('each request opens a connection of its own', async () => {
    const { fake, transport } = await world(good)
    for (let round = 0; round < 10; round++) await ask(transport)
    expect(fake.connections.total).toBeLessThanOrEqual(2)
    expect(fake.requests.every(({ headers }) => headers['connection'] !== 'close')).toBe(true)
  })

  test('half an answer counts as a whole one', async () => {
    const { transport } = await world(() => ({ status: 200, body: { long: 'x'.repeat(1000) }, manner: 'cut' }))
    await expect(ask(transport)).rejects.toThrow('other side closed')
  })

  test('a kept connection that slurmrestd has closed fails the next question', async () => {
    const { fake, transport } = await world(good)
    await ask(transport)
    let resets = 1
    fake.answering = () => (resets-- > 0 ? { status: 200, manner: 'reset' } : { status: 200, body: 'again' })
    expect(await ask(transport)).toBe('200 again')
  })

  test('an order is given twice', async () => {
    const { fake, transport } = await world(() => ({ status: 200, manner: 'reset' }))
    await expect(ask(transport, '/job/submit', 'POST')).rejects.toBeInstanceOf(TransportError)
    expect(fake.requests).toHaveLength(1)
  })

  test('an order that nobody can have got counts as given', async () => {
    const { fake, transport } = await world(good)
    await fake[Symbol.asyncDispose]()
    closers.pop()
    const error = await ask(transport, '/x', 'POST').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'TransportError', neverSent: true })
  })

  test('a call goes on after its signal', async () => {
    const { transport } = await world(() => ({ status: 200, manner: 'hang' }))
    const controller = new AbortController()
    const sent = transport.send({ method: 'GET', path: '/x', headers: {} }, controller.signal)
    controller.abort(new Error('enough'))
    await expect(sent).rejects.toThrow('enough')
  })

  test('a path in front of slurmrestd is lost', async () => {
    const fake = await startFakeRestd(good)
    const transport = httpTransport({ url: `${fake.url}/behind/` })
    closers.push(
      () => transport.close(),
      () => fake[Symbol.asyncDispose](),
    )
    await ask(transport, '/slurm/v0.0.45/ping/')
    expect(fake.requests[0]?.path).toBe('/behind/slurm/v0.0.45/ping/')
  })
})

describe('TLS', () => {
  async function tlsServer(): Promise<{ url: string; ca: string }> {
    const keys = await createClusterKeys()
    const { certificate, key } = await issue(keys, { commonName: 'rest', servesAs: ['127.0.0.1'] })
    const server = createServer({ cert: certificate, key }, (_request, response) => response.end('safe'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(async () => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('Cannot listen')
    return { url: `https://127.0.0.1:${address.port}`, ca: keys.authority.certificate }
  }

  test('a CA of our own is trusted, and nobody else', async () => {
    const { url, ca } = await tlsServer()
    const trusting = httpTransport({ url, ca })
    const strict = httpTransport({ url })
    closers.unshift(
      () => trusting.close(),
      () => strict.close(),
    )
    expect(await ask(trusting)).toBe('200 safe')
    await expect(ask(strict)).rejects.toMatchObject({ name: 'TransportError', neverSent: true })
  })
})
