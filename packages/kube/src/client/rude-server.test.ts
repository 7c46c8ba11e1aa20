import { expect, test } from 'vitest'
import {
  answer,
  collect,
  cut,
  fail,
  hang,
  startRudeServer,
  stream,
  type RudeServer,
  type Step,
} from '../transport/gen.ts'
import { podResource } from '../types/generated/resources.ts'
import type { ClientOptions } from './channel.ts'
import { createClient } from './client.ts'
import { failureOf, pod, podItem, podList } from './gen.ts'

/** A client that is too impatient to let a test wait. */
function setup(server: RudeServer, steps: readonly Step[], options: ClientOptions = {}) {
  server.script(...steps)
  const client = createClient(server.settings, { retry: { firstDelayMs: 1, longestDelayMs: 5 }, ...options })
  return client.resource(podResource)
}

const key = { namespace: 'a', name: 'p' }
const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`

test('a read survives 500, a cut connection and half an answer', async () => {
  await using server = await startRudeServer()
  const pods = setup(server, [fail(500, 'InternalError'), cut, stream(['{"meta'], 'cut'), answer(200, podItem('p'))])
  expect((await pods.get(key)).metadata.name).toBe('p')
  expect(server.seen).toHaveLength(4)
})

test('a list that is cut in the middle is read again from its beginning', async () => {
  await using server = await startRudeServer()
  const whole = JSON.stringify(podList(['p', 'q']))
  const pods = setup(server, [stream([whole.slice(0, -60)], 'cut'), answer(200, whole)])
  expect((await pods.list()).items.map(({ metadata }) => metadata.name)).toEqual(['p', 'q'])
})

test('a create whose connection is cut is sent once, and the caller learns that it may have happened', async () => {
  await using server = await startRudeServer()
  const pods = setup(server, [cut])
  expect(await failureOf(pods.create(pod('a', 'p')))).toMatchObject({ reason: 'Unreachable', mayHaveHappened: true })
  expect(server.seen).toHaveLength(1)
})

test('a create that never reached the server is sent again', async () => {
  await using server = await startRudeServer()
  const pods = setup(server, [answer(201, podItem('p'))])
  server.refuse(3)
  expect((await pods.create(pod('a', 'p'))).metadata.name).toBe('p')
  expect(server.seen).toHaveLength(1)
})

test('a busy server is given the time it asks for, also before a write', async () => {
  await using server = await startRudeServer()
  const pods = setup(server, [fail(429, 'TooManyRequests', { 'retry-after': '1' }), answer(201, podItem('p'))])
  const startMs = performance.now()
  await pods.create(pod('a', 'p'))
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(1_000)
})

test('a server that asks for more time than we have is believed, and its wish is passed on', async () => {
  await using server = await startRudeServer()
  const pods = setup(server, [fail(503, 'ServiceUnavailable', { 'retry-after': '60' })], { timeoutMs: 5_000 })
  expect(await failureOf(pods.get(key))).toMatchObject({ reason: 'ServiceUnavailable', retryAfterSeconds: 60 })
})

test('a server that never answers ends with the deadline', async () => {
  await using server = await startRudeServer()
  const pods = setup(server, [hang], { timeoutMs: 200 })
  expect(await failureOf(pods.get(key))).toMatchObject({ reason: 'Timeout', request: 'get pods a/p' })
})

test('a watch that falls silent is given up with what it told so far', async () => {
  await using server = await startRudeServer()
  const pods = setup(server, [stream([event('ADDED', podItem('p'))], 'hang')])
  const seen: string[] = []
  const watching = (async () => {
    for await (const change of pods.watch({ idleMs: 200 })) seen.push(change.type)
  })()
  expect((await failureOf(watching)).reason).toBe('Unreachable')
  expect(seen).toEqual(['ADDED'])
})

test('a watch that is cut in the middle of a line does not tell half a change', async () => {
  await using server = await startRudeServer()
  const pods = setup(server, [stream([event('ADDED', podItem('p')), '{"type":"MODI'], 'cut')])
  expect((await failureOf(collect(pods.watch()))).reason).toBe('Unreachable')
})

test('a watch ends when its caller leaves, even while nothing comes', async () => {
  await using server = await startRudeServer()
  const pods = setup(server, [stream([], 'hang')])
  const leaving = new AbortController()
  const watching = failureOf(collect(pods.watch({ signal: leaving.signal })))
  setTimeout(() => leaving.abort(), 50)
  expect((await watching).reason).toBe('Aborted')
})
