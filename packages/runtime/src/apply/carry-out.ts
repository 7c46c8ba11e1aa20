/**
 * Carries out what was planned: all steps, a few at a time, failures collected. What is new comes first, what is no
 * longer wanted goes last.
 *
 * @module
 */
import { isFailure, isNotFound, type CallOptions, type KubeObject } from '@slurm-operator/kube'
import { asError } from '../supervise/as-error.ts'
import type {
  ApplyStep,
  ChildKind,
  ChildStep,
  CreateStep,
  DeleteStep,
  LiveChild,
  RefuseStep,
  WaitStep,
} from './child.ts'
import { inParallel } from '../supervise/in-parallel.ts'
import type { NoOpMemory } from './no-op-memory.ts'
import { planDetour } from './plan-detour.ts'
import { fingerprintOfStep, planChild, type ApplyRules } from './plan-child.ts'
import { readRefusal } from './read-refusal.ts'
import { takeBackPorts } from './take-back.ts'

/** What came of one step. */
export type ChildResult =
  | { readonly kind: 'done'; readonly step: CreateStep | ApplyStep; readonly object: LiveChild }
  | { readonly kind: 'done'; readonly step: DeleteStep }
  | { readonly kind: 'idle'; readonly step: ChildStep }
  | { readonly kind: 'waiting'; readonly step: WaitStep }
  | { readonly kind: 'refused'; readonly step: RefuseStep }
  /** The object that exists cannot be changed in these fields. The caller decides: `buildRecreateStep`, or tell a person. */
  | { readonly kind: 'immutable'; readonly step: ApplyStep; readonly fields: readonly string[]; readonly error: Error }
  /** The server does not accept it. */
  | {
      readonly kind: 'invalid'
      readonly step: CreateStep | ApplyStep
      readonly fields: readonly string[]
      readonly error: Error
    }
  | { readonly kind: 'failed'; readonly step: ChildStep; readonly error: Error }

/** What carrying out needs. */
export interface CarryOutOptions extends ApplyRules {
  readonly kinds: readonly ChildKind[]
  readonly knownNoOps: NoOpMemory
  readonly signal?: AbortSignal
  /** Default 4. */
  readonly mostAtOnce?: number
}

const MOST_AT_ONCE = 4

/** Do all steps. Never throws; the results are in the order of the steps. */
export async function carryOutChildren(
  steps: readonly ChildStep[],
  options: CarryOutOptions,
): Promise<readonly ChildResult[]> {
  const { mostAtOnce = MOST_AT_ONCE } = options
  const results = new Map<ChildStep, ChildResult>()
  const isLast = ({ do: what }: ChildStep) => what === 'delete'
  for (const phase of [steps.filter((step) => !isLast(step)), steps.filter(isLast)]) {
    await inParallel(phase, mostAtOnce, async (step) => results.set(step, await carryOutOrTell(step, options)))
  }
  return steps.flatMap((step) => results.get(step) ?? [])
}

async function carryOutOrTell(step: ChildStep, options: CarryOutOptions): Promise<ChildResult> {
  try {
    options.signal?.throwIfAborted()
    return await carryOut(step, options)
  } catch (error) {
    return judge(step, error)
  }
}

function judge(step: ChildStep, thrown: unknown): ChildResult {
  const error = asError(thrown)
  const differences = step.do === 'apply' ? step.differences : []
  const refusal = readRefusal(error, differences)
  if (refusal === undefined || (step.do !== 'apply' && step.do !== 'create')) return { kind: 'failed', step, error }
  if (refusal.kind === 'invalid' || step.do === 'create')
    return { kind: 'invalid', step, fields: refusal.fields, error }
  return { kind: 'immutable', step, fields: refusal.fields, error }
}

async function carryOut(step: ChildStep, options: CarryOutOptions): Promise<ChildResult> {
  switch (step.do) {
    case 'nothing':
      return { kind: 'idle', step }
    case 'wait':
      return { kind: 'waiting', step }
    case 'refuse':
      return { kind: 'refused', step }
    case 'create':
      return create(step, options)
    case 'apply':
      return apply(step, options)
    case 'delete':
      return remove(step, options)
  }
}

/** The cache says that it does not exist; the server has the last word. Without force, nobody's fields are taken. */
async function create(step: CreateStep, options: CarryOutOptions): Promise<ChildResult> {
  const kind = kindFor(step, options)
  const found = await kind.read(step.key, callOptions(options))
  if (found !== undefined) {
    const better = planChild(step.resource, step.object, found, options)
    return better.do === 'create' ? { kind: 'idle', step } : carryOutOrTell(better, options)
  }
  const object = await kind.apply(step.object, { ...callOptions(options), fieldManager: options.fieldManager })
  return { kind: 'done', step, object }
}

async function apply(step: ApplyStep, options: CarryOutOptions): Promise<ChildResult> {
  const { uid, resourceVersion } = step.live.metadata
  const object = await applyOrDetour(step, options)
  // Answered without a new version: nothing was changed, so the next pass need not ask again.
  if (object.metadata.resourceVersion === resourceVersion) options.knownNoOps.learn(uid, fingerprintOfStep(step))
  return { kind: 'done', step, object }
}

async function applyOrDetour(step: ApplyStep, options: CarryOutOptions): Promise<LiveChild> {
  const { fieldManager } = options
  const kind = kindFor(step, options)
  const send = (object: KubeObject) =>
    kind.apply(onlyAs(object, step.live), { ...callOptions(options), fieldManager, force: true })
  try {
    return await send(step.object)
  } catch (error) {
    const first = planDetour(error, step)
    if (first !== undefined) await send(first)
    else if (!isFailure(error, 'Invalid') || !(await takeBack(step, options))) throw error
    return send(step.object)
  }
}

/** Whether something is ours again that may have been in the way. */
async function takeBack(step: ApplyStep, options: CarryOutOptions): Promise<boolean> {
  const kind = kindFor(step, options)
  const live = await kind.read(step.key, callOptions(options))
  const { uid, resourceVersion } = live?.metadata ?? {}
  if (live === undefined || uid !== step.live.metadata.uid) return false
  const managedFields = takeBackPorts(step.object, live, options.fieldManager)
  if (managedFields === undefined) return false
  const body = { metadata: { uid, resourceVersion, managedFields } }
  await kind.patch(step.key, { type: 'merge', body }, { ...callOptions(options), fieldManager: options.fieldManager })
  return true
}

/** With a uid in it, the server takes an object only for the one that we compared. */
function onlyAs(object: KubeObject, { metadata: { uid } }: LiveChild): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid } }
}

async function remove(step: DeleteStep, options: CarryOutOptions): Promise<ChildResult> {
  const { key, uid, version, propagation = 'Background' } = step
  const preconditions = { uid, resourceVersion: version }
  try {
    await kindFor(step, options).delete(key, { ...callOptions(options), propagation, preconditions })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  return { kind: 'done', step }
}

/**
 * The step that deletes an object which cannot be changed, so that the next pass makes it anew. `Orphan` leaves what it
 * owns running: pods survive a new StatefulSet.
 */
export function buildRecreateStep(
  { step, fields }: Extract<ChildResult, { kind: 'immutable' }>,
  propagation: NonNullable<DeleteStep['propagation']>,
): DeleteStep {
  const { resource, key } = step
  const { uid, resourceVersion: version } = step.live.metadata
  const because = `it must be made anew, because ${fields.join(', ')} cannot be changed`
  return { do: 'delete', resource, key, uid, version, propagation, because }
}

function kindFor({ resource }: ChildStep, { kinds }: CarryOutOptions): ChildKind {
  const found = kinds.find(({ resource: { group, plural } }) => group === resource.group && plural === resource.plural)
  if (found === undefined) throw new Error(`Cannot write ${resource.kind}: it is not among the kinds of children.`)
  return found
}

function callOptions({ signal }: CarryOutOptions): CallOptions {
  return signal === undefined ? {} : { signal }
}
