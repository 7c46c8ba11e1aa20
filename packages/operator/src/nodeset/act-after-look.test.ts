import { labelKeys } from '@slurm-operator/api'
import { seen, type SlurmConnection, type SlurmNode } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { aPicture, aSlurmNode, aWorker, slurmSays } from './gen.ts'
import { startActing } from './gen-acting.ts'
import type { Step } from './steps.ts'

const common = { reason: 'x', because: 'it must' }
const drain = (slurmName: string): Step => ({
  ...{ do: 'drain', slurmName, drainReason: 'slurm-operator: x', chain: `pod/${slurmName}`, ...common },
})
const giveBack = (what: 'undrain' | 'resume', slurmName: string): Step => ({
  ...{ do: what, slurmName, chain: `pod/${slurmName}`, ...common },
})
const prune = (slurmName: string): Step => ({ do: 'prune-record', slurmName, chain: `record/${slurmName}`, ...common })
const IDLE = ['IDLE', 'DYNAMIC_NORM']
const DRAINED = ['IDLE', 'DRAIN', 'DYNAMIC_NORM']
const drainedByHand = (name: string) => aSlurmNode({ name, states: ['IDLE', 'DRAIN'], reason: 'broken fan' })
const about = (pod: string) => ({ pod, uid: `uid-of-Pod-${pod}`, chain: `pod/${pod}`, ...common })
const remove = (pod: string): Step => ({ do: 'delete-pod', drainedAs: pod, ...about(pod) })
const unprotect = (pod: string): Step => ({ do: 'unprotect-pod', slurmName: pod, drainedAs: pod, ...about(pod) })

interface Start {
  readonly listAgeMs: number
  /** What the list says of both. */
  readonly listed?: readonly string[]
  readonly now?: Readonly<Record<string, SlurmNode | undefined>>
  readonly looksHang?: boolean
  readonly looksTakeMs?: number
  /** Slurm answers with an error when it is asked for this one. */
  readonly unseen?: string
}

const podOf = ({ pod: name }: { readonly pod: string }) => ({
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name, uid: `uid-of-Pod-${name}`, labels: { [labelKeys.podProtect]: 'true' } },
})

/** Two workers in a list of some age, and what Slurm says now of those that are asked for by name. */
function startWith({ listAgeMs, listed: states = IDLE, now = {}, looksHang = false, looksTakeMs = 0, unseen }: Start) {
  const workers = ['foo-0', 'foo-1'].map((name) => aWorker(name, { slurmNode: slurmSays(states, { name }) }))
  const { carryOut, clock, requests } = startActing({ objects: workers.map(podOf) })
  const asked: string[] = []
  const ordered: string[] = []
  const client = {
    findNode: async (name: string) => {
      asked.push(name)
      if (name === unseen) throw new Error('it answers with 500')
      if (looksHang) return clock.advance(5000).then(() => new Promise<never>(() => {}))
      await clock.advance(looksTakeMs)
      return name in now ? now[name] : aSlurmNode({ name, states })
    },
    updateNodes: async (names: readonly string[]) => (ordered.push(...names), { done: names, missing: [], failed: [] }),
    deleteNode: async (name: string) => void ordered.push(`delete ${name}`),
  }
  // Since then lists may have said that nothing has changed, which proves nothing after Slurm's clock was set back.
  const slurmList = { nodes: 2, atMs: clock.now(), wholeAtMs: clock.now() - listAgeMs }
  const leftovers = seen([aSlurmNode({ name: 'foo-9', states: ['DOWN', 'NOT_RESPONDING'] })], clock.now())
  const picture = aPicture({ nowMs: clock.now(), workers, leftovers, slurmList })
  const connection = { client } as unknown as SlurmConnection
  const order = async (...steps: Step[]) =>
    (await carryOut(steps, { picture, connection })).map(({ kind, step }) => [
      'slurmName' in step ? step.slurmName : step.chain.replace('pod/', ''),
      kind,
    ])
  return { order, asked, ordered, requests }
}

describe('orders that rest on what Slurm said before', () => {
  test.each([
    ['overwrite the drain, and the reason, of an administrator who was faster', drain, 'outdated', 'foo-1'],
    ['delete the record of a node that somebody has drained meanwhile', prune, 'failed', 'delete foo-1'],
  ])('%s', async (_accident, give, kind, wanted) => {
    const { order, ordered } = startWith({ listAgeMs: 8000, now: { 'foo-0': drainedByHand('foo-0') } })
    expect(await order(give('foo-0'), give('foo-1'))).toEqual([
      ['foo-0', kind],
      ['foo-1', 'done'],
    ])
    expect(ordered).toEqual([wanted])
  })

  test.each([
    ['drained', drain, 'foo-1'],
    ['pruned', prune, 'delete foo-1'],
  ])('hold up all others because one node cannot be looked at: none is %s', async (_what, give, wanted) => {
    const { order, ordered } = startWith({ listAgeMs: 8000, unseen: 'foo-0' })
    expect(await order(give('foo-0'), give('foo-1'))).toEqual([
      ['foo-0', 'failed'],
      ['foo-1', 'done'],
    ])
    expect(ordered).toEqual([wanted])
  })

  test('delete the record of a worker that is gone, which somebody has drained meanwhile', async () => {
    const { order, ordered } = startWith({ listAgeMs: 8000, now: { 'foo-9': drainedByHand('foo-9') } })
    expect([await order(prune('foo-9')), ordered]).toEqual([[['foo-9', 'failed']], []])
  })

  test.each(['undrain', 'resume'] as const)(
    '%s a node that was drained by somebody else a moment ago',
    async (what) => {
      const { order, ordered } = startWith({ listAgeMs: 400, now: { 'foo-0': drainedByHand('foo-0') } })
      const results = await order(giveBack(what, 'foo-0'), giveBack(what, 'foo-1'))
      expect([results, ordered]).toEqual([
        [
          ['foo-0', 'outdated'],
          ['foo-1', 'done'],
        ],
        ['foo-1'],
      ])
    },
  )

  test('never go, because a job began or the memory in use changed meanwhile', async () => {
    const busy = aSlurmNode({ name: 'foo-0', states: ['ALLOCATED', 'DYNAMIC_NORM'], freeMemoryMib: 1 })
    const { order, ordered } = startWith({ listAgeMs: 8000, now: { 'foo-0': busy } })
    expect(await order(drain('foo-0'))).toEqual([['foo-0', 'done']])
    expect(ordered).toEqual(['foo-0'])
  })

  test('wait for ever, because a look at one node takes as long as a list', async () => {
    const { order, ordered } = startWith({ listAgeMs: 8000, looksHang: true })
    expect(await order(drain('foo-0'))).toEqual([['foo-0', 'done']])
    expect(ordered).toEqual(['foo-0'])
  })

  test.each([
    [1000, [drain('foo-0'), drain('foo-1'), prune('foo-2')], ['delete foo-2', 'foo-0', 'foo-1']],
    [200, [giveBack('undrain', 'foo-0'), giveBack('resume', 'foo-1')], ['foo-0', 'foo-1']],
  ])('cost one more request each although the list is only %i ms old', async (listAgeMs, steps, wanted) => {
    const { order, asked, ordered } = startWith({ listAgeMs })
    await order(...steps)
    expect([asked, ordered.toSorted()]).toEqual([[], wanted])
  })
})

describe('what ends a job if Slurm says something else by now', () => {
  const steps = [
    ['deletes the pod', remove, 'delete Pod'],
    ['opens the pod to eviction', unprotect, 'patch Pod'],
  ] as const

  const startDrained = (start: Start) => startWith({ listed: DRAINED, ...start })

  test.each(steps)('%s of a worker that somebody has given back since the list', async (_accident, take, request) => {
    const { order, requests } = startDrained({
      listAgeMs: 400,
      now: { 'foo-0': aSlurmNode({ states: ['ALLOCATED', 'DYNAMIC_NORM'] }) },
    })
    expect(await order(take('foo-0'), take('foo-1'))).toEqual([
      ['foo-0', 'outdated'],
      ['foo-1', 'done'],
    ])
    expect(requests()).toEqual([`${request} foo-1`])
  })

  test.each(steps)('%s of a worker that Slurm does not tell of', async (_accident, take, request) => {
    const { order, requests } = startDrained({ listAgeMs: 400, unseen: 'foo-0' })
    expect(await order(take('foo-0'), take('foo-1'))).toEqual([
      ['foo-0', 'failed'],
      ['foo-1', 'done'],
    ])
    expect(requests()).toEqual([`${request} foo-1`])
  })

  test.each(steps)('%s of a worker whose record is gone since the list', async (_accident, take) => {
    const { order, requests } = startDrained({ listAgeMs: 400, now: { 'foo-0': undefined } })
    expect([await order(take('foo-0')), requests()]).toEqual([[['foo-0', 'outdated']], []])
  })

  test.each(steps)('%s of a worker that was DOWN in the list and has been resumed since', async (_accident, take) => {
    const start = { listed: ['DOWN', 'DYNAMIC_NORM'], listAgeMs: 400 }
    const { order, requests } = startWith({ ...start, now: { 'foo-0': aSlurmNode({ states: IDLE }) } })
    expect([await order(take('foo-0')), requests()]).toEqual([[['foo-0', 'outdated']], []])
  })

  test.each(steps)('%s of a worker in which another slurmd has registered since the list', async (_accident, take) => {
    const now = { 'foo-0': aSlurmNode({ name: 'foo-0', states: DRAINED, slurmdStartedAtMs: 1 }) }
    const { order, requests } = startDrained({ listAgeMs: 400, now })
    expect([await order(take('foo-0')), requests()]).toEqual([[['foo-0', 'outdated']], []])
  })

  test.each(steps)('%s of a worker of which the plan knew nothing', async (_accident, take) => {
    const now = { 'foo-7': aSlurmNode({ name: 'foo-7' }) }
    const { order, requests } = startDrained({ listAgeMs: 400, now })
    expect([await order(take('foo-7')), requests()]).toEqual([[['foo-7', 'outdated']], []])
  })

  test.each(steps)('never %s, because Slurm counts what is in use in lists only', async (_accident, take) => {
    const now = { 'foo-0': aSlurmNode({ states: ['MIXED', 'DRAIN', 'DYNAMIC_NORM'] }) }
    const { order } = startDrained({ listAgeMs: 400, now })
    expect(await order(take('foo-0'))).toEqual([['foo-0', 'done']])
  })

  test.each(steps)('never %s, because the answer takes seconds', async (_accident, take) => {
    const { order } = startDrained({ listAgeMs: 400, looksTakeMs: 5000 })
    expect(await order(take('foo-0'))).toEqual([['foo-0', 'done']])
  })

  test.each(steps)('%s after one more request although the list is of this moment', async (_accident, take) => {
    const { order, asked } = startDrained({ listAgeMs: 200 })
    expect([await order(take('foo-0')), asked]).toEqual([[['foo-0', 'done']], []])
  })
})
