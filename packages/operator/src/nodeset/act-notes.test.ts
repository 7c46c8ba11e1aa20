import { describe, expect, test } from 'vitest'
import { notesThatHold, postponeNotes } from './act-notes.ts'
import { aWorker } from './gen.ts'
import type { Step } from './steps.ts'

const common = { reason: 'x', because: 'x' }
const note = (pod: string): Step => ({
  ...{ do: 'set-pod-conditions', pod, uid: `uid-${pod}`, set: [], remove: [], chain: `status/${pod}`, ...common },
})
const resume = (slurmName: string): Step => ({ do: 'resume', slurmName, chain: `pod/${slurmName}`, ...common })
const comment = (slurmName: string): Step => ({
  ...{ do: 'update-slurm-node', slurmName, change: { comment: 'x' }, chain: `slurm/${slurmName}`, ...common },
})
const workers = [aWorker('w-0'), aWorker('w-1')]
const postponed = (...steps: readonly Step[]) => postponeNotes(steps, { workers }).notes.map(({ note: { pod } }) => pod)

describe('notes on pods prevent that', () => {
  test('a state that we end in the same moment is written, and the next one right after it', () => {
    expect(postponed(note('w-0'), note('w-1'), resume('w-1'))).toEqual(['w-1'])
  })

  test('a step is lost or done twice', () => {
    const steps = [note('w-0'), resume('w-1'), note('w-1')]
    const { now, notes } = postponeNotes(steps, { workers })
    expect([...now, ...notes.map((one) => one.note)]).toEqual(steps)
  })

  test('a comment that changes keeps the state from being noted', () => {
    expect(postponed(note('w-0'), comment('w-0'))).toEqual([])
  })

  test('a worker with a host name of its own is noted twice', () => {
    const named = [aWorker('w-0', { hostname: 'gpu7' })]
    expect(postponeNotes([note('w-0'), resume('gpu7')], { workers: named }).notes).toHaveLength(1)
  })

  test('a state is never noted because Slurm never takes the order', () => {
    const { notes } = postponeNotes([note('w-0'), note('w-1'), resume('w-0'), resume('w-1')], { workers })
    const held = notesThatHold(notes, [
      { kind: 'done', step: resume('w-0') },
      { kind: 'failed', step: resume('w-1'), error: new Error('no') },
    ])
    expect(held).toEqual([note('w-1')])
  })

  test('an order that was left out counts as carried out', () => {
    const { notes } = postponeNotes([note('w-0'), resume('w-0')], { workers })
    expect(notesThatHold(notes, [{ kind: 'skipped', step: resume('w-0') }])).toEqual([note('w-0')])
    expect(notesThatHold(notes, [])).toEqual([note('w-0')])
  })
})
