/**
 * What happens to the operator and between it and the API server.
 *
 * @module
 */
import {
  commonFates,
  commonMessageFates,
  planTrouble,
  type Plan,
  type RandomSource,
  type Side,
} from '@slurm-operator/testkit'
import type { SimulatedCluster } from './simulated-cluster.ts'
import { someSeconds, type Happening, type Stage } from './happening.ts'

/** See the module. */
export const operatorTroubles: readonly Happening[] = [
  { name: 'kill', weight: 3, happen: kill },
  { name: 'kill at a call', weight: 5, happen: killAtCall },
  { name: 'kill at a call to Slurm', weight: 3, happen: killAtSlurmCall },
  { name: 'compaction', weight: 1, happen: compact },
]

function kill(stage: Stage): string | undefined {
  if (stage.cluster.operator().process.state() !== 'running') return undefined
  const backMs = someSeconds(stage, 0, 60)
  stage.cluster.killOperator(backMs)
  return `the operator is killed and comes back after ${backMs / 1000} s`
}

const MOST_CALLS = 12

function killAtCall(stage: Stage): string {
  const { random, cluster } = stage
  const [call, side] = [1 + random.below(MOST_CALLS), random.pick(['before', 'after'] as const)]
  ambushes.set(cluster, { left: call, side, backMs: someSeconds(stage, 0, 30) })
  return `the operator will die ${side} its call number ${call} to the API server`
}

function killAtSlurmCall(stage: Stage): string {
  const { random, cluster } = stage
  const [call, side] = [1 + random.below(MOST_CALLS), random.pick(['before', 'after'] as const)]
  cluster.killAtSlurmCall(call, side, someSeconds(stage, 0, 30))
  return `the operator will die ${side} its call number ${call} to Slurm`
}

function compact({ cluster }: Stage): string {
  cluster.server.compact()
  return 'the API server forgets its past'
}

interface CallAmbush {
  left: number
  readonly side: Side
  readonly backMs: number
}

const ambushes = new WeakMap<SimulatedCluster, CallAmbush>()

/** Faults on the way to the API server, so many, and the ambushes of `kill at a call`. */
export function planWay(cluster: SimulatedCluster, random: RandomSource, chance: number): Plan {
  const conflict = { do: 'answer', status: 409, when: 'before' } as const
  const trouble = planTrouble(random, {
    ...{ chance, quota: Infinity, fates: [...commonFates, conflict, conflict] },
    messageFates: [...commonMessageFates, { do: 'duplicate' }],
  })
  return {
    message: trouble.message,
    step: (step) => {
      const ambush = ambushes.get(cluster)
      if (ambush !== undefined && step.process === 'operator' && --ambush.left === 0) {
        ambushes.delete(cluster)
        cluster.world.clock.schedule(0, () => {
          cluster.tell(`the operator dies ${ambush.side} ${step.method} ${step.path.split('?')[0] ?? ''}`)
          cluster.killOperator(ambush.backMs)
        })
        return { do: 'kill', when: ambush.side }
      }
      return trouble.step(step)
    },
  }
}
