/**
 * What happens in and to Slurm: jobs, administrators, faults, restarts.
 *
 * @module
 */
import { restApiResource } from '@slurm-operator/api'
import type { FaultKind } from '@slurm-operator/testkit'
import { drainForAWhile } from './foreign-drain.ts'
import { someSeconds, undoAfter, type Happening, type Stage } from './happening.ts'
import { buildRestApi, NAMESPACE } from './objects.ts'

/** See the module. */
export const slurmTroubles: readonly Happening[] = [
  { name: 'jobs', weight: 25, happen: submitJobs },
  { name: 'foreign drain', weight: 4, happen: (stage) => drainForAWhile(stage, { lasts: [5, 900] }) },
  { name: 'fault', weight: 8, happen: misbehave },
  { name: 'slurmrestd away', weight: 3, happen: restdAway },
  { name: 'slurmctld away', weight: 3, happen: controllerAway },
  { name: 'slurmctld forgets', weight: 1, happen: controllerForgets },
  { name: 'RestApi away', weight: 2, happen: restApiAway },
]

const MOST_JOBS = 3

function submitJobs(stage: Stage): string | undefined {
  const { cluster, random } = stage
  const count = 1 + random.below(MOST_JOBS)
  const runMs = someSeconds(stage, 5, 480)
  try {
    for (let job = 0; job < count; job++) {
      const requeue = random.chance(0.5)
      cluster.slurm.orders.submitJob({ runMs, requeue, ...(random.chance(0.3) && { memoryPerNodeMib: undefined }) })
    }
  } catch {
    return undefined // nobody takes jobs now
  }
  return `${count} jobs of ${runMs / 1000} s are submitted`
}

const faults: readonly FaultKind[] = [
  'hang',
  'stall',
  'slow',
  'reset',
  'error-500',
  'overload',
  'cut',
  'lost-answer',
  'empty-list',
  'partial-list',
  'unreadable-record',
  'nameless-record',
]

function misbehave(stage: Stage): string {
  const { cluster, random } = stage
  const kind = random.pick(faults)
  const lasts = someSeconds(stage, 1, 120)
  const end = cluster.slurm.misbehave({
    kind,
    byMs: 1_000 + random.below(20_000),
    ...(random.chance(0.3) && { times: 1 + random.below(3) }),
  })
  undoAfter(stage, lasts, end)
  return `slurmrestd misbehaves for ${lasts / 1000} s: ${kind}`
}

function restdAway(stage: Stage): string {
  const { slurm } = stage.cluster
  slurm.endRestd()
  undoAfter(stage, someSeconds(stage, 1, 300), () => slurm.startRestd())
  return 'slurmrestd ends'
}

function controllerAway(stage: Stage): string {
  const { slurm, machines } = stage.cluster
  const how = stage.random.pick(['away', 'unreachable'] as const)
  machines.excuse('slurmctld ends', () => slurm.endController(how))
  undoAfter(stage, someSeconds(stage, 1, 300), () => machines.excuse('slurmctld begins', () => slurm.startController()))
  return `slurmctld is ${how}`
}

function controllerForgets(stage: Stage): string {
  const { slurm, machines } = stage.cluster
  const loss = stage.random.pick(['since-save', 'everything'] as const)
  if (loss === 'since-save') {
    slurm.saveState()
    undoAfter(stage, someSeconds(stage, 5, 120), () => restart(stage, loss))
    return 'slurmctld writes its state down for the last time'
  }
  machines.excuse('slurmctld forgets', () => slurm.endController('away'))
  undoAfter(stage, someSeconds(stage, 1, 60), () => restart(stage, loss))
  return 'slurmctld ends and loses its disk'
}

/** The old state has old orders in it. They are news, which what the operator orders now may cross. */
function restart({ cluster, promises }: Stage, loss: 'since-save' | 'everything'): void {
  cluster.machines.excuse('slurmctld forgets', () => cluster.slurm.startController(loss))
  for (const { name } of cluster.slurm.truth.nodes()) promises.noteOrder(name)
  cluster.tell(`slurmctld begins again and has lost ${loss === 'everything' ? 'everything' : 'what came since'}`)
}

async function restApiAway(stage: Stage): Promise<string | undefined> {
  const { users, server } = stage.cluster
  const key = { namespace: NAMESPACE, name: 'web' }
  if (server.find(restApiResource, key) === undefined) return undefined
  await users.resource(restApiResource).delete(key)
  undoAfter(stage, someSeconds(stage, 1, 300), () => users.resource(restApiResource).create(buildRestApi()))
  return 'a user deletes the RestApi'
}
