import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, connect, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePorts } from '../machine/ports.ts'
import { untilTrue } from '../machine/until.ts'
import { projectFile } from '../programs/project-files.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { dial, forward, serveInside } from './dial.ts'
import { FRONT_IS_OPEN } from './protocol.ts'

// The relay works the same in any network; here it runs in ours.
const socketFile = join(tempFolder(), 's')
let relay: ChildProcess
let echo: Server
let echoPort = 0

beforeAll(async () => {
  relay = spawn(process.execPath, [projectFile('src/relay/inside.ts'), socketFile], { stdio: 'inherit' })
  echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  echoPort = (echo.address() as AddressInfo).port
  await untilTrue('the relay', () => existsSync(socketFile), { timeoutMs: 10_000 })
})
afterAll(() => {
  relay.kill()
  echo.close()
})

describe('the relay', () => {
  test('bytes are lost, or the end of one direction ends both', async () => {
    const sent = 'x'.repeat(1_000_000)
    const echoes = Array.from({ length: 10 }, async () => {
      const socket = await dial(socketFile, '127.0.0.1', echoPort)
      socket.end(sent)
      return (await text(socket)).length
    })
    expect(await Promise.all(echoes)).toEqual(Array.from({ length: 10 }, () => sent.length))
  })

  test('a refused connection looks like an open one', async () => {
    await expect(dial(socketFile, '127.0.0.1', 1)).rejects.toThrow(/Cannot connect to 127\.0\.0\.1:1: .*ECONNREFUSED/)
  })

  test('a client that wants a port has no way in', async () => {
    await using door = await forward(socketFile, '127.0.0.1', echoPort)
    const socket = connect({ port: door.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end('hello')
    expect(await text(socket)).toBe('hello')
  })

  const startFront = (port: number) =>
    spawn(process.execPath, [projectFile('src/relay/front.ts'), `${port}`, socketFile, '127.0.0.1', `${echoPort}`])

  test('a door says that it is open before it is, or leads elsewhere', async () => {
    const [port = 0] = await findFreePorts(1)
    const front = startFront(port)
    const [said] = (await once(front.stdout, 'data')) as [Buffer]
    expect(said.toString()).toBe(`${FRONT_IS_OPEN}\n`)
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end('hello')
    expect(await text(socket)).toBe('hello')
    front.kill()
  })

  test('a door whose port somebody else has taken says that it is open', async () => {
    const front = startFront(echoPort)
    const [said, complaint] = await Promise.all([text(front.stdout), text(front.stderr)])
    expect(said).toBe('')
    expect(complaint).toContain('EADDRINUSE') // so that the start is tried again with another port
  })

  test('the other side cannot call us, or still can after we have closed', async () => {
    const inside = await serveInside(socketFile, { host: '127.0.0.1', port: 0 }, echoPort)
    const socket = connect({ port: inside.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end('ping')
    expect(await text(socket)).toBe('ping')
    await inside.close()
    const isClosed = () =>
      new Promise<boolean>((resolve) =>
        connect(inside.port, '127.0.0.1', () => resolve(false)).once('error', () => resolve(true)),
      )
    await untilTrue('the port to be closed', isClosed, { timeoutMs: 10_000 })
  })

  test('a stranger who speaks nonsense takes the relay down', async () => {
    const stranger = connect(socketFile)
    stranger.end('GET / HTTP/1.1\r\n\r\n')
    expect(await text(stranger)).toContain('"ok":false')
    const socket = await dial(socketFile, '127.0.0.1', echoPort)
    socket.end('still here')
    expect(await text(socket)).toBe('still here')
  })
})
