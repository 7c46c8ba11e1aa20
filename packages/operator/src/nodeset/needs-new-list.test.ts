import { labelKeys } from '@slurm-operator/api'
import { seen, unknown } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { aJob, aPicture, aWorker, NOW, ourCordon, slurmSays } from './gen.ts'
import { needsNewJobs, needsNewList, withoutOrders } from './needs-new-list.ts'
import type { Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import type { Step } from './steps.ts'

const order = (what: 'undrain' | 'prune-record', slurmName: string): Step => {
  return { do: what, slurmName, chain: 'x', reason: 'x', because: 'x' }
}
const undrain = order('undrain', 'foo-0')
const remove = (word: { drainedAs?: string; unlistedAs?: string }): Step => {
  return { do: 'delete-pod', pod: 'foo-0', uid: 'u', chain: 'x', reason: 'x', because: 'x', ...word }
}
const listed = (agoMs: number) => ({ slurmList: { nodes: 1, atMs: NOW - agoMs, wholeAtMs: NOW - agoMs } })
const needs = (steps: readonly Step[], picture: Parameters<typeof aPicture>[0]) =>
  needsNewList(aPicture(picture), { steps })

describe('orders to Slurm prevent that', () => {
  test('a drain of somebody else is taken back because the list was old', () => {
    expect(needs([undrain], listed(3000))).toBe(true)
    expect(needs([order('prune-record', 'foo-9')], listed(3000))).toBe(true)
  })

  test('a pod may be evicted because its node was drained half a minute ago', () => {
    const pod = { pod: 'foo-0', uid: 'u', slurmName: 'foo-0' }
    expect(needs([{ do: 'unprotect-pod', ...pod, chain: 'x', reason: 'x', because: 'x' }], listed(3000))).toBe(true)
  })

  test('a pod is deleted, with its job, because its node was drained some seconds ago', () => {
    const drained = remove({ drainedAs: 'foo-0' })
    const workers = [aWorker('foo-0', { readySinceMs: NOW })]
    expect([needs([drained], listed(3000)), needs([drained], listed(500))]).toEqual([true, false])
    expect(needs([drained], { ...listed(500), workers })).toBe(true)
    expect(withoutOrders({ ...planNodeSet(aPicture({})), steps: [drained] }).steps).toEqual([])
  })

  test('a pod is deleted with a suspended job, because the jobs were listed half a minute ago', () => {
    const needsJobs = (jobs: Worker['jobs'], step: Step) =>
      needsNewJobs(aPicture({ workers: [aWorker('foo-0', { jobs })] }), { steps: [step] })
    const drained = remove({ drainedAs: 'foo-0' })
    expect([needsJobs(seen([], NOW - 3000), drained), needsJobs(seen([], NOW), drained)]).toEqual([true, false])
    expect(needsJobs(seen([], NOW - 1), drained)).toBe(true) // listed before its node: it may have been suspended between
    expect([needsJobs(seen([], NOW - 3000), remove({})), needsJobs(unknown('unreachable'), drained)]).toEqual([
      false,
      false,
    ])
  })

  test('a worker waits for jobs that are long over, or that were not listed yet', () => {
    const isAsked = (jobs: Worker['jobs'], more: Partial<Worker> = {}) =>
      needsNewJobs(aPicture({ workers: [aWorker('foo-0', { slurmNode: drained, jobs, ...leaves, ...more })] }), {
        steps: [],
      })
    const drained = slurmSays(['IDLE', 'DRAIN'])
    const leaves = { annotations: ourCordon('ScaleIn') }
    const listed = (state: 'SUSPENDED' | 'RUNNING', agoMs: number) => seen([aJob({ states: [state] })], NOW - agoMs)
    expect([isAsked(listed('SUSPENDED', 3000)), isAsked(listed('RUNNING', 1000))]).toEqual([true, true])
    expect([isAsked(seen([], NOW - 70_000)), isAsked(unknown('not-listed-yet'))]).toEqual([true, true])
    const isProtected = { annotations: {}, labels: { [labelKeys.podProtect]: 'true' } }
    expect(isAsked(listed('SUSPENDED', 3000), isProtected)).toBe(true) // who is to be evicted waits for the same
    // Nobody waits for a list: who stays, who is not drained, who has just been asked, who cannot be asked.
    expect(isAsked(listed('SUSPENDED', 3000), { annotations: {} })).toBe(false)
    expect(isAsked(listed('SUSPENDED', 3000), { slurmNode: slurmSays(['ALLOCATED', 'DRAIN']) })).toBe(false)
    expect([isAsked(listed('SUSPENDED', 0)), isAsked(listed('RUNNING', 0))]).toEqual([false, false])
    expect([isAsked(seen([], NOW - 3000)), isAsked(unknown('unreachable'))]).toEqual([false, false])
  })

  test('a pod in which nothing can run waits for Slurm', () => {
    for (const one of [remove({}), remove({ unlistedAs: 'foo-0' })]) {
      expect(needs([one], listed(3000))).toBe(false)
      expect(withoutOrders({ ...planNodeSet(aPicture({})), steps: [one] }).steps).toEqual([one])
    }
  })

  test('an order rests on the word that nothing has changed, which is wrong after Slurm’s clock was set back', () => {
    const unchanged = { slurmList: { nodes: 1, atMs: NOW, wholeAtMs: NOW - 3000 } }
    expect(needs([undrain], unchanged)).toBe(true)
  })

  test('Slurm is asked twice in a second', () => {
    expect(needs([undrain], { ...listed(500), workers: [aWorker('foo-0')] })).toBe(false)
  })

  test('Slurm is asked although nothing is ordered', () => {
    expect(needs([], listed(60_000))).toBe(false)
    expect(needs([], { slurmList: undefined })).toBe(false)
  })

  test('a new worker gets what was meant for the one before it', () => {
    const readyAgo = (agoMs: number) => ({ ...listed(500), workers: [aWorker('foo-0', { readySinceMs: NOW - agoMs })] })
    expect(needs([undrain], readyAgo(0))).toBe(true)
    expect(needs([undrain], readyAgo(1000))).toBe(true) // the fraction of its second is not known
    expect(needs([undrain], readyAgo(1500))).toBe(false)
  })

  test('orders are given although the new list never came, or what must come after them is done before', () => {
    const other: Step = { do: 'adopt-pod', pod: 'foo-1', uid: 'u', chain: 'y', reason: 'x', because: 'x' }
    const later: Step = { do: 'delete-pod', pod: 'foo-0', uid: 'u', chain: 'x', reason: 'x', because: 'x' }
    const earlier: Step = { ...other, chain: 'x' }
    const plan = { ...planNodeSet(aPicture({})), steps: [earlier, undrain, later, other] }
    expect(withoutOrders(plan)).toMatchObject({ steps: [earlier, other], lookAgainInMs: 1000 })
  })

  test('every new worker makes all others wait for another list', () => {
    const workers = [aWorker('foo-0'), aWorker('foo-1', { readySinceMs: NOW })]
    expect(needs([undrain], { ...listed(500), workers })).toBe(false)
  })
})
