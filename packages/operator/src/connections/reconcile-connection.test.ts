import { silentLogger, type Pass } from '@slurm-operator/runtime'
import type { ConnectionHealth } from '@slurm-operator/slurm'
import { expect, test } from 'vitest'
import type { World } from '../world/world.ts'
import { createConnectionPass } from './reconcile-connection.ts'

const object = (ready: string, spec: object) => ({
  metadata: { name: 'prod', namespace: 'slurm' },
  spec,
  status: { conditions: [{ type: 'Ready', status: ready }] },
})
const controller = object('True', { jwtKeyRef: { name: 'jwt', key: 'jwt.key' } })
const restApi = (ready: string) => object(ready, { controllerRef: { name: 'prod' } })

/** How often one pass makes the connection ask again. */
async function retries(state: ConnectionHealth['state'], ready: string): Promise<number> {
  let count = 0
  const connection = { health: () => ({ state }), retryNow: () => void (count += 1) }
  const world = {
    caches: {
      controllers: { get: () => controller },
      clusters: { get: () => undefined },
      restApis: { by: () => [restApi(ready)] },
    },
    secrets: { read: async () => ({ data: { 'jwt.key': 'a2V5' } }) },
    slurm: { find: () => connection, ensure: () => connection },
  }
  const pass = { log: silentLogger, signal: new AbortController().signal }
  const reconcile = createConnectionPass(world as unknown as World)
  await reconcile({ namespace: 'slurm', name: 'prod' }, pass as unknown as Pass)
  return count
}

test('a slurmrestd that is back is left alone for half a minute', async () => {
  expect(await retries('unreachable', 'True')).toBe(1)
})

test('a slurmctld that has got the new key is left alone for a quarter of an hour', async () => {
  expect(await retries('refused', 'True')).toBe(1)
})

test('a slurmrestd that is away, or answers anyway, is asked by every pass', async () => {
  expect(await retries('unreachable', 'False')).toBe(0)
  expect(await retries('reachable', 'True')).toBe(0)
})
