/**
 * Machines for a real API server: worker pods are bound to Kube nodes, run, join a simulated Slurm and are Ready; those
 * that are deleted end, and the jobs in them with them. That is written down.
 *
 * @module
 */
import {
  isFailure,
  isNotFound,
  nodeResource,
  podResource,
  printTime,
  systemClock,
  type Client,
  type Live,
  type Pod,
} from '@slurm-operator/kube'
import { Cache, withoutManagedFields } from '@slurm-operator/runtime'
import type { SimulatedSlurm } from '@slurm-operator/testkit'
import { slurmdOf } from '@slurm-operator/testkit'

/** What machines are made of. */
export interface MachineOptions {
  readonly client: Client
  readonly slurm: SimulatedSlurm
  /** How many Kube nodes; one worker runs on each. */
  readonly nodes: number
  /** Only workers of this namespace; its name is part of the names of the Kube nodes. Default: all. */
  readonly namespace?: string
}

/** See the module. */
export interface Machines extends AsyncDisposable {
  /** How long a slurmd takes from now on until it has registered; its pod is Ready before that. */
  registerAfterMs: number
  /** Jobs that ended because their pod was deleted. */
  readonly lostJobs: readonly number[]
  /** Names of the pods that were deleted, in their order. */
  readonly deletedPods: readonly string[]
}

const PODS_AT_ONCE = 16
const RETRY_MS = 500
const WORKERS = 'app.kubernetes.io/name=slurmd'

/** Make the Kube nodes and run everything on them until the end of the block. */
export async function startMachines({ client, slurm, nodes, namespace }: MachineOptions): Promise<Machines> {
  const names = Array.from({ length: nodes }, (_, at) => `${namespace ?? 'machine'}-${at}`)
  const lanes = new Lanes(PODS_AT_ONCE)
  await Promise.all(names.map((name) => lanes.run(() => createNode(client, name))))
  const kubelet = new Kubelet(client, slurm, names, lanes)
  const end = new AbortController()
  const cache = new Cache<Live<Pod>, Live<Pod>>({
    ...{ name: 'pods', labelSelector: WORKERS, keep: withoutManagedFields<Pod> },
    ...{ reader: client.resource(podResource), clock: systemClock, random: Math.random },
    ...(namespace !== undefined && { namespaces: [namespace] }),
  })
  cache.listen((change) => (change.kind === 'deleted' ? kubelet.forget(change.object) : kubelet.follow(change.object)))
  const ran = cache.run({ stop: end.signal, abort: end.signal, ready: () => {} })
  await cache.synced()
  return Object.assign(kubelet, {
    [Symbol.asyncDispose]: async () => {
      kubelet.stop()
      end.abort()
      await ran
    },
  })
}

async function createNode(client: Client, name: string): Promise<void> {
  const nodes = client.resource(nodeResource)
  await nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name } })
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }]
  await nodes.status.patch({ name }, { type: 'merge', body: { status: { conditions } } })
}

/** All kubelets and the scheduler at once. */
class Kubelet {
  registerAfterMs = 0
  readonly lostJobs: number[] = []
  readonly deletedPods: string[] = []
  readonly #client: Client
  readonly #slurm: SimulatedSlurm
  readonly #free: string[]
  readonly #lanes: Lanes
  /** By uid: how far a pod is. */
  readonly #lives = new Map<string, 'running' | 'ending'>()
  readonly #addresses = new Map<string, string>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #isStopped = false

  constructor(client: Client, slurm: SimulatedSlurm, nodes: readonly string[], lanes: Lanes) {
    this.#client = client
    this.#slurm = slurm
    this.#free = [...nodes]
    this.#lanes = lanes
  }

  follow(pod: Live<Pod>): void {
    const { uid, deletionTimestamp } = pod.metadata
    const life = this.#lives.get(uid)
    if (deletionTimestamp !== undefined) {
      if (life === 'ending') return
      this.#lives.set(uid, 'ending')
      this.#do(() => this.#end(pod))
    } else if (life === undefined) {
      this.#lives.set(uid, 'running')
      this.#do(() => this.#begin(pod))
    }
  }

  forget({ metadata: { uid, name }, spec }: Live<Pod>): void {
    if (spec?.nodeName !== undefined) this.#free.push(spec.nodeName)
    this.#lives.delete(uid)
    this.deletedPods.push(name)
  }

  stop(): void {
    this.#isStopped = true
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** Do it, again if the server is away; what is gone needs nothing. */
  #do(work: () => Promise<void>): void {
    const attempt = async (): Promise<void> => {
      if (this.#isStopped) return
      try {
        await this.#lanes.run(work)
      } catch (error) {
        if (!isNotFound(error) && !isFailure(error, 'Conflict')) this.#later(RETRY_MS, () => void attempt())
      }
    }
    void attempt()
  }

  #later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, ms)
    this.#timers.add(timer)
  }

  async #begin(pod: Live<Pod>): Promise<void> {
    const { uid } = pod.metadata
    if (this.#lives.get(uid) !== 'running') return
    const node = pod.spec?.nodeName ?? this.#free.shift()
    if (node === undefined) return this.#later(RETRY_MS, () => this.#do(() => this.#begin(pod)))
    if (pod.spec?.nodeName === undefined) await this.#bind(pod, node)
    await this.#writeStatus(pod, false)
    this.#register(pod)
    await this.#writeStatus(pod, true)
  }

  async #bind({ metadata: { name, namespace, uid } }: Live<Pod>, node: string): Promise<void> {
    try {
      const metadata = { name, ...(namespace !== undefined && { namespace }), uid }
      const target = { apiVersion: 'v1', kind: 'Node', name: node }
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target } as const
      await this.#client.resource(podResource).binding.create({ name, namespace }, binding)
    } catch (error) {
      if (isFailure(error, 'Conflict')) return // an attempt before this one has done it
      this.#free.push(node)
      throw error
    }
  }

  async #writeStatus({ metadata: { name, namespace, uid }, spec }: Live<Pod>, isReady: boolean): Promise<void> {
    const now = printTime(systemClock.now())
    const status = isReady ? 'True' : 'False'
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status, lastTransitionTime: now }))
    const containerStatuses = (spec?.containers ?? []).map(({ name: container, image = '' }) => ({
      ...{ name: container, image, imageID: '', ready: isReady, restartCount: 0, started: true },
      state: { running: { startedAt: now } },
    }))
    const life = { phase: 'Running', podIP: this.#addressOf(uid), startTime: now }
    const body = { metadata: { uid }, status: { ...life, conditions, containerStatuses } }
    await this.#client.resource(podResource).status.patch({ name, namespace }, { type: 'strategic', body })
  }

  #addressOf(uid: string): string {
    const known = this.#addresses.get(uid)
    if (known !== undefined) return known
    const number = this.#addresses.size + 1
    const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
    this.#addresses.set(uid, address)
    return address
  }

  #register(pod: Live<Pod>): void {
    const slurmd = slurmdOf(pod)
    if (slurmd === undefined) return
    const join = () => {
      if (this.#lives.get(pod.metadata.uid) === 'running') this.#slurm.addWorker(slurmd)
    }
    if (this.registerAfterMs > 0) this.#later(this.registerAfterMs, join)
    else join()
  }

  /** preStop tells Slurm; then slurmd ends, and what ran under it. */
  async #end(pod: Live<Pod>): Promise<void> {
    const { name, namespace, uid } = pod.metadata
    const slurmd = slurmdOf(pod)?.name ?? ''
    const record = this.#slurm.truth.node(slurmd)
    if (record !== undefined) {
      this.lostJobs.push(
        ...record.jobs.filter((id) => ['RUNNING', 'SUSPENDED'].includes(this.#slurm.truth.job(id)?.state ?? '')),
      )
      this.#slurm.orders.updateNode(slurmd, { state: 'DOWN', reason: 'slurm-operator: Pod is terminating' })
      this.#slurm.stopSlurmd(slurmd)
    }
    const pods = this.#client.resource(podResource)
    await pods.delete({ name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid } })
  }
}

/** So many at the same time; the others wait for their turn. */
class Lanes {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #busy = 0

  constructor(most: number) {
    this.#most = most
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy++
    try {
      return await work()
    } finally {
      this.#busy--
      this.#waiting.shift()?.()
    }
  }
}
