/**
 * Environment variables before the strategic merge: one variable has one source, and options that the operator gives a
 * daemon are kept when the user adds others.
 *
 * @module
 */
import { isJsonList, isJsonObject, ownValue, type JsonObject } from '@slurm-operator/kube'
import type { Problem } from './problem.ts'

/** Both sides of `env`, prepared so that merging them by name gives what was meant. */
export interface Environments {
  readonly base: JsonObject
  readonly user: JsonObject
  readonly problems: readonly Problem[]
}

/** Drop the other source of a variable that the user sets, and join variables that hold options. */
export function prepareEnvironments(base: JsonObject, user: JsonObject, path: string): Environments {
  const ours = variablesOf(base)
  const theirs = variablesOf(user)
  if (ours.length === 0 || theirs.length === 0) return { base, user, problems: [] }
  const given = new Set(theirs.filter(hasSource).map(nameOf))
  return {
    base: { ...base, env: ours.map((variable) => (given.has(nameOf(variable)) ? withoutSource(variable) : variable)) },
    user: { ...user, env: theirs.map((variable) => joinOptions(find(ours, nameOf(variable)), variable)) },
    problems: theirs.flatMap((variable) => whyNotJoined(find(ours, nameOf(variable)), variable, path)),
  }
}

/** Variables such as SACKD_OPTIONS hold command-line options: the daemon needs ours, the user wants theirs. */
function holdsOptions(variable: JsonObject): boolean {
  return nameOf(variable).endsWith('_OPTIONS')
}

function joinOptions(ours: JsonObject | undefined, theirs: JsonObject): JsonObject {
  const [first, second] = [ours && ownValue(ours, 'value'), ownValue(theirs, 'value')]
  if (!holdsOptions(theirs) || typeof first !== 'string' || typeof second !== 'string') return theirs
  const isRepeated = ` ${second} `.includes(` ${first} `)
  return isRepeated ? theirs : { ...theirs, value: [first, second].filter((text) => text !== '').join(' ') }
}

function whyNotJoined(ours: JsonObject | undefined, theirs: JsonObject, path: string): Problem[] {
  if (!ours || !holdsOptions(theirs) || ownValue(theirs, 'valueFrom') === undefined) return []
  const problem = `takes ${nameOf(theirs)} from elsewhere, but the operator adds options to it. Give it a fixed value.`
  return [{ path: `${path}.env`, problem }]
}

function variablesOf(container: JsonObject): readonly JsonObject[] {
  const env = ownValue(container, 'env')
  // What is no list of maps is left to the merge, which says what is wrong with it.
  return isJsonList(env) && env.every((variable) => isJsonObject(variable) && nameOf(variable) !== '')
    ? (env as readonly JsonObject[])
    : []
}

function nameOf(variable: JsonObject): string {
  const name = ownValue(variable, 'name')
  return typeof name === 'string' ? name : ''
}

function find(variables: readonly JsonObject[], name: string): JsonObject | undefined {
  return variables.find((variable) => nameOf(variable) === name)
}

function hasSource(variable: JsonObject): boolean {
  return ownValue(variable, 'value') !== undefined || ownValue(variable, 'valueFrom') !== undefined
}

function withoutSource(variable: JsonObject): JsonObject {
  return { name: nameOf(variable) }
}
