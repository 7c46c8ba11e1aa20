/**
 * The life of pods on their machines: containers start, slurmd registers, the pod is Ready; at the end preStop tells
 * Slurm, slurmd stops, the object goes. On a machine without power nothing of this happens.
 *
 * @module
 */
import { podResource, printTime, type Live, type Pod } from '@slurm-operator/kube'
import { hasItsVolumes, letClaimsGo } from './claims.ts'
import { later, type Parts } from './parts.ts'
import { slurmdOf, type Slurmd } from './slurmd-of.ts'

/** A pod on its machine. */
interface Life {
  readonly uid: string
  readonly name: string
  readonly namespace: string | undefined
  readonly node: string
  readonly slurmd: Slurmd | undefined
  state: 'starting' | 'running' | 'ending'
  /** When its containers were started last. */
  startedAtMs: number
  /** Since when slurmd is up; undefined while it is not. */
  slurmdSinceMs: number | undefined
  restarts: number
}

/** Which pod is meant. */
interface Named {
  readonly name: string
  readonly namespace?: string | undefined
  readonly uid: string
}

/** What reasons of the operator begin with. */
const OURS = 'slurm-operator: '

const RETRY_SPAN = [1_000, 2_000] as const

/** See the module. */
export class PodLives {
  readonly #parts: Parts
  readonly #lives = new Map<string, Life>()
  #addresses = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** A pod has changed, as the API server says. */
  follow(pod: Live<Pod>): void {
    const { uid, deletionTimestamp } = pod.metadata
    const life = this.#lives.get(uid)
    if (deletionTimestamp !== undefined) {
      if (life === undefined) this.#remove(pod)
      else if (life.state !== 'ending') this.#beginEnd(life, pod.spec?.terminationGracePeriodSeconds ?? 30)
    } else if (life === undefined && pod.spec?.nodeName !== undefined && !isOver(pod)) this.#begin(pod)
  }

  /** A pod has left the API server: nothing of it may go on. */
  forget(pod: Live<Pod>): void {
    const life = this.#lives.get(pod.metadata.uid)
    if (life !== undefined) this.#stopSlurmd(life, 'its pod was deleted by force')
    this.#lives.delete(pod.metadata.uid)
    letClaimsGo(this.#parts)
  }

  /** The jobs that run in a pod now. */
  jobsIn(uid: string): number[] {
    const life = this.#lives.get(uid)
    if (life?.slurmd === undefined || life.slurmdSinceMs === undefined) return []
    return this.#parts.jobs.runningOn(life.slurmd.name, life.slurmdSinceMs)
  }

  /** The machine loses its power: no preStop, no goodbye. */
  cutPower(node: string): void {
    for (const life of this.#on(node)) {
      this.#stopSlurmd(life, `Kube node ${node} lost its power`)
      if (life.state === 'running') life.state = 'starting'
    }
  }

  /** The machine is back: pods start again, or end at last. */
  restorePower(node: string): void {
    for (const life of this.#on(node)) {
      if (life.state === 'ending') this.#finishEnd(life)
      else {
        life.restarts++
        this.#startLater(life)
      }
    }
  }

  /** The slurmd container of a pod dies and is started again. */
  async crash(uid: string): Promise<void> {
    const life = this.#lives.get(uid)
    if (life?.state !== 'running') return
    this.#stopSlurmd(life, 'slurmd crashed')
    life.restarts++
    life.state = 'starting'
    await this.#writeStatus(life, 'Running', false)
    this.#startLater(life)
  }

  /** The machine throws a pod out: its phase is Failed for good. */
  async evict(uid: string): Promise<void> {
    const life = this.#lives.get(uid)
    if (life === undefined || life.state === 'ending') return
    this.#stopSlurmd(life, 'the kubelet evicted its pod')
    this.#lives.delete(uid)
    await this.#writeStatus(life, 'Failed', false)
  }

  *#on(node: string): Generator<Life> {
    for (const life of [...this.#lives.values()]) if (life.node === node) yield life
  }

  #begin(pod: Live<Pod>): void {
    const { uid, name, namespace } = pod.metadata
    const node = pod.spec?.nodeName ?? ''
    const slurmd = slurmdOf(pod)
    const life: Life = {
      ...{ uid, name, namespace, node, slurmd },
      state: 'starting',
      startedAtMs: 0,
      slurmdSinceMs: undefined,
      restarts: 0,
    }
    this.#lives.set(uid, life)
    this.#startLater(life)
  }

  #startLater(life: Life, span = this.#parts.pace.starting): void {
    const parts = this.#parts
    const { restarts } = life
    later(parts, span, async () => {
      if (!this.#isCurrent(life, restarts) || life.state !== 'starting' || parts.dark.has(life.node)) return
      const pod = parts.server.find(podResource, life)
      if (pod?.metadata.uid !== life.uid) return
      if (!hasItsVolumes(parts, pod)) return this.#startLater(life, RETRY_SPAN)
      life.state = 'running'
      life.startedAtMs = parts.clock.now()
      this.#registerLater(life)
      await this.#writeStatus(life, 'Running', false)
      later(parts, parts.pace.becomingReady, async () => {
        if (this.#isCurrent(life, restarts) && life.state === 'running') await this.#writeStatus(life, 'Running', true)
      })
    })
  }

  #registerLater(life: Life): void {
    const parts = this.#parts
    const { slurmd, restarts } = life
    if (slurmd === undefined) return
    later(parts, parts.pace.registering, async () => {
      if (!this.#isCurrent(life, restarts) || life.state !== 'running') return
      life.slurmdSinceMs = parts.clock.now()
      this.#buryGhosts(slurmd.name)
      parts.jobs.begin(slurmd.name)
      const address = parts.server.find(podResource, life)?.status?.podIP ?? ''
      parts.jobs.excuse('slurmd registers', () => parts.slurm.addWorker({ ...slurmd, address }))
    })
  }

  /** What ran under an earlier slurmd of this name is dead; slurmctld notices when the new one does not know it. */
  #buryGhosts(name: string): void {
    const { slurm, jobs } = this.#parts
    if ((slurm.truth.node(name)?.jobs ?? []).length === 0) return
    const change = { state: 'DOWN', reason: 'Not responding' }
    jobs.excuse('slurmd was started again', () => order(() => slurm.orders.updateNode(name, change)))
  }

  #isCurrent(life: Life, restarts: number): boolean {
    return this.#lives.get(life.uid) === life && life.restarts === restarts
  }

  #beginEnd(life: Life, graceSeconds: number): void {
    const parts = this.#parts
    const wasUp = life.slurmdSinceMs !== undefined
    life.state = 'ending'
    if (parts.dark.has(life.node)) return // nobody is there to end it
    if (wasUp) this.#tellSlurm(life)
    const [fromMs, toMs] = parts.pace.ending
    const graceMs = graceSeconds * 1000
    later(parts, [Math.min(fromMs, graceMs), Math.min(toMs, graceMs)], async () => {
      if (!parts.dark.has(life.node)) await this.#end(life)
    })
  }

  #finishEnd(life: Life): void {
    later(this.#parts, RETRY_SPAN, () => this.#end(life))
  }

  async #end(life: Life): Promise<void> {
    if (this.#lives.get(life.uid) !== life) return
    this.#stopSlurmd(life, 'its pod was deleted')
    this.#lives.delete(life.uid)
    await this.#delete(life)
  }

  /** preStop: Slurm need not find out by silence. What somebody else wrote as the reason stays. */
  #tellSlurm(life: Life): void {
    const { slurm, jobs } = this.#parts
    const name = life.slurmd?.name ?? ''
    jobs.die(this.jobsIn(life.uid), name, life.uid, 'its pod was deleted')
    const before = slurm.truth.node(name)?.record.reason ?? ''
    const isOurs = before === '' || before.startsWith(OURS)
    const change = { state: 'DOWN', ...(isOurs && { reason: `${OURS}Pod is terminating` }) }
    jobs.excuse('preStop', () => order(() => slurm.orders.updateNode(name, change)))
  }

  /** slurmd ends, and all jobs under it. If a newer pod has the same name in Slurm, that one stays. */
  #stopSlurmd(life: Life, because: string): void {
    const { slurmd, slurmdSinceMs } = life
    if (slurmd === undefined || slurmdSinceMs === undefined) return
    const { slurm, jobs } = this.#parts
    jobs.die(this.jobsIn(life.uid), slurmd.name, life.uid, because)
    life.slurmdSinceMs = undefined
    const rivals = [...this.#lives.values()].filter((other) => other.slurmd?.name === slurmd.name)
    if (rivals.some((other) => other !== life && other.slurmdSinceMs !== undefined)) return
    jobs.end(slurmd.name)
    jobs.excuse(because, () => slurm.stopSlurmd(slurmd.name))
  }

  #remove(pod: Live<Pod>): void {
    later(this.#parts, [0, 0], () => this.#delete(pod.metadata))
  }

  async #delete({ name, namespace, uid }: Named): Promise<void> {
    const pods = this.#parts.client.resource(podResource)
    await pods.delete({ name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid } })
  }

  async #writeStatus(life: Life, phase: 'Running' | 'Failed', isReady: boolean): Promise<void> {
    const { server, client, clock } = this.#parts
    const { name, namespace, uid } = life
    const present = server.find(podResource, { name, namespace })
    if (present?.metadata.uid !== uid) return
    const now = printTime(clock.now())
    const status = {
      ...{ phase, podIP: present.status?.podIP ?? this.#nextAddress(), startTime: present.status?.startTime ?? now },
      conditions: [condition(present, 'Ready', isReady, now), condition(present, 'ContainersReady', isReady, now)],
      containerStatuses: (present.spec?.containers ?? []).map((container) =>
        containerStatus(container, life, now, phase),
      ),
    }
    await client.resource(podResource).status.patch({ name, namespace }, { type: 'strategic', body: { status } })
  }

  #nextAddress(): string {
    const number = ++this.#addresses
    return `10.0.${number >> 8}.${number & 255}`
  }
}

function isOver({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded'
}

/** Nobody takes orders while slurmctld is away. */
function order(action: () => unknown): void {
  try {
    action()
  } catch {
    // it will find out by itself
  }
}

function condition(pod: Pod, type: string, isTrue: boolean, now: string) {
  const status = isTrue ? 'True' : 'False'
  const before = pod.status?.conditions?.find((one) => one.type === type)
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now
  return { type, status, lastTransitionTime }
}

function containerStatus(
  { name, image = '' }: { readonly name: string; readonly image?: string },
  { state, restarts, startedAtMs }: Life,
  now: string,
  phase: string,
) {
  const running = phase === 'Running' && state === 'running'
  return {
    ...{ name, image, imageID: '', ready: running, restartCount: restarts, started: running },
    state: running
      ? { running: { startedAt: printTime(startedAtMs) }, terminated: null }
      : { terminated: { exitCode: 1, finishedAt: now, startedAt: now }, running: null },
  }
}
