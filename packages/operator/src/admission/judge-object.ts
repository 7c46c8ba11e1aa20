/**
 * From a review to a verdict, the same for every kind.
 *
 * Whatever was stored before may stay: rules become stricter with time, and an object that breaks a newer rule must
 * still be labelled, annotated, scaled and deleted. So an update is refused only for what it makes wrong itself.
 *
 * @module
 */
import { findProblems, printProblem, type Problem } from '@slurm-operator/api'
import { equalJson, isJsonObject, ownEntries, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import { allowed, denied, type ReviewRequest } from '@slurm-operator/runtime'
import type { KindRules } from './kind-rules.ts'
import type { ReferenceReader } from './reference-reader.ts'

/** Judge one request about an object of a kind. */
export async function judgeObject<T, Facts>(
  rules: KindRules<T, Facts>,
  request: ReviewRequest,
  reader: ReferenceReader,
): Promise<Verdict> {
  if (request.operation === 'DELETE') return verdictOnDeletion(rules)
  const { object: after, oldObject } = request
  if (!isReadable(after)) return { ...denied(`There is no readable ${rules.kind} in the request.`), code: 400 }
  const before = isReadable(oldObject) ? oldObject : undefined
  if (isLeaving(after) || (before && isSameWish(before, after))) return allowed
  return verdictOf(await findAll(rules, before, after, reader))
}

/** What a validating hook answers. */
export type Verdict = ReturnType<typeof denied> | (typeof allowed & { readonly warnings?: readonly string[] })

async function findAll<T, Facts>(
  rules: KindRules<T, Facts>,
  before: JsonObject | undefined,
  after: JsonObject,
  reader: ReferenceReader,
): Promise<readonly Problem[]> {
  const general = findProblems(rules.kind, after)
  try {
    const own = await findOwn(rules, before, after, reader)
    return [...own.changes, ...mergeFindings(own.now, general).map((one) => soften(one, own.known))]
  } catch (error) {
    if (!general.some(({ severity }) => severity === 'error')) throw error
    const known = before === undefined ? [] : findProblems(rules.kind, before)
    return general.map((one) => soften(one, known)) // our rules expect the types that the schema promises
  }
}

/** What the rules of the kind say about the object now and as it was, and about the step between them. */
async function findOwn<T, Facts>(
  rules: KindRules<T, Facts>,
  before: JsonObject | undefined,
  after: JsonObject,
  reader: ReferenceReader,
) {
  const typed = (object: JsonObject): T => rules.withDefaults(withoutNull(object) as unknown as T)
  const facts = await rules.observe(typed(after), reader)
  const now = rules.find(typed(after), facts)
  if (before === undefined) return { now, known: [], changes: [] }
  const known = mergeFindings(rules.find(typed(before), facts), findProblems(rules.kind, before))
  return { now, known, changes: rules.findChanges(typed(before), typed(after)) }
}

/** `null` says that nothing was written, wherever it stands. */
function withoutNull(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value))
    return value.flatMap((item: JsonValue) => (item === null ? [] : [withoutNull(item) ?? null]))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    ownEntries(value).flatMap(([key, part]) => (part === null ? [] : [[key, withoutNull(part)]])),
  )
}

/** Two that look at the same field say the same: the one who knows the kind says it better. */
function mergeFindings(own: readonly Problem[], general: readonly Problem[]): readonly Problem[] {
  return [...own, ...general.filter(({ path }) => !own.some((one) => one.path === path))]
}

/** An error that was there before is only mentioned. */
function soften(problem: Problem, known: readonly Problem[]): Problem {
  const isOld = known.some((one) => one.path === problem.path && one.problem === problem.problem)
  return isOld ? { ...problem, severity: 'warning' } : problem
}

function verdictOf(problems: readonly Problem[]): Verdict {
  const texts = (severity: Problem['severity']) => [
    ...new Set(problems.filter((one) => one.severity === severity).map(printProblem)),
  ]
  const [errors, warnings] = [texts('error'), texts('warning')]
  const remarks = warnings.length > 0 && { warnings }
  return errors.length > 0 ? { ...denied(...errors), ...remarks } : { ...allowed, ...remarks }
}

function verdictOnDeletion({ kind, whenDeleted }: Pick<KindRules<never, never>, 'kind' | 'whenDeleted'>): Verdict {
  if (whenDeleted === undefined) return allowed
  return { ...allowed, warnings: [`This ${kind} is being deleted: ${whenDeleted}.`] }
}

/** What a user asks for stands in the spec, and in the annotations that switch something on. */
function isSameWish(before: JsonObject, after: JsonObject): boolean {
  return equalJson(before['spec'], after['spec']) && equalJson(annotationsOf(before), annotationsOf(after))
}

function annotationsOf({ metadata }: JsonObject): JsonValue {
  return (isJsonObject(metadata) ? metadata['annotations'] : undefined) ?? {}
}

/** Finalizers must come off whatever is in the spec. */
function isLeaving({ metadata }: JsonObject): boolean {
  return isJsonObject(metadata) && metadata['deletionTimestamp'] !== undefined
}

function isReadable(value: unknown): value is JsonObject & { readonly spec: JsonValue } {
  return isJsonObject(value) && isJsonObject(value['spec']) && isJsonObject(value['metadata'])
}
