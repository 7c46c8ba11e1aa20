import { revisionHash, revisionName } from '@slurm-operator/kube'
import { withNodeSetDefaults, type NodeSet } from '@slurm-operator/api'
import { describe, expect, test } from 'vitest'
import { printRevisionData } from './revisions-data.ts'
import type { Revision } from './picture.ts'
import { planRevisions, type RevisionQuestion } from './revisions.ts'

const a = { spec: { extraConf: 'a' } }
const b = { spec: { extraConf: 'b' } }
const hashOf = (data: unknown, count = 0): string => revisionHash(JSON.stringify(data), count)

function revision(data: typeof a, number: number, differences: Partial<Revision> = {}): Revision {
  const hash = hashOf(data)
  return { name: `foo-${hash}`, number, createdAtMs: number, hash, data, owner: 'us', ...differences }
}

function question(existing: readonly Revision[], differences: Partial<RevisionQuestion> = {}): RevisionQuestion {
  const facts = { wantedJson: JSON.stringify(a), existing }
  return { facts, nodeSetName: 'foo', collisionCount: 0, historyLimit: 10, hashesInUse: new Set(), ...differences }
}

describe('hashes and names', () => {
  test('NS-064, NS-065: the hash is the one of the Go operator', () => {
    expect([revisionHash('{"spec":{}}', 0), revisionHash('{"spec":{}}', 1)]).toEqual(['59c9b4d596', '59c9b4d597'])
  })
  test('NS-066: the name of a revision is too long', () => {
    expect(revisionName('n'.repeat(240), '59c9b4d596')).toBe(`${'n'.repeat(223)}-59c9b4d596`)
  })
})

describe('the revision of the spec', () => {
  test('NS-067: the first one is made, with its hash in name and label', () => {
    const { steps, revisionHash: hash } = planRevisions(question([]))
    expect(steps).toMatchObject([{ do: 'create-revision', name: `foo-${hashOf(a)}`, hash: hashOf(a), number: 1 }])
    expect(hash).toBe(hashOf(a))
  })
  test('NS-068: the newest one that is equal is used as it is', () => {
    expect(planRevisions(question([revision(b, 1), revision(a, 2)]))).toEqual({
      ...{ revisionHash: hashOf(a), collisionCount: 0, steps: [] },
    })
  })
  test('NS-069: going back makes the old one the newest', () => {
    const { steps, revisionHash: hash } = planRevisions(question([revision(a, 1), revision(b, 2)]))
    expect(steps).toMatchObject([{ do: 'renumber-revision', name: `foo-${hashOf(a)}`, number: 3 }])
    expect(hash).toBe(hashOf(a))
  })
  test('NS-070: a new template gets the next number', () => {
    expect(planRevisions(question([revision(b, 7)])).steps).toMatchObject([{ do: 'create-revision', number: 8 }])
  })
  test('NS-071: one that somebody made in between is used', () => {
    const { steps, collisionCount } = planRevisions(question([revision(a, 1)]))
    expect([steps, collisionCount]).toEqual([[], 0])
  })
  test('NS-072, WP-15: after a collision the label follows the new name', () => {
    const stranger = revision(b, 1, { name: `foo-${hashOf(a)}`, owner: 'other' })
    const plan = planRevisions(question([stranger]))
    const hash = hashOf(a, 1)
    expect(plan).toMatchObject({ revisionHash: hash, collisionCount: 1, steps: [{ name: `foo-${hash}`, hash }] })
  })
  test('NS-073: a renumbering that came too late is planned again on the new picture', () => {
    const first = planRevisions(question([revision(a, 1), revision(b, 2)]))
    const again = planRevisions(question([revision(a, 1), revision(b, 3)]))
    expect([first.steps[0], again.steps[0]]).toMatchObject([{ number: 3 }, { number: 4 }])
  })
  test('NS-082: an orphan of ours is adopted', () => {
    const { steps } = planRevisions(question([revision(a, 1, { owner: 'nobody' })]))
    expect(steps).toMatchObject([{ do: 'adopt-revision', name: `foo-${hashOf(a)}` }])
  })
  test('NS-086, WP-13: another spelling of the same template rolls every pod', () => {
    const spelled = revision(a, 4, {
      hash: 'gohash',
      name: 'foo-gohash',
      data: { spec: { extraConf: 'a', empty: [] } },
    })
    expect(planRevisions(question([spelled]))).toEqual({ revisionHash: 'gohash', collisionCount: 0, steps: [] })
  })
})

describe('history', () => {
  const named = (name: string, number: number): Revision =>
    revision({ spec: { extraConf: name } }, number, { name, hash: name })
  test('NS-084, WP-14: a revision that pods still have is forgotten', () => {
    const existing = [named('r1', 1), named('r2', 2), revision(a, 3)]
    const { steps } = planRevisions(question(existing, { historyLimit: 0, hashesInUse: new Set(['r2']) }))
    expect(steps).toMatchObject([{ do: 'delete-revision', name: 'r1' }])
  })
  test('NS-085: the oldest unused ones go', () => {
    const unused = [1, 2, 3, 4, 5, 6].map((number) => named(`r${number}`, number))
    const { steps } = planRevisions(question([...unused, revision(a, 7)], { historyLimit: 2 }))
    expect(steps.map((step) => 'name' in step && step.name)).toEqual(['r1', 'r2', 'r3', 'r4'])
  })
  test('WP-36: a negative limit crashes', () => {
    expect(planRevisions(question([named('r1', 1), revision(a, 2)], { historyLimit: -1 })).steps).toHaveLength(1)
  })
})

describe('what makes a new revision', () => {
  const textOf = (spec: object): string => {
    const metadata = { name: 'foo', namespace: 'default', uid: 'u1' }
    const nodeSet = {
      apiVersion: 'slinky.slurm.net/v1beta1',
      kind: 'NodeSet',
      metadata,
      spec: { controllerRef: { name: 'c' }, ...spec },
    }
    return printRevisionData(withNodeSetDefaults(nodeSet as unknown as NodeSet))
  }
  const plain = textOf({})
  const ssh = (extraSshdConfig: string): object => ({
    ssh: { enabled: true, sssdConfRef: { name: 's', key: 'k' }, extraSshdConfig },
  })
  test.each([
    ['NS-074', { replicas: 7 }],
    ['NS-075', { updateStrategy: { type: 'OnDelete' } }],
    ['NS-075', { pinToNode: true }],
    ['NS-075', { minReadySeconds: 9 }],
    ['NS-075', { partition: { enabled: true } }],
  ])('%s: not %j', (_id, spec) => expect(textOf(spec)).toBe(plain))
  test.each([
    ['NS-076', { slurmd: { image: 'x' } }],
    ['NS-077', { extraConf: 'Weight=2' }],
    ['NS-078', { ordinalPadding: 2 }],
    ['NS-079', { oversubscribeNode: true }],
    ['NS-081', { logfile: { image: 'x' } }],
  ])('%s: %j', (_id, spec) => expect(textOf(spec)).not.toBe(plain))
  test('NS-080: other words for sshd', () => expect(textOf(ssh('a'))).not.toBe(textOf(ssh('b'))))
})
