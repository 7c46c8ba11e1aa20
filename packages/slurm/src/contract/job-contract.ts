import { describe, expect, test } from 'vitest'
import { isIdle } from '../states/node-states.ts'
import { buildBench } from './bench.ts'
import type { GetSlurm } from './slurm-under-test.ts'

/** The life of jobs. */
export function jobContract(get: GetSlurm): void {
  const { client, view, known, soon, runningJob, jobStates } = buildBench(get)

  describe('jobs', () => {
    test('run on the nodes that they ask for, and are known there', async () => {
      const id = await runningJob({ requiredNodes: ['worker-2'] })
      await soon('running job listed on its node', () => {
        const jobs = view().jobsOn('worker-2')
        return jobs.kind === 'seen' && jobs.value.some((job) => job.id === id)
      })
      expect(await client().findJob(id)).toMatchObject({ nodes: 'worker-2' })
      await client().cancelJob(id)
      await soon('cancelled job gone from its node', () => {
        const jobs = view().jobsOn('worker-2')
        return jobs.kind === 'seen' && jobs.value.length === 0
      })
      await soon('its node idle', () => isIdle(known('worker-2')) === 'yes')
    })

    test('end by themselves, well or badly', async () => {
      const submission = { workingDirectory: '/tmp', environment: ['PATH=/bin:/usr/bin'], onBehalfOf: 'alice' }
      const good = await client().submitJob({ ...submission, script: '#!/bin/sh\nsleep 1\n' })
      const bad = await client().submitJob({ ...submission, script: '#!/bin/sh\nexit 3\n' })
      await soon('one-second job completed', async () => (await jobStates(good))[0] === 'COMPLETED')
      await soon('failing job failed', async () => (await jobStates(bad))[0] === 'FAILED')
    })

    test('wait while they are held', async () => {
      const script = '#!/bin/sh\nsleep 600\n'
      const environment = ['PATH=/bin:/usr/bin']
      const id = await client().submitJob({ script, environment, workingDirectory: '/tmp', hold: true })
      expect(await jobStates(id)).toEqual(['PENDING'])
      await client().cancelJob(id)
      expect(await client().cancelJob(id)).toBe('already-done')
      await expect(client().updateJob(id, { comment: 'x' })).rejects.toMatchObject({ errorNumber: 2084 })
    })

    test('that are suspended stay on their node, whatever its state says', async () => {
      const id = await runningJob({ requiredNodes: ['worker-1'] })
      const statesThere = (): readonly string[] => {
        const jobs = view().jobsOn('worker-1')
        return jobs.kind === 'seen' ? jobs.value.flatMap((job) => (job.id === id ? job.states : [])) : []
      }
      await get().suspendJob(id)
      await soon('suspended job listed on its node', () => statesThere().includes('SUSPENDED'))
      await get().resumeJob(id)
      await soon('resumed job listed on its node', () => statesThere().includes('RUNNING'))
      await get().suspendJob(id)
      await client().deleteNode('worker-1') // it does not count as work: Slurm leaves it without a node
      await soon('record of the suspended job deleted', () => known('worker-1').kind === 'absent')
      expect(await jobStates(id)).toEqual(['SUSPENDED'])
      expect(await client().cancelJob(id)).toBe('cancelled')
      await get().restartSlurmd('worker-1')
      await soon('node without its job idle', () => isIdle(known('worker-1')) === 'yes' && statesThere().length === 0)
    })

    test('that do not exist are not found', async () => {
      expect(await client().findJob(999_999)).toBeUndefined()
      await expect(client().cancelJob(999_999)).rejects.toMatchObject({ failure: 'not-found' })
    })

    test('are requeued', async ({ skip }) => {
      skip(get().release < '26.05', 'this release cannot requeue by REST')
      const id = await runningJob({ requeue: true })
      await client().requeueJob(id, { hold: true })
      await soon('job requeued and held', async () => (await client().findJob(id))?.restarts === 1)
      expect((await jobStates(id))[0]).toBe('PENDING')
      await expect(client().requeueJob(id)).rejects.toMatchObject({ failure: 'refused', errorNumber: 2024 })
      await expect(client().requeueJob(999_999)).rejects.toMatchObject({ failure: 'not-found' })
      await client().cancelJob(id)
    })
  })
}
