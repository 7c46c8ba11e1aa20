import type { SlurmConnection, SlurmNode } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { aPicture, aSlurmNode, workersOf } from './gen.ts'
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
const drainedByHand = (name: string) => aSlurmNode({ name, states: ['IDLE', 'DRAIN'], reason: 'broken fan' })

interface Start {
  readonly listAgeMs: number
  readonly now?: Readonly<Record<string, SlurmNode>>
  readonly looksHang?: boolean
  /** Slurm answers with an error when it is asked for this one. */
  readonly unseen?: string
}

/** Two idle workers in a list of some age, and what Slurm says now of those that are asked for by name. */
function startWith({ listAgeMs, now = {}, looksHang = false, unseen }: Start) {
  const { carryOut, clock } = startActing()
  const asked: string[] = []
  const ordered: string[] = []
  const client = {
    findNode: async (name: string) => {
      asked.push(name)
      if (name === unseen) throw new Error('it answers with 500')
      if (looksHang) return clock.advance(5000).then(() => new Promise<never>(() => {}))
      return now[name] ?? aSlurmNode({ name })
    },
    updateNodes: async (names: readonly string[]) => (ordered.push(...names), { done: names, missing: [], failed: [] }),
    deleteNode: async (name: string) => void ordered.push(`delete ${name}`),
  }
  const slurmList = { nodes: 2, atMs: clock.now() - listAgeMs }
  const picture = aPicture({ nowMs: clock.now(), workers: workersOf([0, 1]), slurmList })
  const connection = { client } as unknown as SlurmConnection
  const order = async (...steps: Step[]) =>
    (await carryOut(steps, { picture, connection })).map(({ kind, step }) => [
      'slurmName' in step ? step.slurmName : '',
      kind,
    ])
  return { order, asked, ordered }
}

describe('orders that rest on what Slurm said before', () => {
  test.each([
    ['overwrite the drain, and the reason, of an administrator who was faster', drain, 'late', 'foo-1'],
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

  test.each(['undrain', 'resume'] as const)(
    '%s a node that was drained by somebody else a moment ago',
    async (what) => {
      const { order, ordered } = startWith({ listAgeMs: 400, now: { 'foo-0': drainedByHand('foo-0') } })
      const results = await order(giveBack(what, 'foo-0'), giveBack(what, 'foo-1'))
      expect([results, ordered]).toEqual([
        [
          ['foo-0', 'late'],
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
