/**
 * One history: a cluster by chance, troubles for a while, then peace. While it lasts the promises are observed; after
 * peace everything must be Ready within a stated time, and then nothing may be written any more.
 *
 * @module
 */
import { nodeSetResource, withNodeSetDefaults } from '@slurm-operator/api'
import { nodeResource } from '@slurm-operator/kube'
import { peace, type RandomSource } from '@slurm-operator/testkit'
import { chooseHappening, type Happening, type Stage } from './happening.ts'
import { machineAccidents } from './machine-accidents.ts'
import { operatorTroubles, planWay } from './operator-troubles.ts'
import { observePromises } from './promises.ts'
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
}

/** Jobs of eight minutes, workers that Slurm forgot and that are given back after a quarter of an hour one by one … */
export const SETTLED_WITHIN_MS = 3 * 3_600_000
const QUIET_MS = 900_000
const TICK_MS = 10_000
const all: readonly Happening[] = [...userEdits, ...machineAccidents, ...slurmTroubles, ...operatorTroubles]

/** Live through one. The same seed gives the same history. */
export async function liveThrough(seed: number): Promise<History> {
  const { cluster, random } = await beginHistory(seed)
  const stage: Stage = { cluster, random, promises: observePromises(cluster), undo: new Set() }
  await liveWithTroubles(stage)
  await makePeace(stage)
  const settledAfterMs = await untilSettled(stage)
  if (settledAfterMs < Infinity) await stayQuiet(stage)
  const { broken } = stage.promises
  for (const trouble of cluster.machines.troubles) (broken as string[]).push(`the simulation failed: ${String(trouble)}`)
  return {
    ...{ seed, broken, story: cluster.story, settledAfterMs },
    steps: cluster.world.trace.entries.length,
    simulatedMs: cluster.world.clock.monotonic(),
  }
}

async function beginHistory(seed: number) {
  const random = seedStream(seed)
  const nodeSets = Object.fromEntries(
    ['gpu', 'cpu'].slice(0, 1 + random.below(2)).map((name) => [name, someSpec(random)]),
  )
  const cluster = await createSimulatedCluster(seed, { nodes: 3 + random.below(4), nodeSets })
  cluster.tell(`it begins with ${JSON.stringify(nodeSets)}`)
  return { cluster, random }
}
