import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configMapResource, createClient, leaseResource, loadSettings, type Client } from '@slurm-operator/kube'
import { startApiServer, until, untilTrue, type ApiServer } from '@slurm-operator/local'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../examples/copy-operator.ts')
const patient = { timeoutMs: 60_000 }

let server: ApiServer
let client: Client
const operators: ChildProcess[] = []

beforeAll(async () => {
  server = await startApiServer()
  client = createClient(await loadSettings({ kubeconfig: server.kubeconfig }))
})
afterAll(async () => {
  operators.forEach((operator) => operator.kill('SIGKILL'))
  client?.close()
  await server?.stop()
})

function startOperator(): ChildProcess {
  const operator = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, KUBECONFIG: server.kubeconfig },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  operators.push(operator)
  return operator
}

async function write(name: string, data: Record<string, string>): Promise<void> {
  const metadata = { namespace: 'default', name, annotations: { 'example.dev/copy-to': `${name}-copy` } }
  await client
    .resource(configMapResource)
    .apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { fieldManager: 'test', force: true })
}

async function copied(name: string, value: string): Promise<void> {
  const find = async () =>
    (await client.resource(configMapResource).find({ namespace: 'default', name: `${name}-copy` }))?.data?.['key'] ===
    value
  await untilTrue(`the copy of ${name} to say ${value}`, find, patient)
}

describe('an operator of fifty lines', () => {
  test('it has grown beyond them', () => {
    expect(readFileSync(PROGRAM, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(50)
  })

  test('a change is missed, or a copy that was changed or deleted by hand stays so', async () => {
    startOperator()
    await write('one', { key: 'first' })
    await copied('one', 'first')
    await write('one', { key: 'second' })
    await copied('one', 'second')
    await client.resource(configMapResource).delete({ namespace: 'default', name: 'one-copy' })
    await copied('one', 'second')
    await client
      .resource(configMapResource)
      .patch({ namespace: 'default', name: 'one-copy' }, { type: 'merge', body: { data: { key: 'by hand' } } })
    await copied('one', 'second')
  })

  test('a restart of the API server ends it', async () => {
    await server.kill()
    await server.restart()
    await write('two', { key: 'after the restart' })
    await copied('two', 'after the restart')
  })

  test('its sudden death leaves work undone, or it cannot end in peace', async () => {
    operators[0]?.kill('SIGKILL')
    await write('three', { key: 'written while nobody looked' })
    const next = startOperator()
    await copied('three', 'written while nobody looked')
    const exited = once(next, 'exit')
    next.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    const holder = async () => {
      const lease = await client.resource(leaseResource).get({ namespace: 'default', name: 'copy-operator' })
      return lease.spec?.holderIdentity === '' ? 'nobody' : undefined
    }
    expect(await until('the Lease to be given back', holder, patient)).toBe('nobody')
  })

  test('it writes when nothing has changed', async () => {
    startOperator()
    await write('four', { key: 'steady' })
    await copied('four', 'steady')
    const version = async () =>
      (await client.resource(configMapResource).get({ namespace: 'default', name: 'four-copy' })).metadata
        .resourceVersion
    const before = await version()
    await write('five', { key: 'another' }) // whoever sees this has seen everything before
    await copied('five', 'another')
    expect(await version()).toBe(before)
  })
})
