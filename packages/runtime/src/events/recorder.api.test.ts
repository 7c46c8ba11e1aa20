import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createClient,
  eventsEventResource,
  loadSettings,
  namespaceResource,
  systemClock,
  type Client,
  type EventsEvent,
} from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { silentLogger } from '../logging/logger.ts'
import { happening } from './gen.ts'
import { Recorder, type DropCause } from './recorder.ts'

let api: ApiServer
let client: Client

beforeAll(async () => {
  api = await startApiServer()
  client = createClient(await loadSettings({ kubeconfig: api.kubeconfig }))
  await client.resource(namespaceResource).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })
})
afterAll(async () => {
  client?.close()
  await api?.stop()
})

function start() {
  const [stop, abort] = [new AbortController(), new AbortController()]
  const dropped: DropCause[] = []
  const recorder = new Recorder({
    store: client.resource(eventsEventResource),
    clock: systemClock,
    random: Math.random,
    log: silentLogger,
    instance: 'operator-0',
    hide: (text) => text,
    dropped: (cause) => dropped.push(cause),
  })
  const ended = recorder.run({ stop: stop.signal, abort: abort.signal, ready: () => {} })
  const finish = async () => {
    stop.abort()
    await ended
  }
  return { record: recorder.as('example.com/thing-controller'), dropped, finish }
}

const eventsIn = async (namespace: string, reason: string): Promise<readonly EventsEvent[]> =>
  (await client.resource(eventsEventResource).list({ namespace, fieldSelector: `reason=${reason}` })).items

test('the server takes it, and the count of the series is seen', async () => {
  const { record, dropped, finish } = start()
  for (let times = 0; times < 7; times++) record({ ...happening, reason: 'Series' })
  await expect.poll(() => eventsIn('n', 'Series'), { timeout: 10_000 }).toHaveLength(1)
  record({ ...happening, reason: 'Series' })
  await finish()
  const [event, ...more] = await eventsIn('n', 'Series')
  expect(more).toEqual([])
  expect(event).toMatchObject({ series: { count: 8 }, note: 'all is well', reportingInstance: 'operator-0' })
  expect(dropped).toEqual([])
})

test('the longest texts, an object without a namespace and a second object are accepted', async () => {
  const { record, dropped, finish } = start()
  const regarding = { apiVersion: 'v1', kind: 'Node', metadata: { name: `system:${'N'.repeat(240)}` } }
  record({
    ...happening,
    regarding,
    reason: 'Limits',
    action: 'ä'.repeat(200),
    note: '😀'.repeat(600),
    related: happening.regarding,
  })
  record({ ...happening, type: 'Warning', reason: 'L'.repeat(500), note: '' })
  await finish()
  expect(dropped).toEqual([])
  const [event] = await eventsIn('default', 'Limits')
  expect(event?.note?.endsWith('😀…')).toBe(true)
  expect(event?.related?.name).toBe('worker-0')
})

test('a namespace that does not exist is no trouble', async () => {
  const { record, dropped, finish } = start()
  const metadata = { ...happening.regarding.metadata, namespace: 'nowhere' }
  record({ ...happening, regarding: { ...happening.regarding, metadata } })
  await finish()
  expect(dropped).toEqual(['quiet'])
})
