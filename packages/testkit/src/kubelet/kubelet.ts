/**
 * Machines in the same process: a scheduler, a kubelet on every Kube node and a slurmd in every worker pod, between a
 * simulated API server and a simulated Slurm. Pods are bound, started, become Ready, join Slurm, end; nodes come and go;
 * jobs die with the pod they run in, and that is written down.
 *
 * Everything happens on the clock and by the chance that are given. The garbage collector is the server's own: call
 * `server.collectGarbage()`.
 *
 * @module
 */
import { createClientOn, podResource, type Clock, type Live, type Pod } from '@slurm-operator/kube'
import type { SimulatedApiServer } from '../api-server/api-server.ts'
import type { StoredChange } from '../api-server/store/store.ts'
import type { RandomSource } from '../random/random-source.ts'
import type { SimulatedSlurm } from '../slurm/simulated-slurm.ts'
import { careForClaim } from './claims.ts'
import { JobLedger, type LostJob } from './job-ledger.ts'
import { createMachineHands, type MachineHands } from './machines.ts'
import type { MachinePace, Parts } from './parts.ts'
import { PodLives } from './pod-life.ts'
import { createScheduler } from './scheduler.ts'

/** What machines are made of. */
export interface MachineOptions {
  readonly server: SimulatedApiServer
  readonly slurm: SimulatedSlurm
  readonly clock: Clock
  readonly random: RandomSource
  readonly pace?: Partial<MachinePace>
}

/** See the module. */
export interface SimulatedMachines extends MachineHands {
  /** The jobs that died, all of them, with the reason. Whose fault it was is for the test to say. */
  readonly lostJobs: readonly LostJob[]
  /** The jobs that run in a pod now. */
  readonly jobsIn: (podUid: string) => readonly number[]
  /** The slurmd of a pod dies and is started again. */
  readonly crash: (podUid: string) => Promise<void>
  /** The kubelet throws a pod out: phase Failed. */
  readonly evict: (podUid: string) => Promise<void>
  /** On whose account Slurm is changed in this moment: the machines', or whoever asked to be excused. */
  readonly actingFor: () => string | undefined
  /** Jobs that Slurm ends inside of this are nobody's fault. */
  readonly excuse: <T>(because: string, action: () => T) => T
  /** Must be empty: what the simulation could not do. */
  readonly troubles: readonly unknown[]
  readonly stop: () => void
}

const usualPace: MachinePace = {
  scheduling: [10, 500],
  starting: [500, 10_000],
  becomingReady: [100, 5_000],
  registering: [0, 5_000],
  ending: [100, 10_000],
  bindingClaims: [10, 2_000],
  missingMachine: [40_000, 40_000],
  collectingPods: [20_000, 60_000],
}

/** Begin them, without any node. */
export function createMachines({ server, slurm, clock, random, pace }: MachineOptions): SimulatedMachines {
  const jobs = new JobLedger(slurm, clock.now)
  const client = createClientOn(server.transport, { clock, random: random.stream('client').next })
  const parts: Parts = {
    ...{ server, client, slurm, clock, random, jobs },
    ...{ pace: { ...usualPace, ...pace }, dark: new Set(), troubles: [] },
  }
  const lives = new PodLives(parts)
  const schedule = createScheduler(parts)
  for (const pod of server.all(podResource)) lives.follow(pod)
  const stop = server.listen((change) => react(parts, lives, schedule, change))
  return {
    ...createMachineHands(parts, lives),
    get lostJobs() {
      return jobs.lost
    },
    jobsIn: (uid) => lives.jobsIn(uid),
    crash: (uid) => lives.crash(uid),
    evict: (uid) => lives.evict(uid),
    actingFor: () => jobs.excused,
    excuse: (because, action) => jobs.excuse(because, action),
    troubles: parts.troubles,
    stop,
  }
}

function react(parts: Parts, lives: PodLives, schedule: () => void, { storage, type, object }: StoredChange): void {
  switch (storage) {
    case '/pods': {
      const pod = object as unknown as Live<Pod>
      if (type === 'DELETED') lives.forget(pod)
      else lives.follow(pod)
      schedule()
      break
    }
    case '/nodes':
      schedule()
      break
    case '/persistentvolumeclaims':
      if (type !== 'DELETED') careForClaim(parts, object)
  }
}
