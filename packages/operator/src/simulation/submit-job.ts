import { someSeconds, type Stage } from './happening.ts'

/** Somebody submits a job that only this Slurm node can run. */
export function submitJobFor(stage: Stage, node: string): void {
  const runMs = someSeconds(stage, 5, 300)
  try {
    stage.cluster.slurm.orders.submitJob({ runMs, requeue: stage.random.chance(0.5), requiredNodes: [node] })
    stage.cluster.tell(`a job of ${runMs / 1000} s is submitted for ${node}`)
  } catch {
    // Nobody takes jobs now.
  }
}
