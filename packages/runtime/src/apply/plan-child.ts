import { equalJson, keyOf, type JsonValue, type KubeObject, type Resource } from '@slurm-operator/kube'
import { keyText } from '../loop/key-text.ts'
import type { ApplyStep, ChildStep, LiveChild, ParentObject } from './child.ts'
import { describeDifferences, type Difference } from './difference.ts'
import { findDifferences } from './find-differences.ts'
import { fingerprintOf, type KnownNoOps } from './no-op-memory.ts'
import { findOwnFields } from './owned-fields.ts'
import { belongingOf, describeForeign } from './why-not-ours.ts'

/** What the engine decides with, apart from the objects themselves. */
export interface ApplyRules {
  readonly owner: ParentObject
  /** The name under which the server notes which fields are ours. It must never change between releases. */
  readonly fieldManager: string
  readonly knownNoOps: KnownNoOps
  /** Objects of others that may be taken over all the same: after a restore from a backup, for instance. Default: none. */
  readonly mayAdopt?: (live: LiveChild, wanted: KubeObject) => boolean
}

const LOOK_AGAIN_SECONDS = 5

/** Decide about one wanted object, which must be normalized. */
export function planChild(
  resource: Resource<KubeObject>,
  wanted: KubeObject,
  live: LiveChild | undefined,
  rules: ApplyRules,
): ChildStep {
  const common = { resource, key: keyOf(wanted) }
  if (live === undefined) return { ...common, do: 'create', object: wanted, because: 'it does not exist' }
  const belonging = belongingOf(live, wanted, rules.owner)
  if (belonging.kind === 'foreign' && rules.mayAdopt?.(live, wanted) !== true) {
    const because = describeForeign(resource, common.key, belonging.owner)
    return { ...common, do: 'refuse', refusal: { reason: 'NotOurs', owner: belonging.owner }, because }
  }
  const leaving = whyLeaving(live, belonging.kind)
  if (leaving !== undefined) return { ...common, do: 'wait', because: leaving, lookAgainInSeconds: LOOK_AGAIN_SECONDS }
  return planUpdate(common, wanted, live, rules)
}

function whyLeaving({ metadata }: LiveChild, belonging: 'ours' | 'former' | 'foreign'): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted; it is made again when it is gone'
  if (belonging === 'former')
    return 'it belongs to an earlier owner of this name; it is made again when it has been removed'
  return undefined
}

function planUpdate(
  common: Pick<ApplyStep, 'resource' | 'key'>,
  wanted: KubeObject,
  live: LiveChild,
  { fieldManager, knownNoOps }: ApplyRules,
): ChildStep {
  const differences = compareOnce(wanted, live, fieldManager)
  if (differences.length === 0) return { ...common, do: 'nothing', because: 'all fields that we set are as wanted' }
  const because = describeDifferences(differences)
  if (knownNoOps.has(live.metadata.uid, fingerprintOf(differences))) {
    return { ...common, do: 'nothing', because: `the server does not take it from us: ${because}` }
  }
  return { ...common, do: 'apply', object: wanted, live, differences, because }
}

interface Compared {
  readonly wanted: KubeObject
  readonly fieldManager: string
  readonly differences: readonly Difference[]
}

/** Objects in a cache never change, and nearly every pass wants of them what the pass before wanted. */
const compared = new WeakMap<LiveChild, Compared>()

function compareOnce(wanted: KubeObject, live: LiveChild, fieldManager: string): readonly Difference[] {
  const before = compared.get(live)
  if (before?.fieldManager === fieldManager && isEqual(before.wanted, wanted)) return before.differences
  const differences = findDifferences(wanted, live, findOwnFields(live, fieldManager, wanted.apiVersion))
  compared.set(live, { wanted, fieldManager, differences })
  return differences
}

function isEqual(one: KubeObject, other: KubeObject): boolean {
  return equalJson(one as unknown as JsonValue, other as unknown as JsonValue)
}

/** The differences of a step, as the memory of useless writes knows them. */
export function fingerprintOfStep({ differences }: { readonly differences: readonly Difference[] }): string {
  return fingerprintOf(differences)
}

/** For people: `Service a/b`. */
export function describeChild({ resource, key }: Pick<ChildStep, 'resource' | 'key'>): string {
  return `${resource.kind} ${keyText(key)}`
}
