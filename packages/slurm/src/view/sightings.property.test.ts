import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knowledgeOf } from './knowledge-of.ts'
import {
  afterList,
  afterSilence,
  afterUnchanged,
  noSightings,
  trustPace,
  type RecordKind,
  type Sightings,
} from './sightings.ts'

interface Thing {
  readonly name: string
  readonly value: number
}
const kind: RecordKind<Thing> = {
  nameOf: ({ name }) => name,
  isSame: (a, b) => a.value === b.value,
  isLasting: ({ value }) => value >= 0,
}
const pace = { ...trustPace, longestAgeMs: 100_000 }
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at}`)
const things = (list: readonly string[], value = 0): Thing[] => list.map((name) => ({ name, value }))

interface ListInput {
  readonly records?: readonly Thing[]
  readonly unreadable?: readonly (string | undefined)[]
  readonly deleted?: readonly string[]
}

function list(
  before: Sightings<Thing>,
  atMs: number,
  { records = [], unreadable = [], deleted = [] }: ListInput,
): ReturnType<typeof afterList<Thing>> {
  const lost = unreadable.map((name, index) => ({ name, index, because: 'odd' }))
  return afterList(
    before,
    { records: { records, unreadable: lost }, atMs, expectedToVanish: new Set(deleted) },
    kind,
    pace,
  )
}

/** Several lists, ten seconds apart, beginning at 0; then what is known of a name. */
function known(lists: readonly (ListInput | 'silence' | 'unchanged')[], name: string): string {
  let sightings = noSightings<Thing>()
  let atMs = 0
  for (const step of lists) {
    if (step === 'silence') sightings = afterSilence(sightings, atMs, 'nobody')
    else if (step === 'unchanged') sightings = afterUnchanged(sightings, atMs)
    else sightings = list(sightings, atMs, step).sightings
    atMs += 10_000
  }
  const knowledge = knowledgeOf({ sightings, writes: [] }, name, atMs, pace)
  return knowledge.kind === 'unknown' ? `unknown: ${knowledge.why}` : knowledge.kind
}

const all = { records: things(names(10)) }
const some = { records: things(names(4)) }
const accidents: readonly {
  name: string
  lists: readonly (ListInput | 'silence' | 'unchanged')[]
  ask: string
  says: string
}[] = [
  { name: 'nothing was listed, so nothing is there', lists: [], ask: 'n1', says: 'unknown: not-listed-yet' },
  {
    name: 'the first list of a slurmctld that is still finding its nodes is believed',
    lists: [some],
    ask: 'n9',
    says: 'unknown: not-listed-yet',
  },
  { name: 'a name that never existed is unknown for ever', lists: [all, all], ask: 'x', says: 'absent' },
  { name: 'a silence counts as a list', lists: [all, all, 'silence'], ask: 'x', says: 'unknown: unreachable' },
  {
    name: 'what was seen before a silence counts as seen',
    lists: [all, 'silence'],
    ask: 'n1',
    says: 'unknown: unreachable',
  },
  {
    name: 'one list after a silence is enough to be absent',
    lists: [all, 'silence', all],
    ask: 'x',
    says: 'unknown: not-listed-yet',
  },
  { name: 'an empty list deletes every worker', lists: [all, {}], ask: 'n1', says: 'unknown: vanished' },
  {
    name: 'two empty lists within seconds delete every worker',
    lists: [all, {}, {}],
    ask: 'n1',
    says: 'unknown: vanished',
  },
  { name: 'nodes that are really gone are never absent', lists: [all, {}, {}, {}, {}], ask: 'n1', says: 'absent' },
  { name: 'a short list deletes half of the workers', lists: [all, some], ask: 'n9', says: 'unknown: vanished' },
  {
    name: 'one more node missing from a list that is in doubt is believed to be gone',
    lists: [all, some, { records: things(names(3)) }],
    ask: 'n3',
    says: 'unknown: vanished',
  },
  { name: 'nodes that came back are still in doubt', lists: [all, some, all], ask: 'n9', says: 'seen' },
  {
    name: 'doubts grow old while nobody looks',
    lists: [all, some, 'silence', 'silence', 'silence', some],
    ask: 'n9',
    says: 'unknown: vanished',
  },
  {
    name: 'one deleted node is unknown for half a minute',
    lists: [all, { records: things(names(9)) }],
    ask: 'n9',
    says: 'absent',
  },
  {
    name: 'the last node of a small cluster is believed to be gone',
    lists: [{ records: things(['n0']) }, {}],
    ask: 'n0',
    says: 'unknown: vanished',
  },
  {
    name: 'what we deleted ourselves is in doubt',
    lists: [all, { ...some, deleted: names(10) }],
    ask: 'n9',
    says: 'absent',
  },
  {
    name: 'a node that we cannot read is absent',
    lists: [all, { records: things(names(9)), unreadable: ['n9'] }],
    ask: 'n9',
    says: 'unknown: unreadable',
  },
  {
    name: 'a record without a readable name makes another absent',
    lists: [all, { records: things(names(9)), unreadable: [undefined] }],
    ask: 'n9',
    says: 'unknown: unreadable',
  },
  {
    name: 'a record without a readable name makes a stranger absent',
    lists: [all, all, { ...all, unreadable: [undefined] }],
    ask: 'x',
    says: 'unknown: unreadable',
  },
  { name: 'an unchanged list does not confirm anything', lists: [all, 'unchanged'], ask: 'x', says: 'absent' },
  {
    name: 'jobs that have ended may not be forgotten',
    lists: [{ records: things(names(10), -1) }, {}],
    ask: 'n1',
    says: 'absent',
  },
]

describe('lists are believed with care, which prevents that', () => {
  test.for(accidents)('$name', ({ lists, ask, says }) => expect(known(lists, ask)).toBe(says))

  test('what is seen is older than it says', () => {
    const { sightings } = list(noSightings(), 5000, all)
    expect(knowledgeOf({ sightings, writes: [] }, 'n1', 9000, pace)).toMatchObject({ kind: 'seen', atMs: 5000 })
    expect(knowledgeOf({ sightings: afterUnchanged(sightings, 8000), writes: [] }, 'n1', 9000, pace)).toMatchObject({
      atMs: 8000,
    })
    expect(knowledgeOf({ sightings, writes: [] }, 'n1', 105_001, pace)).toMatchObject({
      kind: 'unknown',
      why: 'unreachable',
      last: { name: 'n1' },
    })
  })
})

const anyList = fc.record({ present: fc.subarray(names(8)), value: fc.nat(2), unreadable: fc.subarray(names(8)) })
const anySteps = fc.array(fc.oneof(anyList, fc.constant('silence' as const), fc.constant('unchanged' as const)), {
  maxLength: 12,
})

type AnyStep = (typeof anySteps extends fc.Arbitrary<infer Steps extends unknown[]> ? Steps : never)[number]

function lookAt(before: Sightings<Thing>, step: AnyStep, atMs: number): ReturnType<typeof afterList<Thing>> {
  if (step === 'silence') return { sightings: afterSilence(before, atMs, ''), differences: [] }
  if (step === 'unchanged') return { sightings: afterUnchanged(before, atMs), differences: [] }
  const unreadable = step.unreadable.filter((name) => !step.present.includes(name))
  return list(before, atMs, { records: things(step.present, step.value), unreadable })
}

describe('differences prevent that', () => {
  test('whoever only listens sees another world than whoever looks', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        let sightings = noSightings<Thing>()
        const heard = new Map<string, Thing>()
        for (const [at, step] of steps.entries()) {
          const next = lookAt(sightings, step, at * 20_000)
          for (const { name, old, now } of next.differences) {
            expect(heard.get(name)).toEqual(old) // they tell the truth about before
            if (now) heard.set(name, now)
            else heard.delete(name)
          }
          sightings = next.sightings
        }
        const doubted = [...sightings.doubts].flatMap(([name, { last }]) => (last ? [[name, last] as const] : []))
        expect(Object.fromEntries(heard)).toEqual(Object.fromEntries([...sightings.entries, ...doubted]))
      }),
    )
  })

  test('a record is here and gone, or gone and in doubt', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        let sightings = noSightings<Thing>()
        for (const [at, step] of steps.entries()) {
          sightings = lookAt(sightings, step, at * 20_000).sightings
          for (const name of sightings.entries.keys())
            expect(sightings.doubts.has(name) || sightings.gone.has(name)).toBe(false)
          for (const name of sightings.gone.keys()) expect(sightings.doubts.has(name)).toBe(false)
        }
      }),
    )
  })
})
