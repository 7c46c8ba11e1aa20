import { expect, test } from 'vitest'
import { findFreePorts, onFreePorts } from './ports.ts'

test('two programs of one run get the same port', async () => {
  const ports = await findFreePorts(20)
  expect(new Set(ports).size).toBe(20)
})

test('the port of a server that starts again was given to an outgoing connection meanwhile', async () => {
  const lowestOutgoing = 32_768 // unless somebody set net.ipv4.ip_local_port_range
  expect(Math.max(...(await findFreePorts(50)))).toBeLessThan(lowestOutgoing)
})

test('a port that was snatched away ends the whole run', async () => {
  const tried: number[] = []
  const started = await onFreePorts(1, async ([port = 0]) => {
    if (tried.push(port) < 3) throw new Error('listen tcp: bind: address already in use')
    return port
  })
  expect(started).toBe(tried[2])
})

test('a program that fails for another reason, or always, is started without end', async () => {
  let tries = 0
  const failing = (text: string) => onFreePorts(1, () => (tries++, Promise.reject(new Error(text))))
  await expect(failing('bad flag')).rejects.toThrow('bad flag')
  expect(tries).toBe(1)
  await expect(failing('EADDRINUSE')).rejects.toThrow('EADDRINUSE')
  expect(tries).toBe(4)
})
