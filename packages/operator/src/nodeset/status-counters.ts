import { hasState, isBaseState, isDown, isDrain, isIdle, type SlurmNode, type Knowledge } from '@slurm-operator/slurm'
import type { Picture, SlurmCounters, Worker } from './picture.ts'
import { isAvailable, isHealthy } from './plan-budget.ts'
import { isFinished } from './plan-release.ts'
import type { Plan } from './steps.ts'

/** The counters that pods tell. */
interface PodCounters {
  readonly desired: number
  readonly replicas: number
  readonly readyReplicas: number
  readonly availableReplicas: number
  readonly unavailableReplicas: number
  readonly updatedReplicas: number
}

/** Count pods that exist and go on existing. */
export function countPods({ workers, wanted, nowMs }: Picture, { desired, revisionHash }: Plan): PodCounters {
  const living = workers.filter((worker) => !worker.terminating && worker.phase !== '' && !isFinished(worker))
  const available = living.filter((worker) => isAvailable(worker, wanted.minReadySeconds, nowMs)).length
  return {
    desired,
    replicas: living.length,
    readyReplicas: living.filter(isHealthy).length,
    availableReplicas: available,
    unavailableReplicas: Math.max(0, desired - available),
    updatedReplicas: living.filter((worker) => worker.revisionHash === revisionHash).length,
  }
}

/** Count Slurm nodes of our workers; while Slurm is silent, the last count stays. */
export function countSlurmNodes({
  workers,
  slurmList,
  before,
}: Picture): SlurmCounters & { slurmNodes: string | undefined } {
  if (slurmList === undefined) return { ...before.slurmCounters, slurmNodes: undefined }
  const nodes = workers.map(({ slurmNode }) => slurmNode)
  const slurmAllocated = count(nodes, isAllocated)
  const free = count(nodes, (node) => isIdle(node) === 'yes' && isDrain(node) === 'no')
  const total = count(nodes, ({ kind }) => kind === 'seen')
  return {
    slurmIdle: count(nodes, (node) => isIdle(node) === 'yes'),
    slurmAllocated,
    slurmDown: count(nodes, (node) => isDown(node) === 'yes'),
    slurmDrain: count(nodes, (node) => hasState(node, 'DRAIN') === 'yes'),
    slurmNodes: `${slurmAllocated}/${free}/${total - slurmAllocated - free}/${total}`,
  }
}

function isAllocated(node: Knowledge<SlurmNode>): boolean {
  return isBaseState(node, 'ALLOCATED') === 'yes' || isBaseState(node, 'MIXED') === 'yes'
}

function count<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.reduce((sum, item) => (holds(item) ? sum + 1 : sum), 0)
}

/** Workers that count: of our scaling mode, not on their way out. */
export function livingWorkers({ workers, wanted }: Picture): Worker[] {
  return workers.filter(({ terminating, mode }) => !terminating && mode === wanted.scalingMode)
}
