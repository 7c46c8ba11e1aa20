/**
 * One history: a cluster by chance, troubles for a while, then peace. While it lasts the promises are observed; after
 * peace everything must be Ready within a stated time, and then nothing may be written any more.
 *
 * @module
 */
import { nodeSetResource, withNodeSetDefaults, type NodeSet } from '@slurm-operator/api'
import { nodeResource, podResource, type Condition } from '@slurm-operator/kube'
import { createRandomSource, peace, type RandomSource } from '@slurm-operator/testkit'
import { chooseHappening, type Happening, type Stage } from './happening.ts'
import { machineAccidents } from './machine-accidents.ts'
import { operatorTroubles, planWay } from './operator-troubles.ts'
import { FOREIGN_REASON, type Annotations } from './objects.ts'
import { observePromises } from './promises.ts'
import type { Way } from './recent.ts'
import { createSimulatedCluster, type SimulatedCluster } from './simulated-cluster.ts'
import { slurmTroubles } from './slurm-troubles.ts'
import { userEdits } from './user-edits.ts'

/** What came of a history. */
export interface History {
  readonly seed: number
  readonly broken: readonly string[]
  /** What happened, in words. */
  readonly story: readonly string[]
  /** Calls of the operator and lines of its watches. */
  readonly steps: number
  readonly simulatedMs: number
  /** How long everything took to be Ready after the troubles. */
  readonly settledAfterMs: number
  /** As it was at the end, for those who look into a failure. */
  readonly cluster: SimulatedCluster
}

/**
 * Jobs of eight minutes, workers that Slurm forgot and that are given back after a quarter of an hour one by one … In 1,500
 * histories the median was 4 minutes, and the longest took 17.
 */
const SETTLED_WITHIN_MS = 45 * 60_000
/** Jobs that Slurm has queued again since peace began may find no worker: nobody may want any. */
const JOBS_WAIT_MS = 1_800_000
const QUIET_MS = 600_000
const MOST_QUIET_TRIES = 5
const POOLS = ['gpu', 'cpu']
const TICK_MS = 10_000
const all: readonly Happening[] = [...userEdits, ...machineAccidents, ...slurmTroubles, ...operatorTroubles]

/** What may be different in histories about something special. */
export interface HistoryWish {
  /** What happens besides all that usually does. */
  readonly also?: readonly Happening[]
  /** Of all NodeSets. */
  readonly annotations?: Annotations
}

/** Live through one. The same seed gives the same history. */
export async function liveThrough(seed: number, { also = [], annotations }: HistoryWish = {}): Promise<History> {
  const { cluster, random, way } = await beginHistory(seed, annotations)
  const stage: Stage = { cluster, random, promises: observePromises(cluster, way), undo: new Set() }
  await liveWithTroubles(stage, [...all, ...also])
  await makePeace(stage)
  const settledAfterMs = await untilSettled(stage)
  if (settledAfterMs < Infinity) await stayQuiet(stage)
  const { broken } = stage.promises
  for (const trouble of cluster.machines.troubles)
    (broken as string[]).push(`the simulation failed: ${String(trouble)}`)
  const history = {
    ...{ seed, broken, story: cluster.story, settledAfterMs, cluster },
    steps: cluster.world.trace.entries.length,
    simulatedMs: cluster.world.clock.monotonic(),
  }
  cluster.end()
  return history
}

async function beginHistory(
  seed: number,
  annotations: Annotations | undefined,
): Promise<{ cluster: SimulatedCluster; random: RandomSource; way: Way }> {
  const random = createRandomSource(`${seed}/history`)
  const nodeSets = Object.fromEntries(POOLS.slice(0, 1 + random.below(2)).map((name) => [name, someSpec(random, name)]))
  const nodes = Object.keys(nodeSets).flatMap((pool) => Array.from({ length: 2 + random.below(3) }, () => pool))
  const cluster = await createSimulatedCluster(seed, { nodes, nodeSets, annotations })
  cluster.tell(`it begins on ${nodes.length} Kube nodes with ${JSON.stringify(nodeSets)}`)
  const chance = random.pick([0, 0, 0.005, 0.02, 0.05])
  cluster.world.follow(planWay(cluster, random.stream('way'), chance))
  return { cluster, random, way: chance > 0 ? 'troubled' : 'sound' }
}

/** Each NodeSet has machines of its own: two that want the same ones would never come to rest. */
function someSpec(random: RandomSource, pool: string): object {
  const claims = [{ metadata: { name: 'scratch' }, spec: { accessModes: ['ReadWriteOnce'] } }]
  return {
    replicas: random.below(4),
    scalingMode: random.chance(0.8) ? 'StatefulSet' : 'DaemonSet',
    template: { spec: { nodeSelector: { pool } } },
    ...(random.chance(0.3) && { volumeClaimTemplates: claims }),
    ...(random.chance(0.2) && { pinToNode: true }),
  }
}

async function liveWithTroubles(stage: Stage, happenings: readonly Happening[]): Promise<void> {
  const { cluster, random } = stage
  await advance(stage, 1_000 * random.below(90))
  for (let left = 6 + random.below(18); left > 0; left--) {
    const happening = chooseHappening(random, happenings)
    const text = await happening.happen(stage)
    if (text !== undefined) cluster.tell(text)
    await advance(stage, random.chance(0.3) ? random.below(2_000) : 1_000 * random.below(60))
  }
}

/** Time passes, and the promises are looked at. */
async function advance({ cluster, promises }: Stage, byMs: number): Promise<void> {
  for (let left = byMs; left > 0; left -= TICK_MS) {
    await cluster.world.clock.advance(Math.min(left, TICK_MS))
    promises.look()
  }
}

/** All troubles end, jobs that wait are cancelled, and there are machines enough. */
async function makePeace(stage: Stage): Promise<void> {
  const { cluster, undo } = stage
  cluster.world.follow(peace)
  cluster.killAtSlurmCall(0, 'before', 0)
  while (undo.size > 0) {
    for (const action of [...undo]) await action()
    cancelJobs(cluster, 'SUSPENDED') // nobody lets them go on any more, and a NodeSet that drains first would wait for them
    await advance(stage, TICK_MS)
  }
  cancelWaitingJobs(cluster)
  for (const { metadata, spec } of cluster.server.all(nodeSetResource)) {
    const { replicas } = withNodeSetDefaults({ metadata, spec } as NodeSet).spec
    const nodes = cluster.server
      .all(nodeResource)
      .filter(({ metadata: { labels } }) => labels?.['pool'] === metadata.name)
    for (let missing = replicas - nodes.length; missing > 0; missing--)
      await cluster.machines.addNode(`late-${metadata.name}-${missing}`, { pool: metadata.name })
  }
  cluster.tell('peace')
}

/** Those too that an older state of slurmctld has brought back as suspended. */
function cancelWaitingJobs(cluster: SimulatedCluster): void {
  cancelJobs(cluster, 'PENDING', 'SUSPENDED')
}

function cancelJobs({ slurm }: SimulatedCluster, ...states: readonly ('PENDING' | 'SUSPENDED')[]): void {
  for (const { id, endedAtMs, state } of slurm.truth.jobs())
    if (endedAtMs === undefined && states.some((one) => one === state)) slurm.orders.cancelJob(id)
}

async function untilSettled(stage: Stage): Promise<number> {
  const { cluster, promises } = stage
  const beganAtMs = cluster.world.clock.monotonic()
  const passedMs = (): number => cluster.world.clock.monotonic() - beganAtMs
  while (passedMs() < SETTLED_WITHIN_MS) {
    await advance(stage, TICK_MS)
    if (passedMs() > JOBS_WAIT_MS) cancelWaitingJobs(cluster)
    if (whyUnsettled(cluster) === undefined) return passedMs()
  }
  promises.accuse(`not settled after ${SETTLED_WITHIN_MS / 60_000} minutes of peace: ${whyUnsettled(cluster) ?? ''}`)
  return Infinity
}

/** Undefined: all NodeSets are Ready, all workers take jobs, all jobs have ended. */
function whyUnsettled({ server, slurm }: SimulatedCluster): string | undefined {
  if (slurm.truth.jobs().some(({ endedAtMs }) => endedAtMs === undefined)) return 'jobs have not ended'
  for (const { metadata, status } of server.all(nodeSetResource)) {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')
    const isAsGood = ready?.status === 'True' || isFaultOfOthers(ready)
    if (!isAsGood || ready?.observedGeneration !== metadata.generation)
      return `NodeSet ${metadata.name} says ${ready?.reason ?? 'nothing'}: ${ready?.message ?? ''}`
  }
  const idle = server.all(podResource).find((pod) => !takesJobs(slurm.truth.node(pod.spec?.hostname ?? '')?.record))
  return idle && `worker ${idle.metadata.name} takes no jobs`
}

/** As with `takesJobs`: a node that an administrator drained and that was DOWN meanwhile stays so, and we say whose words it bears. */
function isFaultOfOthers(ready: Condition | undefined): boolean {
  return ready?.reason === 'SlurmNodeDown' && [FOREIGN_REASON, 'FAIL'].some((word) => ready.message.includes(word))
}

interface Record {
  readonly isDown: boolean
  readonly flags: ReadonlySet<string>
  readonly reason: string
}

/** A slurmctld that lost its state may have lost that an administrator gave a node back: that is not ours to repair. */
function takesJobs(record: Record | undefined): boolean {
  if (record?.reason === FOREIGN_REASON || record?.flags.has('FAIL') === true) return true
  return record !== undefined && !record.isDown && record.flags.size === 0
}

/** Nothing is written any more, to nobody. What was planned for later may come first. */
async function stayQuiet(stage: Stage): Promise<void> {
  const { cluster, promises } = stage
  let writes: string[] = []
  cluster.listen({
    arrived: ({ target, method, path, body = '' }) => writes.push(`${target} ${method} ${path} ${body}`),
  })
  for (let tries = 0; tries < MOST_QUIET_TRIES; tries++) {
    writes = []
    await advance(stage, QUIET_MS)
    const why = whyUnsettled(cluster)
    if (writes.length === 0) {
      if (why !== undefined) promises.accuse(`it was settled and is no more: ${why}`)
      return
    }
  }
  promises.accuse(`it never becomes quiet: ${writes.slice(-3).join(' | ')}`)
}
