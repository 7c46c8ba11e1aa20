import { describe, expect, test } from 'vitest'
import { absent, seen, unknown, type Knowledge } from '../knowledge.ts'
import type { SlurmJob } from '../model/job.ts'
import { aJob, aNode } from '../model/gen.ts'
import type { SlurmNode } from '../model/node.ts'
import { isNodeInMotion, nodeKind, nodeUpdateEffect } from './node-kind.ts'
import { jobKind } from './job-kind.ts'
import { jobsByNode } from './jobs-by-node.ts'
import { OpenWrites } from './open-writes.ts'
import { foldWrites, namesDeleted, type Write, type WriteEffect } from './writes.ts'

const node = aNode({ name: 'a', states: ['IDLE'], reason: '', comment: 'old' })
const drain = nodeUpdateEffect({ state: 'DRAIN', reason: 'going' })
const comment = nodeUpdateEffect({ comment: 'new' })
let ids = 0

function write(effect: WriteEffect<SlurmNode>, phase: Write<SlurmNode>['phase'], settledAt = 5): Write<SlurmNode> {
  const settled = phase === 'under-way' ? undefined : settledAt
  return {
    id: ++ids,
    names: new Set(['a']),
    effect,
    phase,
    settledAt: settled,
    settledAtMs: settled === undefined ? undefined : 5000,
  }
}

const rows: readonly { name: string; known: Knowledge<SlurmNode>; writes: Write<SlurmNode>[]; becomes: object }[] = [
  {
    name: 'a drain under way leaves an idle node free to go',
    known: seen(node, 1),
    writes: [write(drain, 'under-way')],
    becomes: { kind: 'unknown', why: 'not-listed-yet', last: { states: ['IDLE'] } },
  },
  {
    name: 'an accepted drain makes a node drained that may have got a job',
    known: seen(node, 1),
    writes: [write(drain, 'accepted')],
    becomes: { kind: 'unknown', last: { states: ['IDLE', 'DRAIN'], reason: 'going' } },
  },
  {
    name: 'a drain without an answer counts as not done',
    known: seen(node, 1),
    writes: [write(drain, 'uncertain')],
    becomes: { kind: 'unknown', last: { states: ['IDLE'] } },
  },
  {
    name: 'a comment under way hides the node',
    known: seen(node, 1),
    writes: [write(comment, 'under-way')],
    becomes: { kind: 'seen', value: { comment: 'old' } },
  },
  {
    name: 'an accepted comment is not shown',
    known: seen(node, 1),
    writes: [write(comment, 'accepted')],
    becomes: { kind: 'seen', atMs: 1, value: { comment: 'new', states: ['IDLE'] } },
  },
  {
    name: 'a deleted node is still seen',
    known: seen(node, 1),
    writes: [write({ kind: 'delete' }, 'accepted')],
    becomes: { kind: 'absent', sinceMs: 5000 },
  },
  {
    name: 'a delete without an answer counts as done',
    known: seen(node, 1),
    writes: [write({ kind: 'delete' }, 'uncertain')],
    becomes: { kind: 'unknown' },
  },
  {
    name: 'a delete makes absent what we did not know',
    known: unknown<SlurmNode>('vanished', node),
    writes: [write({ kind: 'delete' }, 'accepted')],
    becomes: { kind: 'unknown', why: 'vanished' },
  },
  {
    name: 'a created node stays absent',
    known: absent(1),
    writes: [write({ kind: 'create' }, 'accepted')],
    becomes: { kind: 'unknown', why: 'not-listed-yet' },
  },
  {
    name: 'a later write is overwritten by an earlier one',
    known: seen(node, 1),
    writes: [write(comment, 'accepted'), write(nodeUpdateEffect({ comment: 'newest' }), 'accepted')],
    becomes: { value: { comment: 'newest' } },
  },
]

describe('folding writes prevents that', () => {
  test.for(rows)('$name', ({ known, writes, becomes }) => expect(foldWrites(known, writes)).toMatchObject(becomes))

  test('a write changes other nodes', () => {
    const open = new OpenWrites<SlurmNode>()
    const both = { ...write(drain, 'accepted'), names: new Set(['a', 'c']) }
    for (const one of [write(comment, 'accepted'), both]) open.put(one)
    expect(['a', 'b', 'c'].map((name) => open.of(name).length)).toEqual([2, 0, 1])
    expect(open.take(both.id)).toBe(both)
    expect(['a', 'b', 'c'].map((name) => open.of(name).length)).toEqual([1, 0, 0])
  })

  test('a list that was asked for before the write was done confirms it', () => {
    const [early, late, open] = [write(drain, 'accepted', 5), write(drain, 'accepted', 9), write(drain, 'under-way')]
    const writes = new OpenWrites<SlurmNode>()
    for (const one of [early, late, open]) writes.put(one)
    expect(writes.confirm(7)).toEqual([early])
    expect([writes.all(), writes.of('a')]).toEqual([
      [late, open],
      [late, open],
    ])
  })

  test('what may have been deleted is not missed', () => {
    const writes = (['under-way', 'uncertain', 'accepted'] as const).map((phase) => ({
      ...write({ kind: 'delete' }, phase),
      names: new Set([phase]),
    }))
    expect([...namesDeleted(writes)]).toEqual(['accepted'])
  })
})

describe('kinds of records prevent that', () => {
  test('free memory and load wake everybody', () => {
    expect(nodeKind.isSame(node, { ...node, freeMemoryMib: 1, lastBusyAtMs: 2 })).toBe(true)
    expect(nodeKind.isSame(node, { ...node, states: ['IDLE', 'DRAIN'] })).toBe(false)
    expect(nodeKind.isSame(node, { ...node, states: [...node.states], features: [...node.features] })).toBe(true)
    expect(nodeKind.isSame(node, { ...node, features: ['other'] })).toBe(false)
  })

  test('a dead node keeps us busy for ever', () => {
    expect(isNodeInMotion(aNode({ states: ['DOWN', 'NOT_RESPONDING'] }))).toBe(false)
    expect(isNodeInMotion(aNode({ states: ['DOWN', 'DRAIN', 'NOT_RESPONDING'] }))).toBe(false)
    expect(isNodeInMotion(aNode({ states: ['IDLE', 'NOT_RESPONDING'] }))).toBe(true)
    expect(isNodeInMotion(aNode({ states: ['MIXED', 'DRAIN'] }))).toBe(true)
    expect(isNodeInMotion(aNode({ states: ['IDLE', 'DRAIN'] }))).toBe(false)
  })

  test('a job that has ended is missed, or one that runs is not', () => {
    expect(jobKind.isLasting(aJob({ states: ['COMPLETED'] }))).toBe(false)
    expect(jobKind.isLasting(aJob({ states: ['COMPLETED', 'COMPLETING'] }))).toBe(true)
    expect(jobKind.isLasting(aJob({ states: ['SOME_DAY'] }))).toBe(true)
  })

  const told = (jobs: readonly SlurmJob[]) => ({
    ...{
      entries: new Map(jobs.map((job) => [String(job.id), job])),
      doubts: new Map<string, never>(),
      hasNameless: false,
    },
  })

  test('a job is not found on all of its nodes, or found after its end', () => {
    const jobs = [
      aJob({ id: 1, nodes: 'w-[1-3]' }),
      aJob({ id: 2, nodes: 'w-2' }),
      aJob({ id: 3, nodes: 'w-1', states: ['COMPLETED'] }),
      aJob({ id: 4, nodes: '', states: ['PENDING'] }),
    ]
    const index = jobsByNode(told(jobs))
    const ids = (name: string): number[] => (index.byNode.get(name) ?? []).map(({ id }) => id)
    expect([ids('w-1'), ids('w-2'), ids('w-3'), index.mayBeAnywhere]).toEqual([[1], [1, 2], [1], false])
  })

  test('a job whose nodes we cannot read is nowhere', () => {
    expect(jobsByNode(told([aJob({ nodes: 'w-[1-' })])).mayBeAnywhere).toBe(true)
    expect(jobsByNode({ ...told([]), hasNameless: true }).mayBeAnywhere).toBe(true)
  })

  test.each([
    ['of which nothing is known but its number', {}, [], true],
    ['whose nodes can be read', { nodes: 'w-[1-2]' }, ['w-1', 'w-2'], false],
    ['that waited, and may have begun since', { last: aJob({ nodes: '', states: ['PENDING'] }) }, [], true],
    ['that waits, and of which that can be read', { last: aJob({ nodes: '' }), nodes: '' }, [], false],
    ['that was seen', { last: aJob({ nodes: 'w-3' }) }, ['w-3'], false],
    ['that was seen, and is elsewhere by now', { last: aJob({ nodes: 'w-3' }), nodes: 'w-4' }, ['w-4'], false],
    ['that had ended', { last: aJob({ nodes: 'w-3', states: ['FAILED'] }) }, [], false],
  ])('a job in doubt keeps all workers, or none: one %s', (_name, doubt, inDoubt, mayBeAnywhere) => {
    const doubts = new Map([['7', { why: 'unreadable' as const, sinceMs: 0, last: undefined, ...doubt }]])
    const index = jobsByNode({ ...told([]), doubts })
    expect([[...index.inDoubt], index.mayBeAnywhere]).toEqual([inDoubt, mayBeAnywhere])
    expect([...index.byNode.keys()]).toEqual('last' in doubt ? inDoubt : [])
  })
})
