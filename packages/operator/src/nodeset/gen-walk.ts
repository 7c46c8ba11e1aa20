/**
 * A world with a will of its own, and an operator that sees it late: jobs start and end, users edit, Kube nodes are
 * cordoned, Slurm falls silent. What the operator knows of Slurm is an older list; what it has written itself it does not
 * know until the next list.
 *
 * @module
 */
import { annotationKeys } from '@slurm-operator/api'
import { absent, seen, unknown, type Knowledge, type SlurmNode } from '@slurm-operator/slurm'
import { aJob, aKubeNode, aPicture, aSlurmNode, NOW } from './gen.ts'
import { carryOutAtOnce } from './gen-world.ts'
import type { Picture, Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import type { Plan } from './steps.ts'

/** What may happen at random. `which` chooses the worker or the Kube node. */
export interface Incident {
  readonly what:
    | 'start-job'
    | 'end-job'
    | 'replicas'
    | 'template'
    | 'cordon'
    | 'uncordon'
    | 'user-cordon'
    | 'silence'
    | 'answer'
    | 'fail'
    | 'nothing'
  readonly which: number
  /** Whether a new list of Slurm nodes comes. */
  readonly isListed: boolean
}

/** All incidents, the frequent ones several times. */
export const incidents: readonly Incident['what'][] = [
  ...(['start-job', 'start-job', 'start-job', 'end-job', 'replicas', 'template', 'cordon', 'uncordon'] as const),
  ...(['user-cordon', 'silence', 'answer', 'answer', 'fail', 'nothing', 'nothing'] as const),
]

/** The world as it is. */
export interface Walk {
  readonly truth: Picture
  readonly isSilent: boolean
  readonly list: { readonly atMs: number; readonly workers: ReadonlyMap<string, Worker> } | undefined
  /** Slurm nodes that we have written to since the last list. */
  readonly written: ReadonlySet<string>
  /** Jobs that a deletion of ours has ended. */
  readonly lost: readonly string[]
}

const TICK_MS = 5000
const PRE_STOP = 'slurm-operator: Pod is terminating'

/** Where it begins: nothing is there yet. */
export function startWalk(replicas: number, maxUnavailable: number | string): Walk {
  const wanted = { replicas, updateStrategy: { type: 'RollingUpdate', maxUnavailable } } as const
  const truth = aPicture({ wanted, kubeNodes: [], slurmList: undefined, reservation: absent(NOW) })
  return { truth, isSilent: false, list: undefined, written: new Set(), lost: [] }
}

/** One step of time: something happens, pods live on, maybe a list comes, and the operator makes a pass. */
export function walkOn(walk: Walk, incident: Incident): { walk: Walk; plan: Plan } {
  const isSilent = incident.what === 'silence' || (walk.isSilent && incident.what !== 'answer')
  const nowMs = walk.truth.nowMs + TICK_MS
  const truth = liveOn(happen({ ...walk.truth, nowMs }, incident))
  const isListed = incident.isListed && !isSilent
  const list = isListed ? { atMs: nowMs, workers: new Map(truth.workers.map((one) => [one.uid, one])) } : walk.list
  const written = isListed ? new Set<string>() : walk.written
  const plan = planNodeSet(observed(truth, list, written, isSilent))
  const lost = plan.steps.flatMap((step) => {
    const worker = step.do === 'delete-pod' ? truth.workers.find(({ uid }) => uid === step.uid) : undefined
    return worker?.jobs.kind === 'seen' && worker.jobs.value.length > 0 ? [`${worker.pod} (${step.reason})`] : []
  })
  const told = plan.steps.flatMap((step) => ('slurmName' in step ? [step.slurmName] : []))
  const next = carryOutAtOnce(plan, truth)
  return {
    plan,
    walk: { truth: next, isSilent, list, written: new Set([...written, ...told]), lost: [...walk.lost, ...lost] },
  }
}

/** What the operator sees: pods as they are, Slurm as it last said. */
function observed(truth: Picture, list: Walk['list'], written: ReadonlySet<string>, isSilent: boolean): Picture {
  const knowledge = (worker: Worker): Knowledge<SlurmNode> => {
    const before = list?.workers.get(worker.uid)?.slurmNode ?? absent(NOW)
    const last = before.kind === 'seen' ? before.value : undefined
    if (list === undefined || isSilent) return unknown('unreachable', last)
    if (written.has(worker.slurmName)) return unknown('not-listed-yet', last)
    return last === undefined ? absent(NOW) : seen(last, list.atMs)
  }
  const isKnown = list !== undefined && !isSilent
  const workers = truth.workers.map((worker): Worker => {
    const jobs = isKnown ? (list.workers.get(worker.uid)?.jobs ?? seen([], list.atMs)) : unknown<never>('unreachable')
    return { ...worker, slurmNode: knowledge(worker), jobs }
  })
  const slurmList = isKnown ? { nodes: workers.length, atMs: list.atMs, wholeAtMs: list.atMs } : undefined
  return { ...truth, workers, slurmList, leftovers: isKnown ? seen([], list.atMs) : unknown('unreachable') }
}

/** Pods come up in two ticks, join Slurm before they are Ready, and are gone two ticks after their end began. */
function liveOn(truth: Picture): Picture {
  const { nowMs } = truth
  const kubeNodes = new Map(truth.kubeNodes)
  const workers = truth.workers.flatMap((worker): Worker[] => {
    if (worker.terminating) return worker.finishedAtMs === undefined ? [{ ...worker, finishedAtMs: nowMs }] : []
    if (worker.phase === 'Failed') return [worker]
    if (!worker.hasStarted) {
      const nodeName = worker.targetNode || `n-${worker.pod}`
      if (!kubeNodes.has(nodeName)) kubeNodes.set(nodeName, aKubeNode(nodeName))
      const former =
        truth.leftovers.kind === 'seen'
          ? truth.leftovers.value.find(({ name }) => name === worker.slurmName)
          : undefined
      const slurmNode = seen(former ?? aSlurmNode({ name: worker.slurmName, states: ['IDLE'] }), nowMs)
      const started = {
        nodeName,
        targetNode: nodeName,
        phase: 'Running',
        hasStarted: true,
        runningSinceMs: nowMs,
      } as const
      return [{ ...worker, ...started, slurmNode, jobs: seen([], nowMs) }]
    }
    return [worker.readySinceMs === undefined ? { ...worker, readySinceMs: nowMs, wasReady: true } : worker]
  })
  return { ...truth, workers, kubeNodes, leftovers: seen(recordsLeft(truth, workers), nowMs) }
}

/** The records of pods that are gone: down, as the preStop hook leaves them. */
function recordsLeft({ workers, leftovers }: Picture, staying: readonly Worker[]): SlurmNode[] {
  const taken = new Set(staying.map(({ slurmName }) => slurmName))
  const before = leftovers.kind === 'seen' ? leftovers.value : []
  const gone = workers.flatMap(({ slurmNode }) => {
    if (slurmNode.kind !== 'seen' || taken.has(slurmNode.value.name)) return []
    const drain = slurmNode.value.states.includes('DRAIN') ? ['DRAIN'] : []
    return [{ ...slurmNode.value, states: ['DOWN', ...drain], reason: PRE_STOP }]
  })
  return [...before.filter(({ name }) => !taken.has(name) && !gone.some((one) => one.name === name)), ...gone]
}

function happen(truth: Picture, { what, which }: Incident): Picture {
  const living = truth.workers.filter(({ terminating }) => !terminating)
  const chosen = living[which % Math.max(1, living.length)]
  const change = (how: Partial<Worker>): Picture => ({
    ...truth,
    workers: truth.workers.map((worker) => (worker === chosen ? { ...worker, ...how } : worker)),
  })
  const node = chosen === undefined ? undefined : truth.kubeNodes.get(chosen.nodeName)
  switch (what) {
    case 'start-job':
      return chosen !== undefined && takesJobs(chosen)
        ? change({ ...withWork(chosen, 'ALLOCATED'), jobs: seen([aJob()], truth.nowMs) })
        : truth
    case 'end-job':
      return chosen === undefined ? truth : change({ ...withWork(chosen, 'IDLE'), jobs: seen([], truth.nowMs) })
    case 'replicas':
      return { ...truth, wanted: { ...truth.wanted, replicas: which % 5 } }
    case 'template':
      return {
        ...truth,
        revisions: { ...truth.revisions, wantedJson: JSON.stringify({ spec: { ordinalPadding: which % 3 } }) },
      }
    case 'cordon':
    case 'uncordon':
      if (node === undefined) return truth
      return {
        ...truth,
        kubeNodes: new Map([...truth.kubeNodes, [node.name, { ...node, unschedulable: what === 'cordon' }]]),
      }
    case 'user-cordon':
      return chosen === undefined ? truth : change({ annotations: toggled(chosen.annotations) })
    case 'fail':
      return chosen === undefined
        ? truth
        : change({ phase: 'Failed', readySinceMs: undefined, ...withWork(chosen, 'DOWN'), jobs: seen([], 0) })
    case 'silence':
    case 'answer':
    case 'nothing':
      return truth
  }
}

/** Slurm sends jobs to a node that is idle, not drained, and whose slurmd runs. */
function takesJobs({ slurmNode, phase }: Worker): boolean {
  if (slurmNode.kind !== 'seen' || phase !== 'Running') return false
  const { states } = slurmNode.value
  return states.includes('IDLE') && !states.includes('DRAIN')
}

function withWork({ slurmNode }: Worker, base: string): Partial<Worker> {
  if (slurmNode.kind !== 'seen') return {}
  const flags = slurmNode.value.states.filter((word) => !['IDLE', 'ALLOCATED', 'DOWN'].includes(word))
  const isDown = base === 'IDLE' && slurmNode.value.states.includes('DOWN')
  return { slurmNode: { ...slurmNode, value: { ...slurmNode.value, states: [isDown ? 'DOWN' : base, ...flags] } } }
}

/** A user sets the cordon, or takes it away again. */
function toggled(annotations: Readonly<Record<string, string>>): Record<string, string> {
  const { [annotationKeys.podCordon]: cordon, ...rest } = annotations
  return cordon === undefined ? { ...rest, [annotationKeys.podCordon]: 'true' } : rest
}
