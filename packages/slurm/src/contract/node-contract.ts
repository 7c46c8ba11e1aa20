import { describe, expect, test } from 'vitest'
import { hasState, isDown, isDrain, isDrained, isDraining, isIdle } from '../states/node-states.ts'
import { isSameAtAGlance } from '../view/node-kind.ts'
import { buildBench } from './bench.ts'
import type { GetSlurm } from './slurm-under-test.ts'

const ours = { state: 'DRAIN', reason: 'slurm-operator: test' } as const
const HURRY_MS = 60_000

/** The life of nodes: they register, drain, return, and go. */
export function nodeContract(get: GetSlurm): void {
  const { client, view, known, soon, runningJob } = buildBench(get)

  describe('nodes', () => {
    test('register, and the view hears of it', async () => {
      const heard: string[] = []
      const stop = view().subscribe(
        (change) => change.kind === 'node' && change.old === undefined && heard.push(change.name),
      )
      await soon('first list', () => known('worker-1').kind === 'seen')
      heard.length = 0
      view().hurry('nodes', HURRY_MS)
      const name = await get().addWorker()
      await soon('new worker seen after it registered', () => known(name).kind === 'seen')
      expect(heard).toEqual([name])
      stop()
    })

    test('that do not exist are absent', async () => {
      await soon('a name that does not exist is absent', () => known('nobody').kind === 'absent')
      expect(await client().findNode('nobody')).toBeUndefined()
      await expect(client().updateNode('nobody', ours)).rejects.toMatchObject({ failure: 'not-found' })
    })

    test('drain when idle, and are undrained', async () => {
      await client().updateNode('worker-1', ours)
      expect(isDrained(known('worker-1'))).not.toBe('no')
      await soon('idle node drained', () => isDrained(known('worker-1')) === 'yes')
      expect(known('worker-1')).toMatchObject({ value: { reason: ours.reason, reasonSetBy: 'slurm' } })
      await client().updateNode('worker-1', { state: 'UNDRAIN' })
      await soon('node undrained', () => isDrain(known('worker-1')) === 'no' && isIdle(known('worker-1')) === 'yes')
      expect(known('worker-1')).toMatchObject({ value: { reason: '' } })
    })

    test('drain when busy, but are drained only when their job is over', async () => {
      const id = await runningJob({ requiredNodes: ['worker-1'] })
      await client().updateNode('worker-1', ours)
      await soon('busy node draining', () => isDraining(known('worker-1')) === 'yes')
      await get().wait(view().refresh('jobs', 5000))
      expect(view().jobsOn('worker-1')).toMatchObject({ kind: 'seen', value: [{ id }] })
      expect(await client().cancelJob(id)).toBe('cancelled')
      await soon('job ended: node drained', () => isDrained(known('worker-1')) === 'yes')
      await soon('the job to end', async () => (await client().cancelJob(id)) === 'already-done')
      await client().updateNode('worker-1', { state: 'RESUME' })
      await soon('node back in service', () => isDrain(known('worker-1')) === 'no')
    })

    test('look the same alone as in a list, after that list', async () => {
      const id = await runningJob({ requiredNodes: ['worker-1'] })
      for (const update of [{ comment: 'alone' }, ours] as const) {
        await client().updateNode('worker-1', update)
        const listing = await client().listNodes()
        const listed = listing.kind === 'listed' ? listing.records.find(({ name }) => name === 'worker-1') : undefined
        const alone = await client().findNode('worker-1')
        expect(listed?.states).toContain('MIXED')
        expect(listed && alone && isSameAtAGlance(listed, alone), JSON.stringify([listed, alone])).toBe(true)
      }
      await client().cancelJob(id)
      await client().updateNode('worker-1', { state: 'UNDRAIN', comment: '' })
      await soon('node idle after it was looked at', () => isIdle(known('worker-1')) === 'yes')
    })

    test('that are DOWN keep their reason when their drain is taken back, and lose it when they are resumed', async () => {
      const reason = `${ours.reason}, and down`
      await client().updateNode('worker-1', ours)
      await client().updateNode('worker-1', { state: 'DOWN', reason })
      await client().updateNode('worker-1', { state: 'UNDRAIN' })
      expect(await client().findNode('worker-1')).toMatchObject({ reason })
      await client().updateNode('worker-1', { state: 'RESUME' })
      expect(await client().findNode('worker-1')).toMatchObject({ reason: '' })
      await soon('node idle after it was down', () => isIdle(known('worker-1')) === 'yes')
    })

    test('of which somebody says that they fail are drained instead when that is ordered, and keep the reason', async () => {
      const reason = 'broken fan'
      await client().updateNode('worker-1', { state: 'FAIL', reason })
      const failing = await client().findNode('worker-1')
      expect([failing?.states.includes('FAIL'), failing?.reason]).toEqual([true, reason])
      await client().updateNode('worker-1', { state: 'DRAIN' })
      const drained = await client().findNode('worker-1')
      expect([drained?.states.includes('DRAIN'), drained?.states.includes('FAIL'), drained?.reason]).toEqual([
        true,
        false,
        reason,
      ])
      await client().updateNode('worker-1', { state: 'RESUME' })
      await soon('node idle after it was to fail', () => isIdle(known('worker-1')) === 'yes')
    })

    test('that need no RESUME refuse it', async () => {
      await soon('no word of waiting left', () => hasState(known('worker-1'), 'NOT_RESPONDING') === 'no')
      await expect(client().updateNode('worker-1', { state: 'RESUME' })).rejects.toMatchObject({ failure: 'refused' })
    })

    test('change together in one request, and it is said which of them do not exist', async () => {
      const both = await client().updateNodes(['worker-1', 'worker-2'], { comment: 'both' })
      expect(both).toMatchObject({ done: ['worker-1', 'worker-2'] })
      const some = await client().updateNodes(['worker-1', 'nope', 'worker-2'], { comment: 'some' })
      expect(some).toMatchObject({ done: ['worker-1', 'worker-2'], missing: ['nope'], failed: [] })
      // One name that Slurm does not know, and it changes nobody: those that exist were then changed one by one.
      await soon('comments listed', () => {
        const all = view().nodes()
        return all.kind === 'seen' && all.value.filter(({ comment }) => comment === 'some').length === 2
      })
    })

    test('keep features that we set', async () => {
      await client().updateNode('worker-2', { features: ['k8s/a', 'b'], activeFeatures: ['k8s/a'] })
      await soon('features listed', () => {
        const node = known('worker-2')
        return node.kind === 'seen' && node.value.features.length === 2 && node.value.activeFeatures[0] === 'k8s/a'
      })
    })

    test('are deleted, and return when their slurmd does', async () => {
      await client().deleteNode('worker-2')
      expect(known('worker-2').kind).toBe('absent')
      await get().wait(view().refresh('nodes', 5000))
      expect(known('worker-2').kind).toBe('absent')
      await expect(client().deleteNode('worker-2')).rejects.toMatchObject({ failure: 'not-found' })
      await get().restartSlurmd('worker-2')
      await soon('deleted node registered again', () => isIdle(known('worker-2')) === 'yes')
    })

    test('are not deleted while they are busy', async () => {
      const id = await runningJob({ requiredNodes: ['worker-1'] })
      await expect(client().deleteNode('worker-1')).rejects.toMatchObject({ failure: 'refused', errorNumber: 2016 })
      await client().cancelJob(id)
      await get().wait(view().refresh('nodes', 5000))
      await soon('node idle again', () => isIdle(known('worker-1')) === 'yes')
    })

    test('are down some time after their slurmd, and back at once with it', async () => {
      view().hurry('nodes', 2 * HURRY_MS)
      await get().stopSlurmd('worker-2')
      await soon('slurmd ended: silence noticed', () => hasState(known('worker-2'), 'NOT_RESPONDING') === 'yes')
      await soon('slurmd ended: node down', () => isDown(known('worker-2')) === 'yes')
      expect(known('worker-2')).toMatchObject({ value: { reason: expect.stringContaining('Not responding') } })
      await get().restartSlurmd('worker-2')
      await soon('slurmd returned: node idle', () => isIdle(known('worker-2')) === 'yes')
    })

    test('are made and deleted by the dozen in two requests, and nobody doubts it', async ({ skip }) => {
      skip(get().release < '25.11', 'this release cannot make nodes by REST')
      await client().createNodes('NodeName=cloud-[001-020] CPUs=1 RealMemory=100 State=CLOUD')
      await soon('20 new records listed', () => known('cloud-020').kind === 'seen')
      const names = Array.from({ length: 20 }, (_, at) => `cloud-${String(at + 1).padStart(3, '0')}`)
      expect(await client().deleteNodes(names)).toMatchObject({ missing: [], failed: [] })
      await get().wait(view().refresh('nodes', 5000))
      expect(names.map((name) => known(name).kind)).toEqual(names.map(() => 'absent'))
      expect(view().nodes().kind).toBe('seen')
    })

    test('are not sent again when nothing has changed', async () => {
      const full = await client().listNodes()
      expect(full.kind).toBe('listed')
      await soon('an unchanged list', async () => {
        const since = Math.floor(get().clock.now() / 1000) + 1
        return (await client().listNodes({ changedSince: since })).kind === 'unchanged'
      })
    })
  })
}
