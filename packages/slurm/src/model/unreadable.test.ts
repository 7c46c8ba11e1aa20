import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apiVersions } from './api-version.ts'
import { Fields } from './fields.ts'
import { recorded } from './gen.ts'
import { mappings, type Mapping } from './mappings.ts'
import { readIdentity } from './read-cluster.ts'
import type { Wire } from './wire.ts'

const good = { name: 'good', state: ['IDLE'], reason: '' }
const newest = mappings['v0.0.45']

describe('one bad record costs itself and nothing else', () => {
  const table: readonly [name: string, bad: unknown, because: string][] = [
    ['a node that is text', 'oops', 'it is text, not an object'],
    ['a node that is null', null, 'it is null, not an object'],
    ['a node without a name', { state: ['IDLE'], reason: '' }, 'it has no name'],
    ['a node with an empty name: a ghost in every list', { ...good, name: '' }, 'its name is empty'],
    ['a node without a state', { name: 'bad', reason: '' }, 'it has no state'],
    [
      'a node with half a state',
      { ...good, name: 'bad', state: ['IDLE', 7] },
      'its state is a list, not a list of words',
    ],
    ['a node without a reason: it would count as ours', { name: 'bad', state: ['IDLE'] }, 'it has no reason'],
    [
      'a reason that is a number: it would count as ours',
      { ...good, name: 'bad', reason: 0 },
      'its reason is a number, not text',
    ],
    [
      'a comment that is an object: it would be overwritten',
      { ...good, name: 'bad', comment: {} },
      'its comment is an object, not text',
    ],
  ]
  for (const [name, bad, because] of table) {
    test(name, () => {
      const { records, unreadable, listed } = newest.nodes({ nodes: [good, bad, { ...good, name: 'last' }] })
      expect(listed).toBe(true)
      expect(records.map((node) => node.name)).toEqual(['good', 'last'])
      expect(unreadable).toEqual([{ index: 1, name: nameOf(bad), because }])
    })
  }

  const nameOf = (bad: unknown) => (bad as { name?: string } | null)?.name || undefined

  test('a lost job is named by its number', () => {
    const { unreadable } = newest.jobs({ jobs: [{ job_id: 12, name: 'wrap', job_state: ['RUNNING'], nodes: 5 }] })
    expect(unreadable).toEqual([{ index: 0, name: '12', because: 'its nodes is a number, not text' }])
    const other = newest.jobs({ jobs: [{ job_id: 13, name: 'wrap', job_state: 5, nodes: 'w-1' }] })
    expect(other.unreadable).toMatchObject([{ name: '13', nodes: 'w-1' }])
  })

  test('what is only shown cannot cost a record', () => {
    const odd = { ...good, cpus: 'many', free_mem: [], boot_time: 'yesterday', partitions: 3, gres: null }
    expect(newest.nodes({ nodes: [odd] })).toMatchObject({
      unreadable: [],
      records: [
        { name: 'good', cpus: undefined, freeMemoryMib: undefined, bootedAtMs: undefined, partitions: [], gres: '' },
      ],
    })
  })

  test('states and features may be one text, as a plain string is accepted by Slurm, too', () => {
    const [node] = newest.nodes({ nodes: [{ ...good, state: 'IDLE', features: 'a,b' }] }).records
    expect(node).toMatchObject({ states: ['IDLE'], features: ['a', 'b'] })
  })
})

describe('an answer that is no list proves nothing', () => {
  for (const answer of [undefined, null, '', 'text', 7, [], {}, { nodes: 'text' }, { nodes: {} }, { nodes: null }]) {
    test(JSON.stringify(answer) ?? 'undefined', () => {
      expect(newest.nodes(answer)).toMatchObject({ listed: false, records: [] })
    })
  }
  test('and says so when there was something else in its place', () => {
    expect(newest.nodes({ nodes: 'text' }).unreadable).toEqual([
      { index: 0, name: undefined, because: 'nodes is text, not a list' },
    ])
  })
})

test('nobody can change what another one has read', () => {
  const [node] = newest.nodes(recorded('node-idle').response.body).records
  expect(() => Object.assign(node ?? {}, { states: [] })).toThrow(TypeError)
  expect(Object.isFrozen(node?.states)).toBe(true)
})

describe('any JSON at all gives values, in every version', () => {
  const fieldNames = [
    'name',
    'state',
    'reason',
    'job_id',
    'job_state',
    'nodes',
    'hostname',
    'responding',
    'number',
    'set',
  ]
  const anyRecord = fc.dictionary(
    fc.constantFrom(...fieldNames, '__proto__', 'topology', 'flags', 'exit_code', 'maximums'),
    fc.jsonValue(),
  )
  const keys = [
    'nodes',
    'jobs',
    'partitions',
    'reservations',
    'pings',
    'statistics',
    'clusters',
    'slurm_conf',
    'meta',
    'last_update',
  ]
  const anyAnswer = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(fc.array(fc.oneof(anyRecord, fc.jsonValue())), anyRecord, fc.jsonValue()),
    ),
  )

  for (const version of apiVersions) {
    test(version, () => {
      fc.assert(
        fc.property(anyAnswer, (answer) => {
          for (const [kind, read] of Object.entries(mappings[version]) as [keyof Mapping, Mapping[keyof Mapping]][]) {
            expect(lengthsOf(read(answer)), kind).toBe(lengthOf(answer, kind))
          }
          readIdentity(answer)
        }),
        { numRuns: 300 },
      )
    })
  }

  /** Every record is read or named as lost; none disappears. */
  const lengthsOf = (result: ReturnType<Mapping[keyof Mapping]>) =>
    'kind' in result || !result.listed ? undefined : result.records.length + result.unreadable.length

  const otherKeys: Readonly<Record<string, string>> = { jobStates: 'jobs', accountingClusters: 'clusters' }

  function lengthOf(answer: unknown, kind: string): number | undefined {
    if (kind === 'statistics' || kind === 'configuration') return undefined
    const key = otherKeys[kind] ?? kind
    const list = Array.isArray(answer) ? undefined : (answer as Record<string, unknown> | null)?.[key]
    return Array.isArray(list) ? list.length : undefined
  }
})

test('a misspelt field does not compile, and one that only some versions have does not either', () => {
  const fields = new Fields<Wire['node']>({})
  // @ts-expect-error no version has it
  expect(fields.text('nmae')).toBe('')
  // @ts-expect-error v0.0.42 does not have it
  expect(fields.text('topology')).toBe('')
  expect(new Fields<Wire['nodeWithTopology']>({}).text('topology')).toBe('')
})

test('records read in pieces, as they arrive, are the records read as a whole', () => {
  const answer = recorded('jobs').response.body as { jobs: unknown[] }
  const pieces = answer.jobs.flatMap((job) => newest.jobs({ jobs: [job] }).records)
  expect(pieces).toEqual(newest.jobs(answer).records)
})
