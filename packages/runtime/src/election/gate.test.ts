import type { HttpRequest, Method, Send } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { createVirtualClock } from '@slurm-operator/testkit'
import { guardWrites, LeaseGate, openGate } from './gate.ts'

const request = (method: Method): HttpRequest => ({
  method,
  path: '/api/v1/namespaces/a/pods/b',
  headers: {},
  purpose: `${method} pods a/b`,
  use: 'call',
  timeoutMs: 1000,
})

function start() {
  const clock = createVirtualClock()
  const gate = new LeaseGate(clock, 10_000)
  const renew = () => gate.renewedAt(clock.monotonic(), clock.now())
  return { clock, gate, renew }
}

describe('the gate prevents that', () => {
  test('a process that was stopped for a while writes with its first line afterwards', async () => {
    const { clock, gate, renew } = start()
    expect(gate.mayWrite(), 'before the first renewal').toBe(false)
    renew()
    await clock.advance(9_999)
    expect(gate.mayWrite()).toBe(true)
    await clock.advance(1)
    expect(gate.mayWrite()).toBe(false)
  })

  test('a machine that was suspended, whose monotonic clock stood still, writes', () => {
    const { clock, gate, renew } = start()
    renew()
    clock.jumpWallClock(3600_000)
    expect([gate.mayWrite(), gate.ageMs()]).toEqual([false, 0])
    renew()
    expect(gate.mayWrite()).toBe(true)
  })

  test('somebody sets the clock back, and the gate stays open for an hour', async () => {
    const { clock, gate, renew } = start()
    renew()
    clock.jumpWallClock(-3600_000)
    await clock.advance(10_000)
    expect(gate.mayWrite()).toBe(false)
  })

  test('a process that gave its Lease back writes on', () => {
    const { gate, renew } = start()
    renew()
    gate.close()
    expect(gate.mayWrite()).toBe(false)
  })

  test('a refused write is sent, a read is refused, or the refusal looks as if the write might have happened', async () => {
    const { gate, renew } = start()
    const sent: Method[] = []
    const send: Send = ({ method }) => {
      sent.push(method)
      return Promise.resolve({ status: 200, headers: {}, body: (async function* () {})() })
    }
    const guarded = guardWrites(send, gate)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      await expect(guarded(request(method))).rejects.toMatchObject({ reason: 'Aborted', mayHaveHappened: false })
    }
    await guarded(request('GET'))
    renew()
    await guarded(request('PATCH'))
    await guardWrites(send, openGate)(request('DELETE'))
    expect(sent).toEqual(['GET', 'PATCH', 'DELETE'])
  })

  test('a write that waited for its connection goes out after we have lost the Lease', async () => {
    const asked: (boolean | undefined)[] = []
    let mayWrite = true
    const send: Send = ({ maySend }) => {
      mayWrite = false
      asked.push(maySend?.())
      return Promise.resolve({ status: 200, headers: {}, body: (async function* () {})() })
    }
    await guardWrites(send, { mayWrite: () => mayWrite })(request('PATCH'))
    expect(asked).toEqual([false])
  })
})
