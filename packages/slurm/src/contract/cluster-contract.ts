import { describe, expect, test } from 'vitest'
import { buildBench } from './bench.ts'
import type { GetSlurm } from './slurm-under-test.ts'

/** What a Slurm says about itself. */
export function clusterContract(get: GetSlurm): void {
  const { client, known, soon } = buildBench(get)

  describe('a Slurm', () => {
    test('is known soon, with its versions', async () => {
      await soon('known with its versions', () => known('worker-1').kind === 'seen')
      const { release, connection } = get()
      const apiVersion = release < '26.05' ? 'v0.0.42' : 'v0.0.45'
      expect(connection.health()).toMatchObject({ state: 'reachable', apiVersion, activeController: 'ctl' })
      expect(connection.health().slurmVersion).toContain(`${release}.`)
    })

    test('tells about itself', async () => {
      expect(await client().ping()).toMatchObject([{ hostname: 'ctl', responding: true }])
      expect((await client().readStatistics()).jobs.submitted).toBeGreaterThanOrEqual(0)
      expect(await client().listPartitions()).toMatchObject({ kind: 'listed', unreadable: [] })
      expect(await client().findPartition('all')).toMatchObject({ name: 'all' })
      expect(await client().listJobStates()).toMatchObject({ kind: 'listed', unreadable: [] })
    })

    test('has no partitions that it does not have', async () => {
      expect(await client().findPartition('nope')).toBeUndefined()
    })

    test('shows its configuration', async ({ skip }) => {
      skip(get().release < '26.05', 'this release has no path for it')
      expect((await client().readConfiguration()).clusterName).not.toBe('')
    })

    test('has accounting', async () => {
      expect(await client().pingAccounting()).toMatchObject([{ responding: true }])
      expect((await client().listAccountingClusters()).length).toBeGreaterThan(0)
    })

    test('is the same after a reconfigure', async () => {
      await client().reconfigure()
      await soon('known after a reconfigure', () => known('worker-1').kind === 'seen')
    })
  })
}
