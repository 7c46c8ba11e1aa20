/**
 * Test data of this room: histories of a simulated Slurm, with everything that people, machines and networks do to it,
 * and a memory of what was true when.
 *
 * @module
 */
import { createSimulatedSlurm, createVirtualClock } from '@slurm-operator/testkit'
import type { FaultKind, SimulatedSlurm, VirtualClock } from '@slurm-operator/testkit'
import fc from 'fast-check'
import { connect, type SlurmConnection } from '../registry/connection.ts'
import { Secret } from '../tokens/secret.ts'

/** The nodes of a history; the last of them does not exist at first. */
export const NAMES = ['worker-1', 'worker-2', 'worker-3'] as const
const WORKERS = 2
const SECOND = 1000
const MINUTE = 60 * SECOND

/** A Slurm, somebody who watches it, and what was true when. */
export interface World {
  readonly clock: VirtualClock
  readonly slurm: SimulatedSlurm
  readonly connection: SlurmConnection
  readonly past: Past
  /** Ends the trouble that is on, if there is any. */
  endTrouble: () => void
}

/** Raw facts about a node at a moment; undefined: there was none. */
export interface Facts {
  readonly atMs: number
  readonly isDown: boolean
  readonly hasDrain: boolean
  /** Jobs that keep it, running or being cleaned up. */
  readonly jobs: number
  readonly running: number
}

/** What was true of each node, in the order of time. */
class Past {
  readonly #moments = new Map<string, (Facts | { readonly atMs: number; readonly gone: true })[]>()

  note(name: string, facts: Facts | undefined, atMs: number): void {
    const moments = this.#moments.get(name) ?? []
    moments.push(facts ?? { atMs, gone: true })
    this.#moments.set(name, moments)
  }

  /** Was it so at some moment since then? What was true just before that moment counts: it still was at it. */
  wasSince(name: string, sinceMs: number, question: (facts: Facts | undefined) => boolean): boolean {
    const moments = this.#moments.get(name) ?? []
    const at = moments.findLastIndex(({ atMs }) => atMs <= sinceMs)
    const relevant = at < 0 ? [undefined, ...moments] : moments.slice(at)
    return relevant.some((moment) => question(moment === undefined || 'gone' in moment ? undefined : moment))
  }
}

/** Lists count as slow, so that single nodes are looked at in between. */
const lookingPace = { timesDurationWaited: 500, glimpseEveryMs: 800 }

/** What may be different about a world. */
export interface WorldOptions {
  /** How far Slurm's clock is ahead. */
  readonly skewMs?: number
  /** Somebody waits for all nodes by name all the time, and lists are slow. */
  readonly isLooking?: boolean
}

/** Build one. */
export function buildWorld(random: () => number, { skewMs = 0, isLooking = false }: WorldOptions = {}): World {
  const clock = createVirtualClock()
  const slurm = createSimulatedSlurm({ clock, seed: Math.floor(random() * 1000), workers: WORKERS })
  slurm.setClockSkew(skewMs)
  const past = new Past()
  const note = (name: string, atMs: number): void => past.note(name, factsOf(slurm, name, atMs), atMs)
  for (const name of NAMES) note(name, clock.now())
  slurm.onChange((kind, name, atMs) => kind === 'nodes' && note(name, atMs))
  const token = { kind: 'signing-key', key: new Secret(slurm.signingKey) } as const
  const openTransport = () => slurm.openTransport()
  const pace = isLooking ? lookingPace : {}
  const connection = connect({ endpoints: ['http://simulated'], token }, { clock, random, openTransport, pace })
  if (isLooking) connection.view.hurry('nodes', 3600 * SECOND, NAMES)
  return { clock, slurm, connection, past, endTrouble: () => {} }
}

function factsOf(slurm: SimulatedSlurm, name: string, atMs: number): Facts | undefined {
  const node = slurm.truth.node(name)
  if (!node) return undefined
  const running = node.jobs.filter((id) => slurm.truth.job(id)?.state === 'RUNNING').length
  const { isDown, flags } = node.record
  return { atMs, isDown, hasDrain: flags.has('DRAIN'), jobs: node.jobs.length, running }
}

/** The facts of this moment. */
export function factsNow({ slurm, clock }: World, name: string): Facts | undefined {
  return factsOf(slurm, name, clock.now())
}

/** What can happen: what we do, what others do, what machines do, and what Slurm's own clock and disk do. */
const deeds = {
  ours: ['drain', 'drain', 'undrain', 'resume', 'comment'],
  ourDeletes: ['delete'],
  jobs: ['submit-here', 'submit-here', 'submit', 'cancel'],
  others: ['their-drain', 'their-undrain', 'their-down', 'their-delete'],
  machines: ['slurmd-ends', 'slurmd-starts', 'slurmd-starts', 'slurmd-shrinks'],
  reboots: ['reboot'],
  clock: ['clock-back', 'clock-ahead', 'clock-right'],
  loss: ['lose-since-save', 'lose-everything', 'save'],
} as const

/** One of them. */
type Deed = (typeof deeds)[keyof typeof deeds][number]

/** A daemon that is away, or something that is wrong with answers. */
export type Trouble = FaultKind | 'slurmctld-away' | 'slurmctld-unreachable' | 'restd-away'

/** One step of a history. Trouble lasts until the next step has begun. */
export type Step =
  | { readonly do: Deed; readonly name: string; readonly thenMs: number }
  | { readonly trouble: Trouble; readonly on: 'orders' | 'questions' | undefined; readonly thenMs: number }

/** Trouble in which no answer lies. */
export const honestTrouble: readonly Trouble[] = [
  ...(['slurmctld-away', 'slurmctld-unreachable', 'restd-away', 'lost-answer', 'lost-answer', 'slow', 'slow'] as const),
  ...(['hang', 'reset', 'error-500', 'overload', 'cut', 'unreadable-record', 'nameless-record'] as const),
]

const anyPause = fc.oneof(fc.nat(50), fc.nat(3 * SECOND), fc.nat(40 * SECOND))
/** So long a trouble meets what comes after it. */
const LINGER_MS = 100

/** Any history of these kinds of deeds, about these many nodes, with such trouble. */
export function anyHistory(
  kinds: readonly (keyof typeof deeds)[],
  troubles: readonly Trouble[],
  nodes: number = NAMES.length,
): fc.Arbitrary<readonly Step[]> {
  const possible = kinds.flatMap((kind): readonly Deed[] => deeds[kind])
  const anyName = fc.constantFrom(...NAMES.slice(0, nodes))
  const anyDeed = fc.record({ do: fc.constantFrom(...possible), name: anyName, thenMs: anyPause })
  const anyTrouble = fc.record({
    trouble: fc.constantFrom(...troubles),
    on: fc.constantFrom('orders' as const, 'questions' as const, undefined),
    thenMs: fc.nat(25 * SECOND),
  })
  const anyStep: fc.Arbitrary<Step> = fc.oneof({ weight: 4, arbitrary: anyDeed }, { weight: 1, arbitrary: anyTrouble })
  return fc.array(anyStep, { minLength: 4, maxLength: 40 })
}

/** Live through a history, and look at the world after everything that happens. */
export async function live(world: World, history: readonly Step[], look: () => void): Promise<void> {
  for (const step of history) {
    if ('do' in step) carryOut(world, step.do, step.name)
    await pass(world, Math.min(step.thenMs, LINGER_MS), look)
    world.endTrouble()
    if ('trouble' in step) world.endTrouble = beginTrouble(world, step.trouble, step.on)
    await pass(world, Math.max(0, step.thenMs - LINGER_MS), look)
  }
  world.endTrouble()
}

function beginTrouble({ slurm }: World, trouble: Trouble, on: 'orders' | 'questions' | undefined): () => void {
  switch (trouble) {
    case 'slurmctld-away':
    case 'slurmctld-unreachable':
      slurm.endController(trouble === 'slurmctld-away' ? 'away' : 'unreachable')
      return () => slurm.startController()
    case 'restd-away':
      slurm.endRestd()
      return () => slurm.startRestd()
    default:
      return slurm.misbehave({ kind: trouble, byMs: 4 * SECOND, ...(on && { on }) })
  }
}

/** Let time pass from event to event. */
export async function pass({ clock }: World, ms: number, look: () => void): Promise<void> {
  const endMs = clock.monotonic() + ms
  for (let next = clock.nextInMs(); next !== undefined && clock.monotonic() + next <= endMs; next = clock.nextInMs()) {
    await clock.advanceToNext()
    look()
  }
  await clock.advance(Math.max(0, endMs - clock.monotonic()))
  look()
}

/** Orders are not waited for: that is what makes it interesting. */
function carryOut(world: World, deed: Deed, name: string): void {
  const supervised = (work: Promise<unknown>): void => void work.catch(() => {})
  const { client } = world.connection
  switch (deed) {
    case 'drain':
      return supervised(client.updateNode(name, { state: 'DRAIN', reason: 'ours' }))
    case 'undrain':
      return supervised(client.updateNodes([name, 'worker-1'], { state: 'UNDRAIN' }))
    case 'resume':
      return supervised(client.updateNode(name, { state: 'RESUME' }))
    case 'delete':
      return supervised(client.deleteNode(name))
    case 'comment':
      return supervised(client.updateNode(name, { comment: 'hello' }))
    default:
      return othersDo(world, deed, name)
  }
}

function othersDo({ slurm }: World, deed: Deed, name: string): void {
  const { orders } = slurm
  const known = slurm.truth.node(name) !== undefined
  try {
    if (deed === 'submit') orders.submitJob({ runMs: 7 * SECOND, nodeCount: 2 })
    if (deed === 'submit-here' && known)
      orders.submitJob({ requiredNodes: [name], cpusPerTask: 2, runMs: 20 * SECOND, requeue: false })
    if (deed === 'cancel') for (const { id } of slurm.truth.jobs()) orders.cancelJob(id)
    if (deed === 'their-drain') orders.updateNode(name, { state: 'DRAIN', reason: 'theirs' })
    if (deed === 'their-undrain') orders.updateNode(name, { state: 'UNDRAIN' })
    if (deed === 'their-down') orders.updateNode(name, { state: 'DOWN', reason: 'theirs' })
    if (deed === 'their-delete') orders.deleteNode(name)
  } catch {
    return // slurmctld is away: nobody hears them
  }
  fateDoes(slurm, deed, name)
}

function fateDoes(slurm: SimulatedSlurm, deed: Deed, name: string): void {
  if (deed === 'slurmd-ends') slurm.stopSlurmd(name)
  if (deed === 'slurmd-starts') slurm.addWorker({ name })
  if (deed === 'slurmd-shrinks') slurm.addWorker({ name, conf: 'CPUs=1 RealMemory=1000' })
  if (deed === 'reboot') slurm.rebootWorker(name, 20 * SECOND)
  if (deed === 'save') slurm.saveState()
  if (deed === 'clock-back') slurm.setClockSkew(-10 * MINUTE)
  if (deed === 'clock-ahead') slurm.setClockSkew(5 * MINUTE)
  if (deed === 'clock-right') slurm.setClockSkew(0)
  if (deed !== 'lose-everything' && deed !== 'lose-since-save') return
  slurm.endController()
  slurm.startController(deed === 'lose-everything' ? 'everything' : 'since-save')
}
