import { describe, expect, test } from 'vitest'
import { createClientOn } from '../client/client.ts'
import { createScriptedTransport, failure, type Scripted } from '../client/gen.ts'
import { discover } from './discover.ts'
import { findKind } from './discovered.ts'

const aggregated = { 'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }
const clientOf = (...answers: readonly Scripted[]) =>
  createClientOn(createScriptedTransport(...answers), { retry: { maxTries: 1 } })

const sets = {
  resource: 'sets',
  responseKind: { kind: 'Set' },
  scope: 'Namespaced',
  singularResource: 'set',
  verbs: ['get'],
  shortNames: ['s'],
}

describe('a new server', () => {
  const apps = (freshness: string) => ({
    items: [
      {
        metadata: { name: 'apps' },
        versions: [
          {
            version: 'v2',
            freshness,
            resources: [
              { ...sets, subresources: [{ subresource: 'status', responseKind: { kind: 'Set' }, verbs: ['get'] }] },
            ],
          },
          { version: 'v1', resources: [sets] },
        ],
      },
    ],
  })
  test('tells everything in two answers', async () => {
    const groups = await discover(
      clientOf({ body: { items: [] }, headers: aggregated }, { body: apps('Current'), headers: aggregated }),
    )
    const found = findKind(groups, { group: 'apps', kind: 'Set' })
    expect(found).toMatchObject({ version: 'v2', plural: 'sets', namespaced: true, subresources: [{ name: 'status' }] })
    expect(findKind(groups, { group: 'apps', kind: 'Set', version: 'v1' })?.version).toBe('v1')
    expect(findKind(groups, { group: 'apps', kind: 'Other' })).toBeUndefined()
  })
  test('says which part it does not know about at the moment', async () => {
    const groups = await discover(
      clientOf({ body: { items: [] }, headers: aggregated }, { body: apps('Stale'), headers: aggregated }),
    )
    expect(groups[0]?.versions.map(({ isStale }) => isStale)).toEqual([true, false])
  })
})

describe('an old server', () => {
  const lists = {
    apis: {
      groups: [{ name: 'apps', versions: [{ version: 'v1' }, { version: 'v2' }], preferredVersion: { version: 'v2' } }],
    },
    sets: {
      resources: [
        { name: 'sets', kind: 'Set', namespaced: true, singularName: 'set', verbs: ['get'] },
        { name: 'sets/scale', kind: 'Scale', namespaced: true, singularName: '', verbs: ['get'] },
      ],
    },
  }
  test('is asked group by group, and one that does not answer is marked, not left out', async () => {
    const client = clientOf(
      { body: { versions: ['v1'] } },
      { body: lists.apis },
      { body: { resources: [] } },
      { body: lists.sets },
      failure(503, 'ServiceUnavailable'),
    )
    const groups = await discover(client)
    expect(
      groups.map(({ group, versions }) => [group, versions.map(({ version, isStale }) => [version, isStale])]),
    ).toEqual([
      ['', [['v1', false]]],
      [
        'apps',
        [
          ['v2', false],
          ['v1', true],
        ],
      ],
    ])
    expect(findKind(groups, { group: 'apps', kind: 'Set' })).toMatchObject({
      subresources: [{ name: 'scale', kind: 'Scale' }],
    })
  })
})
