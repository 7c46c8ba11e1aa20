import { setTimeout as sleep } from 'node:timers/promises'
import { controllerResource, nodeSetResource, restApiResource, type NodeSet } from '@slurm-operator/api'
import { podResource, secretResource, systemClock, type Live } from '@slurm-operator/kube'
import { httpTransport, SlurmRegistry, type HttpTransportOptions } from '@slurm-operator/slurm'
import { createSimulatedSlurm, type Fault, type SimulatedSlurm } from '@slurm-operator/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConnectionPass } from '../connections/reconcile-connection.ts'
import { connectionSources } from '../connections/watch.ts'
import { createLoop } from '../programs/create-loop.ts'
import { buildController, buildKey, buildNodeSet, buildRestApi } from '../simulation/objects.ts'
import { startBed, type Bed } from '../testing/bed.ts'
import { createNamespace, eventually } from '../testing/gen.ts'
import { startMachines, type Machines } from './gen-machines.ts'
import { createNodeSetPass } from './reconcile.ts'
import { nodeSetSources } from './watch.ts'

const WORKERS = 50
const BUSY = 40
const SOON_MS = 90_000
const DAY_MS = 24 * 3600_000

let bed: Bed
const urls = new Map<string, string>()

/** Each namespace has a slurmrestd of its own, behind the name of its Service. */
const openTransport = (options: HttpTransportOptions) => {
  const namespace = new URL(options.url).hostname.split('.')[1] ?? ''
  return httpTransport({ ...options, url: urls.get(namespace) ?? options.url })
}

beforeAll(async () => {
  bed = await startBed()
  await bed.run(
    (world) => [
      createLoop(world, 'slurmclient', { reconcile: createConnectionPass(world), sources: connectionSources(world) }),
      createLoop(
        world,
        'nodeset',
        { reconcile: createNodeSetPass(world), sources: nodeSetSources(world) },
        { workers: 4 },
      ),
    ],
    { slurm: new SlurmRegistry({ openTransport }) },
  )
})
afterAll(async () => {
  await bed?.[Symbol.asyncDispose]()
})

/** Fifty workers, forty of them with a job that runs all day. */
class BusyWorkers implements AsyncDisposable {
  readonly namespace: string
  readonly slurm: SimulatedSlurm
  readonly machines: Machines
  readonly jobs = new Map<string, number>()
  readonly #door: AsyncDisposable

  private constructor(namespace: string, slurm: SimulatedSlurm, machines: Machines, door: AsyncDisposable) {
    this.namespace = namespace
    this.slurm = slurm
    this.machines = machines
    this.#door = door
  }

  static async make(namespace: string): Promise<BusyWorkers> {
    const slurm = createSimulatedSlurm({ clock: systemClock, pace: { slurmdTimeoutMs: 300_000 } })
    const door = await slurm.listen()
    urls.set(namespace, door.url)
    await createNamespace(bed.client, namespace)
    const at = <T extends { readonly metadata: object }>(object: T) => inNamespace(namespace, object)
    await bed.client.resource(secretResource).create(at(buildKey(slurm.signingKey)))
    await bed.client.resource(controllerResource).create(at(buildController()))
    await bed.client.resource(restApiResource).create(at(buildRestApi()))
    await bed.client.resource(nodeSetResource).create(at(buildNodeSet('w', { replicas: WORKERS })))
    const machines = await startMachines({ client: bed.client, slurm, namespace, nodes: 2 * WORKERS })
    const busy = new BusyWorkers(namespace, slurm, machines, door)
    await busy.untilReady(WORKERS)
    for (let at = 0; at < BUSY; at++) busy.#occupy(`w-${at}`)
    await eventually('the jobs to run', () => busy.running().length === BUSY || undefined)
    return busy
  }

  #occupy(worker: string): void {
    this.jobs.set(worker, this.slurm.orders.submitJob({ requiredNodes: [worker], runMs: DAY_MS }))
  }

  running(): readonly string[] {
    return [...this.jobs].flatMap(([name, id]) => (this.slurm.truth.job(id)?.state === 'RUNNING' ? [name] : []))
  }

  async untilReady(workers: number): Promise<void> {
    await eventually(
      `${workers} workers to be Ready`,
      async () => {
        const nodeSet = await this.nodeSet()
        const { replicas = 0, readyReplicas = 0, slurmIdle = 0, slurmAllocated = 0 } = nodeSet.status ?? {}
        const counts = [replicas, readyReplicas, slurmIdle + slurmAllocated]
        return (isReady(nodeSet) && counts.every((count) => count === workers)) || undefined
      },
      SOON_MS,
    )
  }

  nodeSet(): Promise<Live<NodeSet>> {
    return bed.client.resource(nodeSetResource).get({ namespace: this.namespace, name: 'w' })
  }

  async scale(replicas: number): Promise<void> {
    const body = { spec: { replicas } }
    await bed.client.resource(nodeSetResource).patch({ namespace: this.namespace, name: 'w' }, { type: 'merge', body })
  }

  async uidOf(name: string): Promise<string | undefined> {
    return (await bed.client.resource(podResource).find({ namespace: this.namespace, name }))?.metadata.uid
  }

  /** Somebody deletes an idle worker; it must come back whatever Slurm says. */
  async loseIdleWorker(): Promise<void> {
    const before = await this.uidOf(IDLE)
    await bed.client.resource(podResource).delete({ namespace: this.namespace, name: IDLE })
    await eventually(`a new ${IDLE}`, async () => {
      const now = await this.uidOf(IDLE)
      return (now !== undefined && now !== before) || undefined
    })
  }

  /** Jobs that ended and pods that went, besides those that are meant to. */
  harm(...meant: readonly string[]): Harm {
    const { lostJobs, deletedPods } = this.machines
    return { lostJobs, deletedPods: deletedPods.filter((name) => !meant.includes(name)) }
  }

  /** Look for so long, or until there is harm. */
  async harmWithin(forMs: number, ...meant: readonly string[]): Promise<Harm> {
    const endMs = performance.now() + forMs
    while (performance.now() < endMs && !isHarm(this.harm(...meant))) await sleep(100)
    return this.harm(...meant)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.machines[Symbol.asyncDispose]()
    await this.#door[Symbol.asyncDispose]()
  }
}

interface Harm {
  readonly lostJobs: readonly number[]
  readonly deletedPods: readonly string[]
}

const none: Harm = { lostJobs: [], deletedPods: [] }
const isHarm = ({ lostJobs, deletedPods }: Harm) => lostJobs.length + deletedPods.length > 0
const IDLE = `w-${WORKERS - 1}`

function inNamespace<T extends { readonly metadata: object }>(namespace: string, object: T) {
  return { ...object, metadata: { ...object.metadata, namespace } }
}

function isReady({ metadata, status }: Live<NodeSet>): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation
}

const faults: readonly { readonly name: string; readonly fault: Fault; readonly forMs: number }[] = [
  { name: 'an empty list of each kind', fault: { kind: 'empty-list', times: 2 }, forMs: 5_000 },
  { name: 'a list of each kind that lacks records', fault: { kind: 'partial-list', times: 2 }, forMs: 5_000 },
  { name: 'empty lists for a while', fault: { kind: 'empty-list' }, forMs: 10_000 },
  { name: 'lists that lack records', fault: { kind: 'partial-list' }, forMs: 10_000 },
  { name: 'a slurmrestd that hangs', fault: { kind: 'hang' }, forMs: 15_000 },
  { name: 'a slurmrestd that fails', fault: { kind: 'error-500' }, forMs: 10_000 },
]

describe.concurrent('workers with jobs prevent that', () => {
  test.each(faults)('$name ends a job, deletes a worker or keeps a lost one away', async ({ fault, forMs }) => {
    await using busy = await BusyWorkers.make(`fault-${fault.kind}-${fault.times ?? 'many'}`)
    const end = busy.slurm.misbehave(fault)
    await busy.loseIdleWorker()
    expect(await busy.harmWithin(forMs, IDLE)).toEqual(none)
    end()
    await busy.untilReady(WORKERS)
    expect(busy.harm(IDLE)).toEqual(none)
    expect(busy.running()).toHaveLength(BUSY)
  })

  test('a RestApi that is away during a scale-in ends all jobs of those who leave', async () => {
    await using busy = await BusyWorkers.make('no-restapi')
    await bed.client.resource(restApiResource).delete({ namespace: busy.namespace, name: 'web' })
    await busy.scale(2)
    await eventually('the NodeSet to say that Slurm is away', async () => {
      const { status } = await busy.nodeSet()
      return status?.conditions?.some((line) => line.type === 'SlurmReachable' && line.status !== 'True') || undefined
    })
    expect(await busy.harmWithin(10_000)).toEqual(none)
    await bed.client.resource(restApiResource).create(inNamespace(busy.namespace, buildRestApi()))
    const idle = Array.from({ length: WORKERS - BUSY }, (_, at) => `w-${BUSY + at}`)
    await eventually(
      'the workers without jobs to leave',
      () => busy.machines.deletedPods.length === idle.length || undefined,
    )
    expect(busy.harm(...idle)).toEqual(none)
    for (const id of busy.jobs.values()) busy.slurm.orders.cancelJob(id)
    await busy.untilReady(2)
    expect(busy.machines.lostJobs).toEqual([])
  })

  test('workers that register late are deleted and made again without end', async () => {
    await using busy = await BusyWorkers.make('late')
    busy.machines.registerAfterMs = 20_000
    await busy.scale(WORKERS + 4)
    expect(await busy.harmWithin(20_000)).toEqual(none)
    await busy.untilReady(WORKERS + 4)
    expect(busy.harm()).toEqual(none)
  })
})

test('an API server that is away ends a job or deletes a worker', async () => {
  await using busy = await BusyWorkers.make('no-server')
  await bed.server.kill()
  expect(await busy.harmWithin(5_000)).toEqual(none)
  await bed.server.restart()
  await busy.loseIdleWorker()
  await busy.untilReady(WORKERS)
  expect(busy.harm(IDLE)).toEqual(none)
  expect(busy.running()).toHaveLength(BUSY)
})
