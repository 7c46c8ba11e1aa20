import { cancelJob, resumeJob, submitJob, suspendJob } from './jobs.ts'
import { deleteNode, updateNode, type NodeChange } from './nodes.ts'
import type { JobWish } from './records.ts'
import type { Refusal } from './refusals.ts'
import type { Slurmctld } from './slurmctld.ts'

/** What administrators and users do with Slurm's own commands. Each is refused with Slurm's number, as they would be. */
export interface AdministratorOrders {
  /** Returns the number of the job. Anything that is not named is the simplest. */
  submitJob(wish?: Partial<JobWish>): number
  cancelJob(id: number): Refusal | undefined
  suspendJob(id: number): Refusal | undefined
  resumeJob(id: number): Refusal | undefined
  updateNode(name: string, change: NodeChange): Refusal | undefined
  deleteNode(name: string): Refusal | undefined
}

const simplestJob: JobWish = {
  name: 'job',
  user: 'alice',
  partition: '',
  account: '',
  reservation: '',
  constraints: '',
  nodeCount: 1,
  tasks: 1,
  cpusPerTask: 1,
  memoryPerNodeMib: 100,
  gpusPerNode: 0,
  requiredNodes: [],
  timeLimitInMinutes: 'infinite',
  hold: false,
  requeue: true,
  workingDirectory: '/tmp',
  comment: '',
  runMs: 600_000,
  exitCode: 0,
}

/** Orders to one Slurm. Throws while slurmctld does not run: nobody would be there to take them. */
export function buildOrders(controller: Slurmctld): AdministratorOrders {
  const heard = (): Slurmctld => {
    if (controller.presence === 'away') throw new Error('Cannot give an order: slurmctld does not run. Start it first.')
    controller.settle()
    return controller
  }
  return {
    submitJob: (wish) => {
      const id = submitJob(heard(), { ...simplestJob, ...wish })
      if (typeof id === 'number') return id
      throw new Error(`Cannot submit the job: ${id.text}.`)
    },
    cancelJob: (id) => cancelJob(heard(), id),
    suspendJob: (id) => suspendJob(heard(), id),
    resumeJob: (id) => resumeJob(heard(), id),
    updateNode: (name, change) => updateNode(heard(), name, change, 'root'),
    deleteNode: (name) => deleteNode(heard(), name),
  }
}
