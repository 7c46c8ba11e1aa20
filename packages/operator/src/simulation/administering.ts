/**
 * What administrators do to Slurm besides draining: nodes set DOWN or FAIL, records deleted, the clock of its machine set. And
 * jobs on several nodes.
 *
 * @module
 */
import { someSeconds, undoAfter, type Happening, type Stage } from './happening.ts'
import { FOREIGN_REASON } from './objects.ts'
import { orderAsAdministrator } from './order-as-administrator.ts'

/** See the module. */
export const administering: readonly Happening[] = [
  { name: 'node set down', weight: 8, happen: (stage) => setNode(stage, 'DOWN') },
  { name: 'node set to fail', weight: 4, happen: (stage) => setNode(stage, 'FAIL') },
  { name: 'record deleted', weight: 6, happen: deleteRecord },
  { name: 'clock of Slurm', weight: 3, happen: setClock },
  { name: 'jobs on several nodes', weight: 15, happen: submitWideJobs },
]

const MINUTE_MS = 60_000

function someSlurmNode({ cluster, random }: Stage): string | undefined {
  const all = cluster.slurm.truth.nodes()
  return all.length === 0 ? undefined : random.pick(all).name
}

function setNode(stage: Stage, state: 'DOWN' | 'FAIL'): string | undefined {
  const name = someSlurmNode(stage)
  if (name === undefined) return undefined
  const { orders, truth } = stage.cluster.slurm
  if (!orderAsAdministrator(stage, name, () => orders.updateNode(name, { state, reason: FOREIGN_REASON })))
    return undefined
  const giveBack = (): void => {
    const record = truth.node(name)?.record
    const isOurs = record?.reason === FOREIGN_REASON && (record.isDown || record.flags.has('DRAIN'))
    if (record === undefined || (!isOurs && !record.flags.has('FAIL'))) return
    if (record.flags.has('INVALID_REG')) orderAsAdministrator(stage, name, () => orders.deleteNode(name))
    else if (!orderAsAdministrator(stage, name, () => orders.updateNode(name, { state: 'RESUME' })))
      undoAfter(stage, 10_000, giveBack)
    else stage.cluster.tell(`the administrator resumes ${name}`)
  }
  undoAfter(stage, someSeconds(stage, 5, 900), giveBack)
  return `an administrator sets ${name} ${state}`
}

function deleteRecord(stage: Stage): string | undefined {
  const name = someSlurmNode(stage)
  if (name === undefined) return undefined
  const isDone = orderAsAdministrator(stage, name, () => stage.cluster.slurm.orders.deleteNode(name))
  return isDone ? `an administrator deletes the record of ${name}` : undefined
}

function setClock(stage: Stage): string {
  const skewMs = stage.random.pick([-10, -1, 1, 10, 60]) * MINUTE_MS
  stage.cluster.slurm.setClockSkew(skewMs)
  return `the clock of Slurm's machine is ahead by ${skewMs / MINUTE_MS} minutes`
}

function submitWideJobs({ cluster, random }: Stage): string | undefined {
  const nodeCount = 2 + random.below(2)
  const runMs = (5 + random.below(400)) * 1000
  try {
    cluster.slurm.orders.submitJob({ runMs, nodeCount, tasks: nodeCount, requeue: random.chance(0.5) })
  } catch {
    return undefined // nobody takes jobs now
  }
  return `a job of ${runMs / 1000} s on ${nodeCount} nodes is submitted`
}
