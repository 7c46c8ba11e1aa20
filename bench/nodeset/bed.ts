/**
 * Where the operator is measured: a real API server that writes down what the operator asks, simulated kubelets with a
 * simulated Slurm in one process, and the operator in another.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  API_GROUP_VERSION,
  clusterResource,
  controllerResource,
  nodeSetResource,
  type NodeSet,
} from '@slurm-operator/api'
import { secretResource, type Client, type Live } from '@slurm-operator/kube'
import { startApiServer, until, type ApiServer } from '@slurm-operator/local'
import {
  buildController,
  buildKey,
  buildNodeSet,
  CLUSTER,
  NAMESPACE,
} from '../../packages/operator/src/simulation/objects.ts'
import { createNamespace, installKinds, testClient } from '../../packages/operator/src/testing/gen.ts'
import { bundleProgram } from '../../tools/image/bundle.ts'
import { ROOT } from '../../tools/project.ts'
import type { Surroundings } from '../benchmark.ts'
import { startWorker, type Worker } from '../kube/serve.ts'
import { RequestCounter, type Requests } from './count-requests.ts'
import type { MachinesAnswers, MachinesOrder, ProbeAnswers, ProbeOrder } from './orders.ts'

const MINUTE = 60_000
const OPERATOR = 'bench-operator'
const NODE_SET = { namespace: NAMESPACE, name: 'workers' }
const LOOK_MS = 200
const QUIET_MS = 12_000

/** What one part of the work cost. */
export interface Part extends Readonly<ProbeAnswers['end']> {
  readonly rssBeforeMb: number
  readonly requests: Requests
  readonly slurm: Readonly<Record<string, number>>
  readonly machinesCpuSeconds: number
}

/** See the module. */
export interface Bed extends AsyncDisposable {
  /** Change the NodeSet, wait until it is as wanted, and say what that cost the operator. */
  readonly measure: (change: object, isDone: (nodeSet: Live<NodeSet>) => boolean) => Promise<Part>
  /** Look on for so long while nothing happens. */
  readonly rest: (seconds: number) => Promise<Part>
}

/** Everything, with a NodeSet that has no workers yet. */
export async function makeBed(workers: number, { signal, say }: Surroundings): Promise<Bed> {
  await using started = new AsyncDisposableStack()
  const server = started.use(await startApiServer({ auditPolicy: onlyRequestsOf(OPERATOR) }))
  const client = await testClient(server.kubeconfig)
  started.defer(() => client.close())
  await installKinds(client)
  const machines: Worker<MachinesOrder, MachinesAnswers> = started.use(
    startWorker('../nodeset/machines-process.ts', [], signal),
  )
  const slurm = await machines.ask({ do: 'start', kubeconfig: server.kubeconfig, nodes: workers }, 10 * MINUTE)
  say(`An API server with ${workers} Kube nodes and a simulated Slurm.`)
  await createObjects(client, slurm)
  const counter = new RequestCounter(server.auditLog)
  const program = await prepareOperator(server)
  await warmUp({ client, machines, counter, signal, operator: startOperator(program, signal) })
  const operator = started.use(startOperator(program, signal))
  const parts = { client, machines, operator, counter, signal }
  const asksSlurm = async () => (await machines.ask({ do: 'count' }, MINUTE)).slurm['GET /nodes/']
  await until('the operator to begin', asksSlurm, { timeoutMs: MINUTE })
  await settle(parts)
  const kept = started.move()
  return {
    measure: async (change, isDone) => {
      const rssBeforeMb = await begin(parts, true)
      await client.resource(nodeSetResource).patch(NODE_SET, { type: 'merge', body: change })
      await untilDone(parts, isDone)
      return end(parts, rssBeforeMb)
    },
    rest: async (seconds) => {
      await settle(parts)
      const rssBeforeMb = await begin(parts, false)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
      return end(parts, rssBeforeMb)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Whether what was asked for is there, as the NodeSet itself says. */
export function isReady({ metadata, status }: Live<NodeSet>): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation
}

function onlyRequestsOf(user: string): object {
  const omitStages = ['RequestReceived', 'ResponseStarted', 'Panic']
  return { omitStages, rules: [{ level: 'Metadata', users: [user] }, { level: 'None' }] }
}

/** A Slurm outside, so that nothing but workers has to run. */
async function createObjects(client: Client, { url, token, signingKey }: MachinesAnswers['start']): Promise<void> {
  await createNamespace(client, NAMESPACE)
  await client.resource(secretResource).create(buildKey(Buffer.from(signingKey, 'base64')))
  const metadata = { namespace: NAMESPACE, name: 'token' }
  await client
    .resource(secretResource)
    .create({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { 'auth-token': token } })
  const { spec, ...controller } = buildController()
  const image = { image: 'slurmctld:1' }
  const images = { slurmctld: image, reconfigure: image, logfile: image }
  await client.resource(controllerResource).create({ ...controller, spec: { ...spec, ...images } })
  await client.resource(clusterResource).create({
    ...{ apiVersion: API_GROUP_VERSION, kind: 'Cluster', metadata: { namespace: NAMESPACE, name: CLUSTER } },
    spec: { server: url, token: { secretRef: { name: 'token', key: 'auth-token' } } },
  })
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } } as const
  await client.resource(nodeSetResource).create(buildNodeSet(NODE_SET.name, { replicas: 0, updateStrategy }))
}

interface Program {
  readonly file: string
  readonly probe: string
  readonly flags: readonly string[]
  readonly compileCache: string
}

/** The operator as it ships: one file. The server knows it by its own name, so that its requests are told apart. */
async function prepareOperator(server: ApiServer): Promise<Program> {
  const { folder } = server
  const bundle = async (entry: string, file: string) => {
    writeFileSync(file, (await bundleProgram(ROOT, entry, process.execPath)).code)
    return file
  }
  const file = await bundle('packages/operator/src/programs/manager.ts', join(folder, 'manager.mjs'))
  const probe = await bundle('bench/nodeset/probe-process.ts', join(folder, 'probe.mjs'))
  const kubeconfig = join(folder, 'operator.kubeconfig')
  writeFileSync(kubeconfig, await server.kubeconfigFor({ name: OPERATOR, groups: ['system:masters'] }), { mode: 0o600 })
  const flags = ['--kubeconfig', kubeconfig, '--metrics-addr', '0', '--health-addr', '0', '--zap-log-level', 'error']
  return { file, probe, flags, compileCache: join(folder, 'compile-cache') }
}

function startOperator(
  { file, probe, flags, compileCache }: Program,
  signal: AbortSignal,
): Worker<ProbeOrder, ProbeAnswers> {
  return startWorker(relative(join(ROOT, 'bench', 'kube'), file), flags, signal, {
    flags: ['--max-semi-space-size=4', '--import', pathToFileURL(probe).href],
    compileCache,
  })
}

interface Parts {
  readonly client: Client
  readonly machines: Worker<MachinesOrder, MachinesAnswers>
  readonly operator: Worker<ProbeOrder, ProbeAnswers>
  readonly counter: RequestCounter
  readonly signal: AbortSignal
}

/** Load it once without measuring: what ships is compiled and bundled beforehand. */
async function warmUp(parts: Parts): Promise<void> {
  await using operator = parts.operator
  await untilDone(parts, isReady)
  await operator.ask({ do: 'begin', watchTurns: false }, MINUTE)
  await parts.machines.ask({ do: 'count' }, MINUTE)
}

async function untilDone({ client, signal }: Parts, isDone: (nodeSet: Live<NodeSet>) => boolean): Promise<void> {
  const look = async () => isDone(await client.resource(nodeSetResource).get(NODE_SET)) || undefined
  const giveUpWhen = () => (signal.aborted ? 'it was stopped' : undefined)
  await until('the NodeSet to be as wanted', look, { timeoutMs: 30 * MINUTE, everyMs: LOOK_MS, giveUpWhen })
}

async function begin({ machines, operator, counter }: Parts, watchTurns: boolean): Promise<number> {
  await machines.ask({ do: 'count' }, MINUTE)
  counter.take()
  return (await operator.ask({ do: 'begin', watchTurns }, MINUTE)).rssMb
}

async function end({ machines, operator, counter }: Parts, rssBeforeMb: number): Promise<Part> {
  const cost = await operator.ask({ do: 'end' }, MINUTE)
  const { slurm, cpuSeconds } = await machines.ask({ do: 'count' }, MINUTE)
  return { ...cost, rssBeforeMb, slurm, requests: counter.take(), machinesCpuSeconds: cpuSeconds }
}

/** The echo of the last part is no rest: wait until nothing was asked for some seconds, of nobody. */
async function settle({ counter, machines, signal }: Parts): Promise<void> {
  let looks = 0
  const isQuiet = async () => {
    const { slurm } = await machines.ask({ do: 'count' }, MINUTE)
    const isSilent = Object.keys({ ...counter.take(), ...slurm }).length === 0
    return (looks++ > 0 && isSilent) || undefined // the first look is at no time at all
  }
  const giveUpWhen = () => (signal.aborted ? 'it was stopped' : undefined)
  await until('the operator to come to rest', isQuiet, { timeoutMs: 5 * MINUTE, everyMs: QUIET_MS, giveUpWhen })
}
