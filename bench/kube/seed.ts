import { configMapResource, namespaceResource, podResource, type Client, type ConfigMap } from '@slurm-operator/kube'
import type { Surroundings } from '../benchmark.ts'
import { buildPod, buildStatus, NAMESPACES, namespaceOf, podKey } from './build-pod.ts'
import { inParallel } from './in-parallel.ts'
import { MANAGER, SMALL } from './marks.ts'

const AT_ONCE = 16
const BY = { fieldManager: MANAGER }
const REPORT_EVERY = 2_000

/** What was made. */
export interface Seeded {
  readonly seconds: number
  /** Of one pod, as the server sends it. */
  readonly podBytes: number
}

/** Fill a fresh server with pods that run, and the object of the small calls. */
export async function seed(client: Client, pods: number, { signal, say }: Surroundings): Promise<Seeded> {
  const startMs = performance.now()
  await createFrame(client)
  await inParallel({ count: pods, atOnce: AT_ONCE }, async (number) => {
    signal.throwIfAborted()
    await createPod(client, number)
    if (number > 0 && number % REPORT_EVERY === 0) say(`${number} of ${pods} pods created`)
  })
  const pod = await client.resource(podResource).get(podKey(0))
  return { seconds: (performance.now() - startMs) / 1000, podBytes: JSON.stringify(pod).length }
}

async function createFrame(client: Client): Promise<void> {
  const small: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: SMALL, data: { answer: '42' } }
  await client.resource(configMapResource).create(small)
  for (let number = 0; number < NAMESPACES; number++)
    await client
      .resource(namespaceResource)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespaceOf(number) } })
}

async function createPod(client: Client, number: number): Promise<void> {
  const pods = client.resource(podResource)
  const created = await pods.create(buildPod(number), BY)
  const running = { ...created, status: buildStatus(number) }
  await pods.status.update(podKey(number), running, BY)
}
