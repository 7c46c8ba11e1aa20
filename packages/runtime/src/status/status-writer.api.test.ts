import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createClient,
  customResourceDefinitionResource,
  loadSettings,
  namespaceResource,
  overallStatus,
  systemClock,
  type Client,
  type KubeObject,
  type Live,
  type Reported,
} from '@slurm-operator/kube'
import { startApiServer, untilTrue, type ApiServer } from '@slurm-operator/local'
import { thingDefinition, thingResource } from '../apply/gen.ts'
import { isServed } from '../apply/gen-server.ts'
import { isFirstStatus, type WantedStatus } from './build-status.ts'
import { buildConditions, type ObjectState } from './state.ts'
import { StatusWriter } from './status-writer.ts'

type Thing = Live<KubeObject> & { readonly status?: object }
let api: ApiServer
let client: Client

beforeAll(async () => {
  api = await startApiServer()
  client = createClient(await loadSettings({ kubeconfig: api.kubeconfig }))
  await client.resource(namespaceResource).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })
  await client.resource(customResourceDefinitionResource).create(thingDefinition)
  await untilTrue('the new kind', () => isServed(client, thingResource), { timeoutMs: 30_000 })
})
afterAll(async () => {
  client?.close()
  await api?.stop()
})

const create = (name: string): Promise<Thing> =>
  client
    .resource(thingResource)
    .create({ apiVersion: 'apply.example.com/v1', kind: 'Thing', metadata: { name, namespace: 'n' } })

function wantedOf(live: Thing, kind: ObjectState['kind'], fields: object = {}): WantedStatus {
  const { generation = 0 } = live.metadata as { readonly generation?: number }
  const state = { kind, reason: 'Why', because: 'so it is' }
  return { fields: { ...fields }, conditions: buildConditions(state, { generation, isFirst: isFirstStatus(live) }) }
}

/** Each has its own, so that none waits for the pace of another. */
const writer = () =>
  new StatusWriter<Thing>({
    store: client.resource(thingResource).status,
    clock: systemClock,
    fieldManager: 'engine',
  })

async function written(live: Thing, wanted: WantedStatus): Promise<Thing> {
  const result = await writer().write(live, wanted)
  if (result.kind !== 'written') throw new Error(`it must be written, and is ${result.kind}`)
  return result.object
}

test('tools never take a new object for a finished one, and a finished one for what it is', async () => {
  const created = await create('life')
  const begun = await written(created, wantedOf(created, 'working', { replicas: 1 }))
  expect(begun).toMatchObject({
    status: { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'Unknown' }, {}, {}] },
  })
  expect(overallStatus(begun as Reported)).toBe('InProgress')
  const ready = await written(begun, wantedOf(begun, 'ready', { replicas: 2 }))
  expect(overallStatus(ready as Reported)).toBe('Current')
  expect(await writer().write(ready, wantedOf(ready, 'ready', { replicas: 2 }))).toEqual({ kind: 'unchanged' })
  const stalled = await written(ready, wantedOf(ready, 'stalled', { replicas: undefined }))
  expect(overallStatus(stalled as Reported)).toBe('Failed')
  expect(stalled).not.toHaveProperty('status.replicas')
})

test('lines that others write meanwhile are not lost', async () => {
  const seen = await create('busy')
  const theirs = {
    type: 'Theirs',
    status: 'True',
    reason: 'X',
    message: '',
    lastTransitionTime: '2020-01-01T00:00:00Z',
  }
  const key = { namespace: 'n', name: 'busy' }
  await client.resource(thingResource).status.patch(key, { type: 'merge', body: { status: { conditions: [theirs] } } })
  expect(await writer().write(seen, wantedOf(seen, 'working'))).toEqual({ kind: 'conflict' })
  const fresh = await client.resource(thingResource).get(key)
  const after = await written(fresh, wantedOf(fresh, 'working'))
  expect(after).toMatchObject({
    status: { conditions: [{ type: 'Ready' }, { type: 'Reconciling' }, { type: 'Stalled' }, theirs] },
  })
})

test('an object that is gone', async () => {
  const seen = await create('gone')
  await client.resource(thingResource).delete({ namespace: 'n', name: 'gone' })
  expect(await writer().write(seen, wantedOf(seen, 'working'))).toEqual({ kind: 'gone' })
})
