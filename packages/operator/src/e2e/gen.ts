/**
 * The whole product on a real Kubernetes with a real Slurm, and jobs that run until a test lets them end.
 *
 * @module
 */
import { API_GROUP_VERSION, nodeSetResource, type NodeSet } from '@slurm-operator/api'
import { isNotFound, podResource, type Client, type KubeObject, type Live, type Pod } from '@slurm-operator/kube'
import {
  installOperator,
  installSlurm,
  OPERATOR_NAMESPACE,
  silentProgress,
  SLURM_NAMESPACE,
  startCluster,
  until,
  untilTrue,
  whyNotHere,
  type Cluster,
} from '@slurm-operator/local'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { testClient } from '../testing/gen.ts'

/** Where the Slurm cluster of a suite lives. */
export const namespace = SLURM_NAMESPACE

/** For things that need pods to start, on a machine with other work. */
export const patient = { timeoutMs: 180_000, everyMs: 200 }

/** What a suite works with. */
export interface Product {
  readonly cluster: Cluster
  readonly client: Client
}

/** How a suite begins. */
export interface ProductOptions {
  /** More values of the operator's chart. */
  readonly operator?: readonly string[]
  /** Install the Slurm cluster, if not in the usual way. */
  readonly install?: (product: Product) => Promise<void>
}

/** A cluster of three nodes, the operator and a Slurm cluster for all tests of a file; skipped where nodes cannot run. */
export function productForSuite({ operator = [], install = installExample }: ProductOptions = {}): () => Product {
  const obstacles = whyNotHere()
  let cluster: Cluster | undefined
  let product: Product | undefined
  beforeAll(async () => {
    if (obstacles.length > 0) return
    cluster = await startCluster({ nodes: 3 })
    product = { cluster, client: await testClient(cluster.kubeconfig) }
    await installOperator(cluster, { progress: silentProgress, values: operator })
    await install(product)
  })
  afterAll(async () => {
    product?.client.close()
    await cluster?.stop()
  })
  beforeEach(({ skip }) => {
    if (obstacles.length > 0) skip(`nodes cannot run here: ${obstacles.join('; ')}`)
  })
  return () => {
    if (product === undefined) throw new Error('Cannot use the product: it was not installed')
    return product
  }
}

/** The Slurm cluster of `examples/local`, with room for more workers on each Kube node. */
export async function installExample({ cluster }: Product, more: readonly string[] = []): Promise<void> {
  const values = ['nodesets.cpu.oversubscribeNode=true', ...more]
  await installSlurm(cluster, { progress: silentProgress, values, timeoutMs: patient.timeoutMs })
}

/** The first NodeSet of `examples/local`. */
export const CPU = 'slurm-worker-cpu'

/** The second one. */
export const FAT = 'slurm-worker-fat'

/** The value of a chart that puts pods onto one Kube node. */
export function onNode(selector: string, node: string): string {
  return `${selector}.kubernetes\\.io/hostname=${node}`
}

/** The values that put operator and webhook onto one Kube node, so that others can be lost. */
export function operatorOn(node: string): readonly string[] {
  return ['operator', 'webhook'].map((part) => onNode(`${part}.nodeSelector`, node))
}

/** Measure something, and print how long it took for the reader of the test's output. */
export async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now()
  const result = await work()
  console.log(`${what}: ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  return result
}

// People's commands.

/** A command of an ordinary user on the login node. */
export async function onLogin({ cluster }: Product, script: string): Promise<string> {
  const place = { pod: 'deploy/slurm-login-login', namespace, container: 'login' }
  const command = ['su', '-s', '/bin/sh', 'nobody', '-c', `cd /tmp && ${script}`]
  return (await cluster.exec(place, command, { timeoutMs: 60_000 })).trim()
}

/** A running job, and the worker that it runs on. */
export interface Job {
  readonly id: string
  readonly pod: Live<Pod>
}

/** Start a job on a worker, by the name of the pod; it runs until `endJob`. */
export async function startJob(product: Product, podName: string): Promise<Job> {
  const pod = await readPod(product, podName)
  const slurmNode = pod?.spec?.hostname
  if (pod === undefined || slurmNode === undefined) throw new Error(`Cannot start a job on ${podName}: it is not there`)
  const wait = 'while [ ! -e /tmp/end-$SLURM_JOB_ID ]; do sleep 0.1; done'
  const id = await until(
    `a job on ${slurmNode} to be accepted`,
    () =>
      onLogin(
        product,
        `sbatch --parsable --mem=1 --partition=all --nodelist=${slurmNode} -o /dev/null --wrap '${wait}'`,
      ),
    patient,
  )
  await untilTrue(`job ${id} to run`, async () => (await jobState(product, id)) === 'RUNNING', patient)
  return { id, pod }
}

async function jobState(product: Product, id: string): Promise<string> {
  return onLogin(product, `squeue --noheader --format=%T --jobs=${id}`)
}

/** Let a job end. */
export async function endJob({ cluster }: Product, { id, pod }: Job): Promise<void> {
  const place = { pod: pod.metadata.name, namespace, container: 'slurmd' }
  await cluster.exec(place, ['touch', `/tmp/end-${id}`])
}

/** How a job ended, by the books: one word for each time that it ran. */
export async function fateOf(product: Product, { id }: Job): Promise<string> {
  const ask = `sacct --duplicates --allocations --noheader --parsable2 --format=State --jobs=${id}`
  return until(
    `the books to tell how job ${id} ended`,
    async () => {
      const states = (await onLogin(product, ask)).split('\n').join(' ')
      return /PENDING|RUNNING|COMPLETING|^$/.test(states) ? undefined : states
    },
    patient,
  )
}

/** Whether people on the login node get an answer, within two seconds. */
export async function slurmAnswers(product: Product): Promise<boolean> {
  return (await onLogin(product, 'timeout 2 sinfo --noheader > /dev/null && echo yes || true')) === 'yes'
}

/** slurmctld writes its state some seconds late, and a crash loses the jobs of those seconds: make it write now. */
export async function saveState(product: Product, pod: string): Promise<void> {
  const reconfigure = async (): Promise<true> => {
    await product.cluster.exec({ pod, namespace, container: 'slurmctld' }, ['scontrol', 'reconfigure'])
    return true
  }
  await untilTrue('slurmctld to say that it saves its state', reconfigure, patient) // now and then the answer is lost
  await untilTrue('Slurm to answer', () => slurmAnswers(product), patient)
}

/** What Slurm says about a node, such as `IDLE+DYNAMIC_NORM+DRAIN`; empty if it does not know it. */
export async function slurmState(product: Product, slurmNode: string): Promise<string> {
  const line = await onLogin(product, `scontrol show node ${slurmNode} --oneliner || true`)
  return /\bState=(\S+)/.exec(line)?.[1] ?? ''
}

// Objects.

/** A pod, if it is there. */
export async function readPod({ client }: Product, name: string, where = namespace): Promise<Live<Pod> | undefined> {
  return client
    .resource(podResource)
    .get({ namespace: where, name })
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    })
}

/** Whether this very pod is there and nobody has asked it to end. */
export async function isStaying(product: Product, { metadata }: Live<Pod>): Promise<boolean> {
  const now = await readPod(product, metadata.name, metadata.namespace)
  return now?.metadata.uid === metadata.uid && now.metadata.deletionTimestamp === undefined
}

/** Wait until this very pod is asked to end, or is gone. */
export async function untilLeaving(product: Product, pod: Live<Pod>): Promise<void> {
  const what = `pod ${pod.metadata.name} to leave`
  await untilTrue(what, async () => !(await isStaying(product, pod)), { ...patient, everyMs: 50 })
}

/** Wait until another pod has the name of this one, and is Ready. */
export async function untilReplaced(product: Product, old: Live<Pod> | undefined, name: string): Promise<void> {
  await untilTrue(
    `another ${name} to be Ready`,
    async () => {
      const pod = await readPod(product, name)
      return pod !== undefined && pod.metadata.uid !== old?.metadata.uid && isReady(pod)
    },
    patient,
  )
}

/** A NodeSet as it is. */
export async function readNodeSet({ client }: Product, name: string): Promise<Live<NodeSet>> {
  return client.resource(nodeSetResource).get({ namespace, name })
}

/** Change fields of a NodeSet. */
export async function patchNodeSet({ client }: Product, name: string, spec: object): Promise<void> {
  await client.resource(nodeSetResource).patch({ namespace, name }, { type: 'merge', body: { spec } })
}

/** Make a NodeSet like `FAT`, but different. */
export async function createNodeSet(product: Product, name: string, spec: object): Promise<void> {
  const { spec: like } = await readNodeSet(product, FAT)
  const template = { ...like.template, spec: { ...like.template?.spec, hostname: `${name}-` } }
  await product.client.resource(nodeSetResource).create({
    ...{ apiVersion: API_GROUP_VERSION, kind: 'NodeSet', metadata: { name, namespace } },
    spec: { ...like, template, ...spec },
  })
}

/** Wait until a NodeSet is as its spec wants it. */
export async function untilNodeSetReady(product: Product, name: string): Promise<void> {
  await untilTrue(`NodeSet ${name} to be Ready`, async () => isReady(await readNodeSet(product, name)), patient)
}

interface Judged {
  readonly metadata: { readonly generation?: number }
  readonly status?: { readonly conditions?: readonly { type: string; status: string; observedGeneration?: number }[] }
}

/** Ready, and that is said about the spec as it is now. */
export function isReady(object: KubeObject): boolean {
  const { metadata, status } = object as KubeObject & Judged
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' && (ready.observedGeneration ?? 0) >= (metadata.generation ?? 0)
}

/** The pods of the operator that are neither ending nor failed. */
export async function operatorPods({ client }: Product): Promise<readonly Live<Pod>[]> {
  const labelSelector = 'app.kubernetes.io/name=slurm-operator'
  const { items } = await client.resource(podResource).list({ namespace: OPERATOR_NAMESPACE, labelSelector })
  return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
}

/** Make a pod vanish as a crash of its node's runtime would: no time to say goodbye. */
export async function killPod({ client }: Product, { metadata }: Live<Pod>): Promise<void> {
  const { name, namespace: where, uid } = metadata
  const options = { gracePeriodSeconds: 0, preconditions: { uid } }
  await client.resource(podResource).delete({ namespace: where, name }, options)
}

/** End all processes of a pod at once, by SIGKILL on its node. */
export async function killProcesses({ cluster }: Product, { metadata, spec }: Live<Pod>): Promise<void> {
  const mine = `for p in /proc/[0-9]*; do if grep -qs ${metadata.uid} $p/cgroup; then kill -9 "\${p#/proc/}"; fi; done`
  await cluster.runInNode(spec?.nodeName ?? '', ['sh', '-c', mine])
}

/** All that operator and webhook have logged, the lives of restarted containers included. */
export async function operatorLogs({ cluster, client }: Product): Promise<string> {
  const { items } = await client.resource(podResource).list({ namespace: OPERATOR_NAMESPACE })
  const read = async (name: string, ...more: readonly string[]) =>
    cluster.kubectl(['logs', '-n', OPERATOR_NAMESPACE, name, ...more])
  const logs = items.map(async ({ metadata: { name }, status }) => {
    const hasRestarted = status?.containerStatuses?.some(({ restartCount }) => restartCount > 0) ?? false
    return `${hasRestarted ? await read(name, '--previous') : ''}${await read(name)}`
  })
  return (await Promise.all(logs)).join('\n')
}

/** What the API server did not let operator or webhook do: the rights of the chart must be enough. */
export async function refusals(product: Product): Promise<readonly string[]> {
  return (await operatorLogs(product)).split('\n').filter((line) => /forbidden/i.test(line))
}

/** With -9; it is Ready again when this returns, and leads when the Lease of its predecessor is over. */
export async function killOperator(product: Product): Promise<void> {
  const [operator] = await operatorPods(product)
  if (operator === undefined) throw new Error('Cannot kill the operator: it is not there')
  const containerOf = ({ status }: typeof operator) => status?.containerStatuses?.[0]?.containerID
  await killProcesses(product, operator)
  const isBack = async () =>
    (await operatorPods(product)).some((pod) => containerOf(pod) !== containerOf(operator) && isReady(pod))
  await timed('operator killed with -9 → it is Ready again', () => untilTrue('an operator', isBack, patient))
}
