import { systemClock } from '@slurm-operator/kube'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anyPort, createTestClient, runServer, type Running } from '../serving/gen.ts'
import { createProfilingServer } from './profiling-server.ts'

let running: Running
let client: ReturnType<typeof createTestClient>
/** A second of profile is over sooner here. */
const hurried = { ...systemClock, schedule: (ms: number, action: () => void) => systemClock.schedule(ms / 5, action) }

beforeEach(async () => {
  running = await runServer((onListening) => createProfilingServer({ listen: anyPort, clock: hurried, onListening }))
  client = createTestClient(running.port)
})
afterEach(async () => {
  client.close()
  await running[Symbol.asyncDispose]()
})

test('the list of pages has one that is not there', async () => {
  const { text } = await client.send('/debug/pprof/')
  const pages = text.trim().split('\n')
  expect(pages).toContain('/debug/pprof/profile')
  for (const page of pages.filter((path) => !path.endsWith('/heap'))) {
    expect((await client.send(`${page}?seconds=1`)).code, page).toBe(200)
  }
})

test('a CPU profile cannot be opened', async () => {
  const busy = setInterval(() => JSON.stringify(Array.from({ length: 1000 })), 1)
  const { code, headers, text } = await client.send('/debug/pprof/profile?seconds=1')
  clearInterval(busy)
  expect(code).toBe(200)
  expect(headers['content-disposition']).toContain('.cpuprofile')
  const { nodes, startTime, endTime } = JSON.parse(text) as { nodes: unknown[]; startTime: number; endTime: number }
  expect(nodes.length).toBeGreaterThan(1)
  expect(endTime).toBeGreaterThan(startTime)
})

test('a profile of allocations cannot be opened', async () => {
  const { text } = await client.send('/debug/pprof/allocs?seconds=1')
  expect(JSON.parse(text)).toHaveProperty('head.callFrame')
})

test('two profiles measure each other', async () => {
  const replies = await Promise.all([1, 2].map(() => client.send('/debug/pprof/profile?seconds=1')))
  expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([200, 409]))
  expect((await client.send('/debug/pprof/profile?seconds=1')).code, 'and afterwards nobody may').toBe(200)
})

test('a profile nobody waits for any more keeps others from taking one', async () => {
  const gone = createTestClient(running.port)
  const answer = gone.send('/debug/pprof/profile?seconds=100')
  answer.catch(() => {}) // it is cut below
  await expect.poll(async () => (await client.send('/debug/pprof/profile?seconds=1')).code).toBe(409)
  gone.close()
  await expect.poll(async () => (await client.send('/debug/pprof/profile?seconds=1')).code).toBe(200)
})

test.each(['0', '111', '-1', 'x', '1e9'])('a profile of %s seconds is begun', async (seconds) => {
  expect((await client.send(`/debug/pprof/profile?seconds=${seconds}`)).code).toBe(400)
})

test('the heap cannot be looked at', async () => {
  const numbers = JSON.parse((await client.send('/debug/pprof/heap?debug=1')).text) as {
    heap: { used_heap_size: number }
  }
  expect(numbers.heap.used_heap_size).toBeGreaterThan(1e6)
  const { text } = await client.send('/debug/pprof/heap')
  expect(JSON.parse(text)).toHaveProperty('snapshot.meta')
}, 60_000)

test('what is not a page, or not a GET, is answered', async () => {
  expect((await client.send('/debug/pprof/trace')).code).toBe(404)
  expect((await client.send('/')).code).toBe(404)
  expect((await client.send('/debug/pprof/profile', { method: 'POST' })).code).toBe(405)
})
