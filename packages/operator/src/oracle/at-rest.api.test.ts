/**
 * When nothing changes, nothing is written and nothing is read but the watches themselves: counted by the audit log of
 * the API server, over several polls of every loop.
 */
import { readFileSync } from 'node:fs'
import { configMapResource, defineResource, secretResource, type Client, type KubeObject } from '@slurm-operator/kube'
import { startApiServer, until, type ApiServer } from '@slurm-operator/local'
import { createMetrics } from '@slurm-operator/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLoops } from '../programs/loops.ts'
import { createNamespace, installKinds, runOperator, testClient, type RunningOperator } from '../testing/gen.ts'
import { edited, firstSpecs, type EditedKind } from './gen.ts'

/** Longer than any loop sleeps at rest; `AT_REST_SECONDS=300` for the long way. */
const REST_MS = Number(process.env['AT_REST_SECONDS'] ?? 40) * 1000
const QUIET_MS = 5_000

let server: ApiServer
let client: Client
let operator: RunningOperator

const workers = { controller: 1, accounting: 1, restapi: 1, loginset: 1, token: 1, nodeset: 1, slurmclient: 1 }

beforeAll(async () => {
  server = await startApiServer({ auditPolicy: { rules: [{ level: 'Metadata', omitStages: ['RequestReceived'] }] } })
  client = await testClient(server.kubeconfig)
  await installKinds(client)
})
afterAll(async () => {
  await operator?.stop()
  client?.close()
  await server?.stop()
})

interface Entry {
  readonly verb: string
  readonly requestURI: string
  readonly userAgent?: string
}

/** Requests so far, without those of the API server itself. */
function requests(): readonly Entry[] {
  const lines = readFileSync(server.auditLog, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const entries = lines.flatMap((line) => readEntry(line))
  return entries.filter(({ userAgent = '', verb }) => !userAgent.startsWith('kube-apiserver') && verb !== 'watch')
}

function readEntry(line: string): Entry[] {
  try {
    return [JSON.parse(line) as Entry]
  } catch {
    return [] // the line is being written
  }
}

async function apply(namespace: string): Promise<void> {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'keys', namespace },
    stringData: { key: 'k'.repeat(32) },
  }
  await client.resource(secretResource).create(secret as never)
  const files = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'files', namespace },
    data: { 'gres.conf': '' },
  }
  await client.resource(configMapResource).create(files as never)
  for (const kind of Object.keys(edited) as EditedKind[]) {
    const { plural, name } = edited[kind]
    const resource = defineResource<KubeObject>({
      group: 'slinky.slurm.net',
      version: 'v1beta1',
      plural,
      kind,
      namespaced: true,
    })
    const object = {
      apiVersion: 'slinky.slurm.net/v1beta1',
      kind,
      metadata: { name, namespace },
      spec: firstSpecs[kind],
    }
    await client.resource(resource).create(object)
  }
}

/** Wait until no request has come for a while. */
async function untilQuiet(): Promise<void> {
  let count = -1
  let sinceMs = 0
  await until(
    'the operator to come to rest',
    () => {
      const now = requests().length
      if (now !== count) [count, sinceMs] = [now, performance.now()]
      return performance.now() - sinceMs > QUIET_MS || undefined
    },
    { timeoutMs: 120_000, everyMs: 250 },
  )
}

describe('the operator on a real API server prevents that', () => {
  test('a cluster at rest costs the API server writes and reads', { timeout: REST_MS + 240_000 }, async () => {
    await apply(await createNamespace(client, 'at-rest'))
    operator = await runOperator(server.kubeconfig, (world) => createLoops(world, workers, createMetrics()))
    await untilQuiet()
    const before = requests().length
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    const since = requests().slice(before)
    console.log(`${since.length} requests in ${REST_MS / 1000} s at rest, ${before} before`)
    expect(since.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([])
  })
})
