/**
 * Our side: the cache of `runtime` with what an operator keeps of a worker pod, and the client of `kube`.
 *
 * @module
 */
import { configMapResource, createClient, loadSettings, podResource, systemClock } from '@slurm-operator/kube'
import type { Live, Pod } from '@slurm-operator/kube'
import { Cache } from '../../packages/runtime/src/cache/cache.ts'
import { keepWorker, type Worker } from './keep-worker.ts'
import { SMALL } from './marks.ts'
import type { CreateSide } from './side.ts'

/** Connect our side. */
export const createSide: CreateSide = async (kubeconfig, onUpdate) => {
  const client = createClient(await loadSettings({ kubeconfig }))
  const maps = client.resource(configMapResource)
  const cache = new Cache<Live<Pod>, Worker>({
    name: 'pods',
    reader: client.resource(podResource),
    keep: keepWorker,
    skipManagedFields: true,
    indexes: {
      owner: ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid),
      node: ({ spec }) => (spec.nodeName === undefined ? [] : [spec.nodeName]),
    },
    clock: systemClock,
    random: Math.random,
    observer: { failed: (error) => console.error(error) },
  })
  cache.listen(({ kind, object }) => kind === 'updated' && onUpdate(object.metadata.labels))
  const { signal } = new AbortController() // it runs as long as the process
  return {
    title: 'ours',
    async list() {
      void cache.run({ stop: signal, abort: signal, ready: () => {} }) // never throws
      await cache.synced()
      return cache.size
    },
    call: async () => void (await maps.get(SMALL)),
  }
}
