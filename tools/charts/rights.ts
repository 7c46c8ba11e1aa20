/**
 * The rights that rendered roles give, one by one, and which of them somebody has needed.
 *
 * @module
 */
import type { Rendered } from './read-rendered.ts'

/** One verb for one resource, given by one role. */
export interface Right {
  readonly role: string
  readonly group: string
  /** With its subresource: `pods/status`. */
  readonly resource: string
  readonly verb: string
  /** Only for the object of this name. */
  readonly name?: string
  /** Only in this namespace. */
  readonly namespace?: string
}

/** What somebody wants to do. */
export interface Question {
  readonly group: string
  readonly resource: string
  readonly verb: string
  readonly name?: string
  readonly namespace?: string
}

interface Rule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}

interface Subject {
  readonly kind: string
  readonly name: string
}

/** All rights of a service account. */
export function rightsOf(objects: readonly Rendered[], account: string): Right[] {
  const isSubject = ({ kind, name }: Subject) => kind === 'ServiceAccount' && name === account
  const bindings = objects.filter((object) => ((object['subjects'] ?? []) as readonly Subject[]).some(isSubject))
  return bindings.flatMap((binding) => {
    const { kind, name } = binding['roleRef'] as Subject
    const { namespace } = binding.metadata
    const isMeant = (role: Rendered) =>
      role.kind === kind &&
      role.metadata.name === name &&
      (kind === 'ClusterRole' || role.metadata.namespace === namespace)
    return objects.filter(isMeant).flatMap((role) => rightsOfRole(role, namespace))
  })
}

function rightsOfRole(role: Rendered, namespace: string | undefined): Right[] {
  return ((role['rules'] ?? []) as readonly Rule[]).flatMap(
    ({ apiGroups = [], resources = [], verbs, resourceNames }) =>
      combine(apiGroups, resources, verbs).flatMap(([group, resource, verb]) => {
        const right = { role: role.metadata.name, group, resource, verb, ...(namespace !== undefined && { namespace }) }
        return resourceNames === undefined ? [right] : resourceNames.map((name) => ({ ...right, name }))
      }),
  )
}

function combine(groups: readonly string[], resources: readonly string[], verbs: readonly string[]) {
  return groups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb): [string, string, string] => [group, resource, verb])),
  )
}

/** Whether a right answers a question with yes. */
export function allows(right: Right, question: Question): boolean {
  return (
    right.group === question.group &&
    right.resource === question.resource &&
    right.verb === question.verb &&
    (right.name === undefined || right.name === question.name) &&
    (right.namespace === undefined || right.namespace === question.namespace)
  )
}

/** Those whose loss nobody would notice: every question that they answer is answered by another right too, or none is. */
export function rightsWithoutUse(rights: readonly Right[], questions: readonly Question[]): Right[] {
  return rights.filter((right) => {
    const others = rights.filter((other) => other !== right)
    return !questions.some((question) => allows(right, question) && !others.some((other) => allows(other, question)))
  })
}

/** Questions to which no right says yes. */
export function questionsWithoutRight(rights: readonly Right[], questions: readonly Question[]): Question[] {
  return questions.filter((question) => !rights.some((right) => allows(right, question)))
}

/** For people: `patch pods/status`, `get leases.coordination.k8s.io slurm-operator`. */
export function describeRight({ group, resource, verb, name }: Question): string {
  return [verb, group === '' ? resource : `${resource}.${group}`, ...(name ? [name] : [])].join(' ')
}
