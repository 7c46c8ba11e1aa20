/**
 * The life of node records: registered, changed on order, silent, down, deleted.
 *
 * @module
 */
import type { NodeUpdate } from '@slurm-operator/slurm'
import { findWork, loseJobsOn } from './jobs.ts'
import { activeReservation } from './node-states.ts'
import { isHeard, type Machine, type Parts } from './parts.ts'
import { gpusIn, type NodeFlag, type NodeOrigin, type NodeRecord, type NodeSize } from './records.ts'
import { refusals, type Refusal } from './refusals.ts'

/** What slurmctld writes when a slurmd does not answer any more. */
const NOT_RESPONDING = 'Not responding'
/** slurmctld notices a silence after this part of SlurmdTimeout, and gives a node up after that part. */
const SILENT_AFTER = 1.25
const DOWN_AFTER = 2.5

/** The order to change a node, as it came in: somebody may ask for a state that does not exist. */
export interface NodeChange extends Omit<NodeUpdate, 'state'> {
  readonly state?: string
}

/** A slurmd says hello. A record that is larger than the machine wins, and the node is not used. */
export function registerNode(parts: Parts, machine: Machine): void {
  const { cluster, machines } = parts
  machines.set(machine.name, { ...machine, wantsToRegister: false })
  const known = cluster.nodes.get(machine.name)
  const told = { address: machine.address, bootAtMs: machine.bootAtMs, slurmdStartAtMs: machine.sinceMs }
  if (!known) cluster.putNode({ ...blankNode(machine.name, 'dynamic', machine.size), ...told })
  else {
    if ((known.bootAtMs ?? machine.bootAtMs) !== machine.bootAtMs) loseJobsOn(parts, machine.name) // what ran before the boot runs no more
    cluster.putNode({ ...known, ...told, ...welcome(known, machine, cluster.nowMs) })
  }
  findWork(parts)
}

/**
 * slurmctld asks a slurmd that answers. One of which it does not know when its machine booted, as after a start of
 * slurmctld, is asked to register; of the others, those that are DOWN are not asked.
 */
export function askAgain(parts: Parts, machine: Machine): void {
  const { cluster } = parts
  const node = cluster.nodes.get(machine.name)
  if (!node) return
  if (node.bootAtMs === undefined) registerNode(parts, machine)
  else if (!node.isDown) cluster.putNode({ ...node, flags: without(node.flags, 'NOT_RESPONDING') })
}

/** A record that nobody has touched. */
function blankNode(name: string, origin: NodeOrigin, size: NodeSize): NodeRecord {
  return {
    ...size,
    name,
    origin,
    address: '',
    activeFeatures: size.features,
    isDown: false,
    flags: new Set(origin === 'cloud' ? ['POWERED_DOWN'] : []),
    comment: '',
    extra: '',
    topology: '',
    weight: 1,
    reason: '',
    reasonSetBy: '',
    reasonAtMs: undefined,
    bootAtMs: undefined,
    slurmdStartAtMs: undefined,
    lastBusyAtMs: undefined,
  }
}

function welcome(known: NodeRecord, { size }: Machine, nowMs: number): Partial<NodeRecord> {
  const flags = without(known.flags, 'NOT_RESPONDING', 'POWERED_DOWN', 'INVALID_REG')
  const why = whyTooSmall(known, size)
  if (why !== undefined) {
    const refused: NodeFlag[] = known.isDown ? ['INVALID_REG'] : ['INVALID_REG', 'DRAIN']
    return { flags: withFlags(flags, ...refused), reason: why, reasonSetBy: 'slurm', reasonAtMs: nowMs }
  }
  const isRebooted = known.flags.has('REBOOT_ISSUED')
  const calm = without(flags, 'REBOOT_ISSUED', 'REBOOT_REQUESTED', ...(isRebooted ? (['DRAIN'] as const) : []))
  const isReturning = isRebooted || (known.isDown && known.reason === NOT_RESPONDING)
  return { flags: calm, ...(isReturning && { isDown: false, ...noReason }) }
}

const noReason = { reason: '', reasonSetBy: '', reasonAtMs: undefined } as const

function whyTooSmall(known: NodeRecord, size: NodeSize): string | undefined {
  if (size.cpus < known.cpus) return 'Low socket*core*thread count, Low CPUs'
  if (size.memoryMib < known.memoryMib) return 'Low RealMemory'
  return gpusIn(size.gres) < gpusIn(known.gres) ? 'gres/gpu count too low' : undefined
}

/** A slurmd has ended: slurmctld notices when its pings get no answer. */
export function planSilence(parts: Parts, name: string, silentSinceMs: number): void {
  const { cluster, machines } = parts
  const { slurmdTimeoutMs } = cluster.pace
  const stillSilent = (): NodeRecord | undefined =>
    !isHeard(parts, name) && machines.get(name)?.sinceMs === silentSinceMs ? cluster.nodes.get(name) : undefined
  const fromMs = Math.max(silentSinceMs, cluster.nowMs)
  cluster.plan(fromMs + SILENT_AFTER * slurmdTimeoutMs, () => {
    const node = stillSilent()
    if (node) cluster.putNode({ ...node, flags: withFlags(node.flags, 'NOT_RESPONDING') })
  })
  cluster.plan(fromMs + DOWN_AFTER * slurmdTimeoutMs, () => {
    const node = stillSilent()
    if (!node || node.isDown) return
    const keeps = node.flags.has('DRAIN') && node.reason !== ''
    const because = { reason: NOT_RESPONDING, reasonSetBy: 'slurm', reasonAtMs: cluster.nowMs }
    cluster.putNode({ ...node, isDown: true, ...(!keeps && because) })
    loseJobsOn(parts, name)
  })
}

/** Change a node on somebody's order. */
export function updateNode(parts: Parts, name: string, change: NodeChange, by: string): Refusal | undefined {
  const { cluster } = parts
  const node = cluster.nodes.get(name)
  if (!node) return refusals.nodeName
  const { state, reason, ...fields } = change
  const set = reason === undefined ? {} : { reason, reasonSetBy: by, reasonAtMs: cluster.nowMs }
  const changed: NodeRecord = { ...node, ...fields, ...set }
  const after = state === undefined ? changed : afterOrder(changed, state)
  if (!('name' in after)) return after
  cluster.putNode(after)
  if (after.isDown && !node.isDown) loseJobsOn(parts, name)
  const isAskedAnew = !node.flags.has('NOT_RESPONDING') || (node.isDown && !after.isDown) // nobody asks a node that is DOWN
  if (after.flags.has('NOT_RESPONDING') && isAskedAnew) planAnswer(parts, name)
  findWork(parts)
  return undefined
}

/** What an ordered state makes of a node, or why it cannot be. */
function afterOrder(node: NodeRecord, state: string): NodeRecord | Refusal {
  const { flags } = node
  switch (state) {
    case 'DRAIN':
      return { ...node, flags: withFlags(without(flags, 'FAIL'), 'DRAIN') } // seen on 26.05 and 24.11
    case 'UNDRAIN':
      if (flags.has('INVALID_REG')) return refusals.nodeTransition // as RESUME; seen on 26.05
      return { ...node, ...(flags.has('DRAIN') && !node.isDown && noReason), flags: silent(without(flags, 'DRAIN')) }
    case 'RESUME':
      return afterResume(node)
    case 'IDLE':
      return { ...node, ...(node.isDown && noReason), isDown: false, flags: silent(flags) }
    case 'DOWN':
      return { ...node, isDown: true, flags: withFlags(flags, 'NOT_RESPONDING') }
    case 'FAIL':
      return { ...node, flags: withFlags(flags, 'FAIL', 'NOT_RESPONDING') }
    case 'POWER_UP':
      return { ...node, flags: without(flags, 'POWERED_DOWN') }
    case 'POWER_DOWN':
      return { ...node, flags: withFlags(flags, 'POWERED_DOWN') }
    default:
      return refusals.nodeTransition
  }
}

function afterResume(node: NodeRecord): NodeRecord | Refusal {
  const { flags, isDown } = node
  const isResumable = isDown || flags.has('DRAIN') || flags.has('FAIL') || flags.has('REBOOT_REQUESTED')
  if (!isResumable || flags.has('INVALID_REG')) return refusals.nodeTransition
  const calm = without(flags, 'DRAIN', 'FAIL', 'REBOOT_REQUESTED')
  return { ...node, ...noReason, isDown: false, flags: silent(calm) }
}

const silent = (flags: ReadonlySet<NodeFlag>): ReadonlySet<NodeFlag> => withFlags(flags, 'NOT_RESPONDING')

/** After some orders slurmctld waits for the next answer of slurmd, a second or so. */
function planAnswer(parts: Parts, name: string): void {
  const { cluster } = parts
  cluster.plan(cluster.nowMs + cluster.pace.respondingMs, () => {
    const node = cluster.nodes.get(name)
    const machine = parts.machines.get(name)
    if (!node?.flags.has('NOT_RESPONDING') || node.isDown) return
    if (machine && isHeard(parts, name)) {
      askAgain(parts, machine)
      findWork(parts)
    } else if (machine) planSilence(parts, name, machine.sinceMs)
  })
}

/**
 * Forget a node. Its slurmd may go on and is not heard before it starts again. Suspended jobs do not count as work: they are
 * left without a node, and nobody begins them anew.
 */
export function deleteNode(parts: Parts, name: string): Refusal | undefined {
  const { cluster } = parts
  if (!cluster.nodes.has(name)) return refusals.nodeName
  const isBusy = [...cluster.jobsOn(name)].some((id) => cluster.jobs.get(id)?.state !== 'SUSPENDED')
  if (isBusy || activeReservation(cluster, name)) return refusals.busy
  cluster.removeNode(name)
  return undefined
}

/** Add records for machines that are not there yet. */
export function createNodes(
  parts: Parts,
  names: readonly string[],
  origin: NodeOrigin,
  size: NodeSize,
): Refusal | undefined {
  const { cluster } = parts
  if (names.some((name) => cluster.nodes.has(name))) return refusals.nodeExists
  for (const name of names) cluster.putNode({ ...blankNode(name, origin, size), lastBusyAtMs: cluster.nowMs })
  return undefined
}

/** Ask for a reboot: when the node is free it goes down, and its machine with it. */
export function requestReboot(parts: Parts, name: string, whenIdle: () => void): void {
  const { cluster } = parts
  const node = cluster.nodes.get(name)
  if (!node) return
  cluster.putNode({ ...node, flags: withFlags(node.flags, 'REBOOT_REQUESTED', 'DRAIN'), reason: 'Reboot ASAP' })
  const tryNow = (): void => {
    const waiting = cluster.nodes.get(name)
    if (!waiting?.flags.has('REBOOT_REQUESTED')) return
    if (cluster.jobsOn(name).size > 0) return cluster.plan(cluster.nowMs + cluster.pace.respondingMs, tryNow)
    const flags = withFlags(without(waiting.flags, 'REBOOT_REQUESTED'), 'REBOOT_ISSUED')
    cluster.putNode({ ...waiting, flags, isDown: true })
    whenIdle()
  }
  tryNow()
}

function withFlags(flags: ReadonlySet<NodeFlag>, ...more: readonly NodeFlag[]): ReadonlySet<NodeFlag> {
  return new Set([...flags, ...more])
}

function without(flags: ReadonlySet<NodeFlag>, ...less: readonly NodeFlag[]): ReadonlySet<NodeFlag> {
  return new Set([...flags].filter((flag) => !less.includes(flag)))
}
