/**
 * Who leaves and who comes: scale, placement, replacement and update decided together, so that they never undo each
 * other. Whoever is condemned for one reason is no candidate for the next.
 *
 * @module
 */
import type { Picture, Worker } from './picture.ts'
import { daemonHostname } from './picture-identity.ts'
import { isAvailable } from './plan-budget.ts'
import { whyCannotEnd } from './plan-ending.ts'
import { readCondemned, type Condemnation, type Leaving } from './plan-condemnation.ts'
import { placeDaemons } from './plan-daemons.ts'
import { findMissing, findSurplus, type Missing } from './plan-scale.ts'
import { findUnregistered } from './plan-unregistered.ts'
import { chooseForUpdate, mayDeleteAvailable } from './plan-update.ts'
import { whyReplace } from './replacement-causes.ts'
import { pinsOf } from './status-pins.ts'
import type { Problem, Wait } from './steps.ts'

/** The decision. */
interface Decision {
  readonly leaving: Leaving
  readonly missing: readonly Missing[]
  readonly desired: number
  /** How many available pods may be deleted for an update. */
  readonly deletableAvailable: number
  readonly waits: readonly Wait[]
  readonly problems: readonly Problem[]
}

/** The number of workers and their places, before anybody is replaced. */
interface Sizing {
  readonly leaving: readonly Condemnation[]
  readonly missing: readonly Missing[]
  readonly desired: number
  /** How many workers could run now: what a budget is a share of. */
  readonly startable: number
  /** How many of those have no living pod. */
  readonly lacking: number
  /** The Kube nodes where a pod could be started now; undefined if the scheduler chooses. */
  readonly eligible?: ReadonlySet<string>
  readonly waits: readonly Wait[]
  readonly problems: readonly Problem[]
}

const NAME_TAKEN_LOOK_MS = 10_000

/** See the module. */
export function decideWhoLeaves(picture: Picture, revisionHash: string): Decision {
  const living = picture.workers.filter(({ terminating }) => !terminating)
  const [ours, foreignMode] = splitByMode(living, picture)
  const sizing = size(picture, ours, revisionHash)
  const leaving = new Map<string, Condemnation>()
  const condemn = (more: readonly Condemnation[]): void => {
    for (const one of more) if (!leaving.has(one.worker.uid)) leaving.set(one.worker.uid, one)
  }
  // Without a template nobody could take the place of a worker: who is too many may go, and nobody else.
  const canReplace = picture.template.kind === 'built'
  condemn(sizing.leaving)
  const staying = (): Worker[] => ours.filter(({ uid }) => !leaving.has(uid))
  const { eligible, startable } = sizing
  const isPlaced = ({ targetNode }: Worker): boolean => eligible?.has(targetNode) ?? true
  const replaced = canReplace ? findReplacements(picture, staying(), revisionHash) : []
  condemn(replaced)
  if (canReplace) {
    const isReady = sizing.missing.length === 0 // the new ones come first; but who was told to leave stays told
    const told = foreignMode.filter((worker) => isReady || readCondemned(worker) !== undefined)
    condemn(whoseModeChanged(picture, told))
  }
  // Who is replaced anyway is out of service as well.
  const missing = sizing.lacking + replaced.filter(({ worker }) => isPlaced(worker)).length
  const question = { picture, revisionHash, staying: staying().filter(isPlaced), startable, missing }
  if (canReplace) condemn(chooseForUpdate(question))
  const unavailable = startable - countAvailable(picture, staying())
  const unregistered = canReplace
    ? findUnregistered(picture, staying(), startable, unavailable)
    : { leaving: [], waits: [] }
  condemn(unregistered.leaving)
  return {
    ...{ leaving, missing: sizing.missing, desired: sizing.desired },
    deletableAvailable: mayDeleteAvailable(question),
    waits: [...sizing.waits, ...unregistered.waits],
    problems: sizing.problems,
  }
}

function splitByMode(living: readonly Worker[], { wanted }: Picture): [Worker[], Worker[]] {
  const isOurs = ({ mode }: Worker): boolean => mode === wanted.scalingMode
  return [living.filter(isOurs), living.filter((worker) => !isOurs(worker))]
}

function size(picture: Picture, ours: readonly Worker[], revisionHash: string): Sizing {
  return picture.wanted.scalingMode === 'StatefulSet'
    ? sizeByNumber(picture, ours, revisionHash)
    : sizeByNodes(picture, ours, revisionHash)
}

function sizeByNumber(picture: Picture, ours: readonly Worker[], revisionHash: string): Sizing {
  const { replicas } = picture.wanted
  const { missing, taken } = findMissing(picture, ours)
  return {
    leaving: findSurplus(ours, replicas, revisionHash),
    ...{ missing, desired: replicas, startable: replicas, problems: [] },
    lacking: Math.max(0, replicas - ours.length),
    waits: taken.map((name) => nameTaken(name, picture)),
  }
}

/** Without a template there are no places: nobody comes and nobody goes. */
function sizeByNodes(picture: Picture, ours: readonly Worker[], revisionHash: string): Sizing {
  const { template, workers, wanted } = picture
  if (template.kind === 'impossible') {
    const startable = ours.length
    return { leaving: [], missing: [], desired: startable, startable, lacking: 0, waits: [], problems: [] }
  }
  const daemons = workers.filter(({ mode }) => mode === wanted.scalingMode)
  const placed = placeDaemons(picture, template.placement, daemons, revisionHash)
  const occupied = new Set(ours.map(({ targetNode }) => targetNode))
  return { ...placed, startable: placed.eligible.size, lacking: placed.eligible.difference(occupied).size }
}

/** Finished, at the wrong host name, or refused by Slurm: replaced whatever the update strategy says. */
function findReplacements(picture: Picture, ours: readonly Worker[], revisionHash: string): Condemnation[] {
  const pinnedTo = pinningOf(picture)
  return ours.flatMap((worker) => {
    const expectedHostname = expectedHostnameOf(worker, picture)
    const { wanted, nowMs } = picture
    const cause = whyReplace(worker, { wanted, revisionHash, expectedHostname, pinnedTo: pinnedTo(worker), nowMs })
    return cause === undefined || cause.reason === 'Outdated' ? [] : [{ worker, ...cause }]
  })
}

/** A template that names Kube nodes itself looks like a pin, and is none of ours. */
function pinningOf(picture: Picture): (worker: Worker) => string | undefined {
  const { template } = picture
  if (template.kind !== 'built') return () => undefined
  const terms = template.placement.requiredNodes?.nodeSelectorTerms ?? []
  if (terms.some(({ matchFields = [] }) => matchFields.length > 0)) return () => undefined
  const pins = pinsOf(picture) ?? {}
  return ({ ordinal }) => pins[String(ordinal)] ?? ''
}

function expectedHostnameOf({ mode, targetNode }: Worker, { kubeNodes, template }: Picture): string | undefined {
  const node = kubeNodes.get(targetNode)
  return mode === 'DaemonSet' && node !== undefined && template.kind === 'built' ? daemonHostname(node) : undefined
}

function whoseModeChanged(picture: Picture, foreignMode: readonly Worker[]): Condemnation[] {
  const measure = {
    wanted: picture.wanted,
    revisionHash: '',
    expectedHostname: undefined,
    pinnedTo: undefined,
    nowMs: picture.nowMs,
  }
  return foreignMode.flatMap((worker) => {
    const cause = whyReplace(worker, measure)
    return cause === undefined ? [] : [{ worker, ...cause }]
  })
}

function countAvailable({ wanted, nowMs }: Picture, workers: readonly Worker[]): number {
  return workers.filter((worker) => isAvailable(worker, wanted.minReadySeconds, nowMs)).length
}

function nameTaken(name: string, picture: Picture): Wait {
  const former = picture.workers.find(({ pod }) => pod === name)
  const because = whyCannotEnd(former, picture) ?? 'a former pod of this name is still there'
  return { worker: name, reason: 'NameTaken', because, sinceMs: undefined, lookAgainInMs: NAME_TAKEN_LOOK_MS }
}
