import {
  configMapResource,
  createClientOn,
  createNodeTransport,
  loadSettings,
  systemClock,
  type Client,
} from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandomSource } from '@slurm-operator/testkit'
import { Cache, withoutManagedFields } from '../cache/cache.ts'
import { Witness, type Kept } from './gen.ts'
import { roughTransport, type Roughness } from './rough-transport.ts'

const NAMESPACE = 'default'
const SEEDS = [1, 2, 3]
const calm: Roughness = { refused: 0, error500: 0, error429: 0, cut: 0 }
const fire: Roughness = { refused: 0.15, error500: 0.1, error429: 0.05, cut: 0.25 }

let server: ApiServer
let direct: Client

beforeAll(async () => {
  server = await startApiServer()
  direct = createClientOn(createNodeTransport(await loadSettings({ kubeconfig: server.kubeconfig })))
})
afterAll(async () => {
  direct?.close()
  await server?.stop()
})

async function marks(): Promise<string[]> {
  const { items } = await direct.resource(configMapResource).list({ namespace: NAMESPACE })
  return items.map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`).toSorted()
}

describe('a reflector under fire', () => {
  for (const seed of SEEDS) {
    test(`after faults of seed ${seed} the cache differs from the server, an object went back, or a deletion was not told`, async () => {
      const random = createRandomSource(seed)
      const roughness: Roughness = { ...calm }
      const settings = await loadSettings({ kubeconfig: server.kubeconfig })
      const transport = roughTransport(createNodeTransport(settings), roughness, () => random.next())
      const cache = new Cache<Kept, Kept>({
        name: 'configmaps',
        reader: createClientOn(transport, { retry: { maxTries: 1 } }).resource(configMapResource),
        namespaces: [NAMESPACE],
        keep: withoutManagedFields,
        clock: systemClock,
        random: () => random.next(),
        patience: { firstMs: 10, mostMs: 200 },
      })
      const witness = new Witness()
      cache.listen(witness.hear)
      const stop = new AbortController()
      const ended = cache.run({ stop: stop.signal, abort: stop.signal, ready: () => {} })
      await cache.synced()
      Object.assign(roughness, fire)
      const objects = direct.resource(configMapResource)
      for (let step = 0; step < 150; step++) {
        const name = `thing-${random.below(20)}`
        const key = { namespace: NAMESPACE, name }
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { step: String(step) } } as const
        if (random.chance(0.3)) await objects.delete(key).catch(() => {}) // it need not exist
        else await objects.apply(body, { fieldManager: 'fire', force: true })
        if (step === 60) await server.compact()
        if (step === 100) {
          await server.kill()
          await server.restart()
        }
      }
      Object.assign(roughness, calm)
      const expected = await marks()
      await expect
        .poll(() => [...witness.alive].map(([uid, version]) => `${uid}@${version}`).toSorted(), { timeout: 60_000 })
        .toEqual(expected)
      expect(
        cache
          .list()
          .map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`)
          .toSorted(),
      ).toEqual(expected)
      expect(witness.complaints).toEqual([])
      stop.abort()
      await ended
      transport.close()
    })
  }
})
