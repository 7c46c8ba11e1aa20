import { selectorLabels } from '@slurm-operator/api'
import { revisionHash, revisionName } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import type { World } from '../world/world.ts'
import { aNodeSet } from './gen-build.ts'
import { observeRevisions } from './observe-revisions.ts'
import { REVISION_HASH_LABEL } from './picture-keys.ts'
import { planRevisions } from './revisions.ts'

type Fields = Readonly<Record<string, unknown>>

const foo = aNodeSet({}, { name: 'foo', uid: 'u1' })
const ofNodeSet = { spec: { ordinalPadding: 0, slurmd: { image: 'old' }, template: { spec: {} } } }
const ofStatefulSet = { spec: { template: { spec: {}, $patch: 'replace' } } }

/** A revision as the object of that name makes it, that nobody owns. */
function orphan(parent: string, data: object = ofNodeSet, labels: Fields = {}) {
  const hash = revisionHash(JSON.stringify(data), 0)
  const metadata = { name: revisionName(parent, hash), labels: { [REVISION_HASH_LABEL]: hash, ...labels } }
  return { revision: 1, data, metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z' } }
}

const ownedBy = (uid: string, revision: ReturnType<typeof orphan>) => ({
  ...revision,
  metadata: { ...revision.metadata, ownerReferences: [{ kind: 'NodeSet', name: 'foo', uid, controller: true }] },
})

function observe(revisions: readonly object[], nodeSet = foo) {
  return observeRevisions(nodeSet, { caches: { revisions: { by: () => revisions } } } as unknown as World)
}

const ownerIn = (revision: object, nodeSet = foo) => observe([revision], nodeSet).existing.map(({ owner }) => owner)

describe('whose revision it is: a wrong answer deletes the history of a stranger', () => {
  test.each([
    ['of StatefulSet foo-db, left behind by kubectl delete --cascade=orphan', orphan('foo-db', ofStatefulSet)],
    ['of NodeSet foo-gpu', orphan('foo-gpu')],
    ['of StatefulSet foo, which has even our name', orphan('foo', ofStatefulSet)],
    ['without a hash', { ...orphan('foo'), metadata: { name: 'foo-bar', labels: {} } }],
    ['of the NodeSet of our name before this one', ownedBy('u0', orphan('foo'))],
  ])('WP-13: one is taken that is not ours: %s', (_name, revision) => {
    const facts = observe([revision])
    expect(facts.existing.map(({ owner }) => owner)).toEqual(['other'])
    const settings = { nodeSetName: 'foo', collisionCount: 0, historyLimit: 0, hashesInUse: new Set<string>() }
    const { steps } = planRevisions({ facts, ...settings })
    expect(steps.map((step) => step.do)).toEqual(['create-revision'])
  })

  test('our own are lost after the NodeSet was deleted without its workers and made anew', () => {
    expect(ownerIn(orphan('foo'))).toEqual(['nobody'])
    expect(ownerIn(orphan('foo', ofStatefulSet, selectorLabels('worker', 'foo')))).toEqual(['nobody'])
    expect(ownerIn(ownedBy('u1', orphan('foo')))).toEqual(['us'])
  })

  test('those of a NodeSet are not seen whose name was cut, so that their names are taken again', () => {
    const long = 'n'.repeat(240)
    expect(ownerIn(orphan(long), aNodeSet({}, { name: long, uid: 'u1' }))).toEqual(['nobody'])
  })
})
