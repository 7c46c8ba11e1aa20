import { createServer as createListener } from 'node:net'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { systemClock } from '@slurm-operator/kube'
import { expect, test } from 'vitest'
import { certificateFiles } from '../certificates/given/watch-files.ts'
import { handshake } from '../certificates/gen.ts'
import { SetClock } from '../certificates/own/gen.ts'
import { sendAnswer, textAnswer } from './answer.ts'
import { anyPort, certificatesForTests, createTestClient, runServer } from './gen.ts'
import { createServer, type Handler } from './server.ts'

const hello: Handler = async (_request, response) => sendAnswer(response, textAnswer(200, 'hello'))
const name = 'test server'

test('a request that is being answered dies when the server stops', async () => {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const slow: Handler = async (request, response) => {
    entered.resolve()
    if (request.url === '/slow') await gate.promise
    sendAnswer(response, textAnswer(200, 'done'))
  }
  await using running = await runServer((onListening) =>
    createServer({ name, listen: anyPort, handle: slow, onListening }),
  )
  const client = createTestClient(running.port)
  const answer = client.send('/slow')
  await entered.promise
  running.stop()
  gate.resolve()
  expect(await answer).toMatchObject({ code: 200, text: 'done\n' })
  await running.ended // although the client would have kept its connection
  await expect(client.send('/again')).rejects.toThrow('ECONNREFUSED')
  client.close()
})

test('whoever has not heard yet that a server goes is refused', async () => {
  const over = Promise.withResolvers<() => void>()
  const clock = {
    ...systemClock,
    schedule: (_delayMs: number, action: () => void) => {
      over.resolve(action)
      return () => {}
    },
  }
  await using running = await runServer((onListening) =>
    createServer({ name, listen: anyPort, handle: hello, onListening, farewell: { clock, forMs: 5_000 } }),
  )
  running.stop()
  const end = await over.promise
  const client = createTestClient(running.port)
  expect(await client.send('/')).toMatchObject({ code: 200, headers: { connection: 'close' } })
  end()
  await running.ended
  await expect(client.send('/again')).rejects.toThrow('ECONNREFUSED')
  client.close()
})

test('a request that never ends keeps the program from ending', async () => {
  const entered = Promise.withResolvers<AbortSignal>()
  const never: Handler = (_request, _response, signal) => {
    entered.resolve(signal)
    return new Promise(() => {})
  }
  await using running = await runServer((onListening) =>
    createServer({ name, listen: anyPort, handle: never, onListening }),
  )
  const client = createTestClient(running.port)
  const answer = client.send('/')
  answer.catch(() => {}) // looked at below
  const signal = await entered.promise
  running.stop()
  expect(signal.aborted).toBe(false)
  running.abort()
  await running.ended
  await expect(answer).rejects.toThrow('hang up')
  expect(signal.aborted).toBe(true)
})

test('a handler that throws shows its stack, or takes the server with it', async () => {
  const failures: unknown[] = []
  const handle: Handler = () => Promise.reject(new Error('secret token abc'))
  await using running = await runServer((onListening) =>
    createServer({ name, listen: anyPort, handle, onListening, onFailure: (error) => failures.push(error) }),
  )
  const client = createTestClient(running.port)
  for (let i = 0; i < 3; i++) {
    const { code, text } = await client.send('/')
    expect({ code, text }).toEqual({ code: 500, text: 'The test server failed on this request. Its log says why.\n' })
  }
  expect(failures).toHaveLength(3)
  client.close()
})

test('a port that is taken ends in silence', async () => {
  await using other = createListener()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const server = createServer({ name, listen: { host: '127.0.0.1', port }, handle: hello })
  const never = new AbortController().signal
  const text = `Cannot start the test server on 127.0.0.1:${port}: EADDRINUSE. Free the address or choose another.`
  await expect(server.run({ stop: never, abort: never, ready: () => {} })).rejects.toThrow(text)
  expect(server.whyNotReady()).toBeDefined()
})

test('a server without a certificate says it is ready', async () => {
  const clock = new SetClock(0)
  const certificates = certificateFiles({ folder: '/nowhere/at/all', clock })
  const server = createServer({ name, listen: anyPort, handle: hello, certificates })
  const stopping = new AbortController()
  const ended = server.run({ stop: stopping.signal, abort: stopping.signal, ready: () => expect.fail('ready') })
  await expect.poll(() => clock.waiting.length).toBe(1)
  expect(server.whyNotReady()).toBe('the test server has no certificate yet')
  stopping.abort()
  await ended
})

test('a new certificate cuts open connections, or is not used for new ones', async () => {
  const { authority, source, issue, use } = await certificatesForTests()
  await using running = await runServer((onListening) =>
    createServer({ name, listen: anyPort, handle: hello, certificates: source, onListening }),
  )
  const open = createTestClient(running.port, authority)
  const { connection } = await open.send('/')
  const before = await handshake(running.port, authority)
  use(await issue())
  expect(await open.send('/')).toMatchObject({ code: 200, connection })
  expect(await handshake(running.port, authority)).not.toBe(before)
  open.close()
})

test('rubbish instead of a certificate takes the good one away', async () => {
  const { authority, source, use } = await certificatesForTests()
  const failures: unknown[] = []
  await using running = await runServer((onListening) =>
    createServer({
      name,
      listen: anyPort,
      handle: hello,
      certificates: source,
      onListening,
      onFailure: (error) => failures.push(error),
    }),
  )
  use({ certificate: 'rubbish', key: 'rubbish' })
  expect(failures.map(String)).toEqual(['Error: Cannot use a new certificate in the test server.'])
  const client = createTestClient(running.port, authority)
  expect(await client.send('/')).toMatchObject({ code: 200 })
  client.close()
})

test('old versions of TLS are spoken, also after a change of the certificate', async () => {
  const { authority, source, issue, use } = await certificatesForTests()
  await using running = await runServer((onListening) =>
    createServer({ name, listen: anyPort, handle: hello, certificates: source, onListening }),
  )
  const speak = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const weak = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const socket = connect({ host: '127.0.0.1', port: running.port, ca: authority, ...weak })
    socket.once('secureConnect', () => resolve(`${socket.getProtocol()} ${socket.alpnProtocol}`))
    socket.once('error', (error) => resolve(`refused: ${error.message}`))
    return promise.finally(() => socket.destroy())
  }
  for (let round = 0; round < 2; round++) {
    expect(await speak('TLSv1.1')).toMatch(/alert protocol version/)
    expect(await speak('TLSv1.2')).toBe('TLSv1.2 false')
    expect(await speak('TLSv1.3')).toBe('TLSv1.3 false')
    use(await issue())
  }
})
