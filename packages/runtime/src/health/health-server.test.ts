import { describe, expect, test } from 'vitest'
import { SetClock } from '../certificates/own/gen.ts'
import { anyPort, createTestClient, runServer } from '../serving/gen.ts'
import type { HealthCheck } from './check.ts'
import { createHealthServer } from './health-server.ts'

const good: HealthCheck = { name: 'caches', why: () => undefined }
const bad: HealthCheck = { name: 'webhook', why: async () => 'no certificate yet' }
const throwing: HealthCheck = {
  name: 'throws',
  why: () => {
    throw new Error('broken check')
  },
}

async function probe(
  checks: { readonly live?: readonly HealthCheck[]; readonly ready?: readonly HealthCheck[] },
  clock = new SetClock(0),
) {
  const running = await runServer((onListening) =>
    createHealthServer({ listen: anyPort, clock, onListening, ...checks }),
  )
  const client = createTestClient(running.port)
  const dispose = async () => {
    client.close()
    await running[Symbol.asyncDispose]()
  }
  const get = async (path: string) => {
    const { code, text } = await client.send(path)
    return { code, text }
  }
  return { get, client, [Symbol.asyncDispose]: dispose }
}

const failed = '[+]caches ok\n[-]webhook failed: reason withheld\nhealthz check failed\n'
const forms: readonly [string, number, string][] = [
  ['/healthz', 200, 'ok'],
  ['/healthz/', 200, 'ok'],
  ['/healthz?verbose', 200, '[+]ping ok\nhealthz check passed\n'],
  ['/healthz?verbose=1&exclude=ping', 200, '[+]ping excluded: ok\nhealthz check passed\n'],
  ['/healthz/ping', 200, 'ok'],
  ['/healthz/caches', 404, '404 page not found\n'],
  ['/healthz/ping/more', 404, '404 page not found\n'],
  ['/elsewhere', 404, '404 page not found\n'],
  ['/', 404, '404 page not found\n'],
  ['/readyz', 500, failed],
  ['/readyz?verbose', 500, failed],
  ['/readyz?exclude=webhook', 200, 'ok'],
  ['/readyz?verbose&exclude=webhook', 200, '[+]caches ok\n[+]webhook excluded: ok\nhealthz check passed\n'],
  [
    '/readyz?verbose&exclude=webhook&exclude=z&exclude=a',
    200,
    '[+]caches ok\n[+]webhook excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a","z"\nhealthz check passed\n',
  ],
  ['/readyz/caches', 200, 'ok'],
  ['/readyz/webhook', 500, 'internal server error: no certificate yet\n'],
]

test.each(forms)('%s is answered in another form than scripts expect', async (path, code, text) => {
  await using health = await probe({ ready: [good, bad] })
  expect(await health.get(path)).toEqual({ code, text })
})

describe('a check that misbehaves', () => {
  test('throws, and the probe gets no answer', async () => {
    await using health = await probe({ live: [throwing] })
    expect(await health.get('/healthz')).toEqual({
      code: 500,
      text: '[-]throws failed: reason withheld\nhealthz check failed\n',
    })
    expect(await health.get('/healthz/throws')).toEqual({ code: 500, text: 'internal server error: broken check\n' })
  })

  test('hangs, and the probe hangs with it', async () => {
    const clock = new SetClock(0)
    await using health = await probe({ live: [{ name: 'hangs', why: () => new Promise(() => {}) }] }, clock)
    const answer = health.get('/healthz/hangs')
    await expect.poll(() => clock.waiting).toEqual([5000])
    clock.set(5000)
    expect(await answer).toEqual({
      code: 500,
      text: 'internal server error: Cannot check hangs: it took longer than 5 s.\n',
    })
  })
})

test('the answer is taken for something else than text', async () => {
  await using health = await probe({})
  const { headers } = await health.client.send('/healthz', { method: 'HEAD' })
  expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
})
