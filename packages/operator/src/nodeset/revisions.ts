/**
 * Which template is the newest one, and what must be written so that the ControllerRevisions say so.
 *
 * Revisions are found by their owner. Two that mean the same are the same, whoever printed them: taking over from another
 * program must not restart a single pod. The hash on pods is always the one in the revision's label.
 *
 * @module
 */
import { equalTemplates, revisionHash, revisionName, type JsonValue } from '@slurm-operator/kube'
import type { Revision, RevisionFacts } from './picture.ts'
import type { Step } from './steps.ts'

/** The newest template, and the steps that record it. */
interface RevisionPlan {
  readonly revisionHash: string
  readonly collisionCount: number
  readonly steps: readonly Step[]
}

/** What a decision about revisions needs to know. */
export interface RevisionQuestion {
  readonly facts: RevisionFacts
  readonly nodeSetName: string
  readonly collisionCount: number
  readonly historyLimit: number
  /** The hashes that existing pods carry: their revisions stay. */
  readonly hashesInUse: ReadonlySet<string>
}

/** Find the revision of the spec, or make it; adopt orphans; forget the oldest unused ones. */
export function planRevisions(question: RevisionQuestion): RevisionPlan {
  const ours = question.facts.existing.filter(({ owner }) => owner !== 'other').sort(byAge)
  const adoptions = ours.filter(({ owner }) => owner === 'nobody').map(adopt)
  const chosen = choose(question, ours)
  const truncations = truncate(question, ours, chosen.revisionHash)
  return { ...chosen, steps: [...adoptions, ...chosen.steps, ...truncations] }
}

function choose(question: RevisionQuestion, ours: readonly Revision[]): RevisionPlan {
  const { facts, collisionCount } = question
  const wanted = JSON.parse(facts.wantedJson) as JsonValue
  const equal = ours.findLast(({ data }) => equalTemplates(data, wanted))
  if (equal === undefined) return create(question, ours)
  const revisionHash = hashOf(equal)
  if (equal === ours.at(-1)) return { revisionHash, collisionCount, steps: [] }
  return { revisionHash, collisionCount, steps: [renumber(equal, nextNumber(ours))] }
}

/** A name that another revision has taken for something else is passed over; the label follows the name. */
function create(question: RevisionQuestion, ours: readonly Revision[]): RevisionPlan {
  const { facts, nodeSetName } = question
  const taken = new Set(facts.existing.map(({ name }) => name))
  let collisionCount = question.collisionCount
  while (taken.has(revisionName(nodeSetName, revisionHash(facts.wantedJson, collisionCount)))) collisionCount += 1
  const hash = revisionHash(facts.wantedJson, collisionCount)
  const name = revisionName(nodeSetName, hash)
  const step: Step = {
    do: 'create-revision',
    ...{ name, hash, number: nextNumber(ours), json: facts.wantedJson },
    ...{ chain: 'revisions', reason: 'NewTemplate', because: 'no revision holds the template of the spec' },
  }
  return { revisionHash: hash, collisionCount, steps: [step] }
}

/** Another program may have made a revision without the label; its name then stands for the hash. */
function hashOf({ hash, name }: Revision): string {
  return hash === '' ? name : hash
}

function nextNumber(ours: readonly Revision[]): number {
  return Math.max(0, ...ours.map(({ number }) => number)) + 1
}

function adopt({ name }: Revision): Step {
  const because = 'it is a revision of this NodeSet and nobody owns it'
  return { do: 'adopt-revision', name, chain: `revision/${name}`, reason: 'Orphan', because }
}

function renumber({ name }: Revision, number: number): Step {
  const because = 'the spec is as it was at that revision'
  return { do: 'renumber-revision', name, number, chain: 'revisions', reason: 'RolledBack', because }
}

function truncate(question: RevisionQuestion, ours: readonly Revision[], newest: string): Step[] {
  const { hashesInUse, historyLimit } = question
  const unused = ours.filter((one) => hashOf(one) !== newest && !hashesInUse.has(hashOf(one)))
  const excess = Math.max(0, unused.length - Math.max(0, historyLimit))
  return unused.slice(0, excess).map(({ name }): Step => {
    const because = `no pod has it, and ${Math.max(0, historyLimit)} old revisions are kept`
    return { do: 'delete-revision', name, chain: `revision/${name}`, reason: 'HistoryLimit', because }
  })
}

function byAge(one: Revision, other: Revision): number {
  const older = one.number - other.number || (one.createdAtMs ?? 0) - (other.createdAtMs ?? 0)
  if (older !== 0) return older
  return one.name < other.name ? -1 : 1
}
