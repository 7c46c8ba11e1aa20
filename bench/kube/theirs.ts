/**
 * The other side: the informer and the calls of @kubernetes/client-node, used as its documentation shows.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { clientNodeTitle, loadClientNode } from './client-node.ts'
import { SMALL } from './marks.ts'
import type { CreateSide } from './side.ts'

const RESTART_MS = 5_000

/** Connect the other side. */
export const createSide: CreateSide = async (kubeconfig, onUpdate) => {
  const { KubeConfig, CoreV1Api, makeInformer } = await loadClientNode()
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const api = config.makeApiClient(CoreV1Api)
  const informer = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces())
  informer.on('update', ({ metadata }) => onUpdate(metadata?.labels))
  informer.on('error', (error) => void restart(error))
  // It stops by itself and has to be started again by hand.
  const restart = async (error: unknown) => {
    console.error(error)
    await sleep(RESTART_MS)
    await informer.start()
  }
  return {
    title: clientNodeTitle(),
    async list() {
      await informer.start()
      return informer.list().length
    },
    call: async () => void (await api.readNamespacedConfigMap(SMALL)),
  }
}
