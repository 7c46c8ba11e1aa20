import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Rendered } from './read-rendered.ts'
import {
  allows,
  describeRight,
  questionsWithoutRight,
  rightsOf,
  rightsWithoutUse,
  type Question,
  type Right,
} from './rights.ts'

const role = (kind: 'Role' | 'ClusterRole', name: string, rules: readonly object[], namespace?: string): Rendered => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  rules,
})

const binding = (to: Rendered, account: string): Rendered => ({
  apiVersion: to.apiVersion,
  kind: `${to.kind}Binding`,
  metadata: to.metadata,
  roleRef: { kind: to.kind, name: to.metadata.name },
  subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'ns' }],
})

const everywhere = role('ClusterRole', 'all', [{ apiGroups: [''], resources: ['pods', 'pods/status'], verbs: ['get'] }])
const own = role(
  'Role',
  'own',
  [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] }],
  'ns',
)
const urls = role('ClusterRole', 'urls', [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }])
const objects = [everywhere, own, urls, ...[everywhere, own, urls].map((one) => binding(one, 'operator'))]

describe('taking roles apart prevents that', () => {
  test('a right is overlooked, or one of somebody else is counted', () => {
    expect(rightsOf(objects, 'operator')).toEqual([
      { role: 'all', group: '', resource: 'pods', verb: 'get' },
      { role: 'all', group: '', resource: 'pods/status', verb: 'get' },
      { role: 'own', group: '', resource: 'secrets', verb: 'get', name: 'a', namespace: 'ns' },
      { role: 'own', group: '', resource: 'secrets', verb: 'get', name: 'b', namespace: 'ns' },
    ])
    expect(rightsOf(objects, 'webhook')).toEqual([])
  })

  test('a role of another namespace is taken for the one that is bound', () => {
    const other = role('Role', 'own', [{ apiGroups: [''], resources: ['pods'], verbs: ['delete'] }], 'elsewhere')
    expect(rightsOf([...objects, other], 'operator').map(({ verb }) => verb)).not.toContain('delete')
  })
})

const getPods: Right = { role: 'all', group: '', resource: 'pods', verb: 'get' }
const asked: Question = { group: '', resource: 'pods', verb: 'get', namespace: 'x', name: 'p' }

describe('comparing rights with questions prevents that', () => {
  const strangers: readonly Partial<Right>[] = [
    { group: 'apps' },
    { resource: 'pods/status' },
    { verb: 'list' },
    { name: 'other' },
    { namespace: 'other' },
  ]
  test.for(strangers)('a right for %o answers a question about something else', (change) => {
    expect(allows(getPods, asked)).toBe(true)
    expect(allows({ ...getPods, ...change }, asked)).toBe(false)
  })

  test('a right that nobody uses stays unseen', () => {
    const useless: Right = { ...getPods, verb: 'delete' }
    expect(rightsWithoutUse([getPods, useless], [asked])).toEqual([useless])
  })

  test('two rights that cover each other both look useful', () => {
    const twin: Right = { ...getPods, role: 'other' }
    expect(rightsWithoutUse([getPods, twin], [asked])).toEqual([getPods, twin])
  })

  test('a question that nobody may ask stays unseen', () => {
    const forbidden = { ...asked, verb: 'delete' }
    expect(questionsWithoutRight([getPods], [asked, forbidden])).toEqual([forbidden])
  })

  test('people cannot tell which right is meant', () => {
    expect(describeRight(asked)).toBe('get pods p')
    expect(describeRight({ group: 'apps', resource: 'deployments', verb: 'patch' })).toBe('patch deployments.apps')
  })
})

const word = fc.constantFrom('a', 'b')
const anyRight: fc.Arbitrary<Right> = fc.record(
  { role: word, group: word, resource: word, verb: word, name: word, namespace: word },
  { requiredKeys: ['role', 'group', 'resource', 'verb'] },
)
const anyQuestion: fc.Arbitrary<Question> = fc.record(
  { group: word, resource: word, verb: word, name: word, namespace: word },
  { requiredKeys: ['group', 'resource', 'verb'] },
)

test('a right is called useless though without it a question would be refused, or the other way round', () => {
  fc.assert(
    fc.property(fc.array(anyRight, { maxLength: 6 }), fc.array(anyQuestion), (rights, questions) => {
      const useless = rightsWithoutUse(rights, questions)
      const refused = questionsWithoutRight(rights, questions).length
      for (const right of rights) {
        const without = rights.filter((other) => other !== right)
        const isMissed = questionsWithoutRight(without, questions).length > refused
        expect(useless.includes(right)).toBe(!isMissed)
      }
    }),
  )
})
