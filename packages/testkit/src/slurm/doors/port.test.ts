import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { Endpoint, givenTokenSource, httpTransport, Secret, slurmClient, systemClock } from '@slurm-operator/slurm'
import { afterEach, describe, expect, test } from 'vitest'
import { createSimulatedSlurm, type SimulatedSlurm, type SimulatedSlurmOptions } from '../simulated-slurm.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function openDoor(options: Partial<SimulatedSlurmOptions> = {}) {
  const slurm = createSimulatedSlurm({ clock: systemClock, workers: 2, latencyMs: 1, ...options })
  const door = await slurm.listen()
  closers.push(door.close)
  return { slurm, door }
}

function clientOf(slurm: SimulatedSlurm, url: string) {
  const tokens = givenTokenSource({ read: () => new Secret(slurm.token()), clock: systemClock })
  const endpoint = new Endpoint({ url, transport: httpTransport({ url }), tokens, clock: systemClock })
  closers.push(() => endpoint.close())
  return slurmClient(endpoint)
}

/** All bytes that come back for a request written by hand. */
async function rawAnswer(url: string, ...lines: readonly string[]): Promise<string> {
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
  socket.write([...lines, 'Host: x', '', ''].join('\r\n'))
  await once(socket, 'close', { signal: AbortSignal.timeout(5000) })
  return received
}

describe('a simulated slurmrestd at a port prevents that', () => {
  test('our own client cannot use it', async () => {
    const { slurm, door } = await openDoor()
    const client = clientOf(slurm, door.url)
    expect(await client.listNodes()).toMatchObject({ kind: 'listed', records: { length: 2 } })
    await client.updateNode('worker-1', { state: 'DRAIN', reason: 'x/y' })
    expect(await client.findNode('worker-1')).toMatchObject({ reason: 'x/y' })
    const since = Math.floor(Date.now() / 1000) + 2
    expect(await client.listNodes({ changedSince: since })).toEqual({ kind: 'unchanged' })
    await expect(client.updateNode('nope', { comment: '' })).rejects.toMatchObject({ failure: 'not-found' })
  })

  test.for([
    ['26.05', 2],
    ['24.11', 1],
  ] as const)('texts of %s come another number of times', async ([release, times]) => {
    const { door } = await openDoor({ release })
    const received = await rawAnswer(door.url, 'GET /slurm/v0.0.42/nodes/ HTTP/1.1', 'Connection: close')
    expect(received.match(/HTTP\/1\.1 401/g)).toHaveLength(times)
  })

  test('a connection that is asked to close ends cleanly', async () => {
    const { slurm, door } = await openDoor()
    const token = `X-SLURM-USER-TOKEN: ${slurm.token()}`
    const received = await rawAnswer(door.url, 'GET /slurm/v0.0.45/ping/ HTTP/1.1', token, 'Connection: close')
    expect(received).toMatch(/\}Connection: Close\r\n\r\n$/)
  })

  test('a cut answer looks complete', async () => {
    const { slurm, door } = await openDoor()
    const client = clientOf(slurm, door.url)
    await client.ping()
    slurm.misbehave({ kind: 'cut', times: 1 })
    await expect(client.listNodes()).rejects.toMatchObject({ failure: 'unavailable' })
  })

  test('it is still there when it is dead, or comes back somewhere else', async () => {
    const { slurm, door } = await openDoor()
    const client = clientOf(slurm, door.url)
    await client.ping()
    slurm.endRestd()
    await door.settled()
    await expect(client.listNodes()).rejects.toMatchObject({ failure: 'unavailable', neverSent: true })
    slurm.startRestd()
    await door.settled()
    expect(await client.listNodes()).toMatchObject({ kind: 'listed' })
  })
})
