import { afterAll, beforeAll, beforeEach } from 'vitest'
import { whyNotHere } from '../box/require-boxes.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { startCluster, type ClusterOptions } from '../cluster/start-cluster.ts'

/** One cluster for all tests of a file. On a machine that cannot have one, each test is skipped and says why. */
export function clusterForSuite(options: ClusterOptions): () => Cluster {
  const obstacles = whyNotHere()
  let cluster: Cluster | undefined
  beforeAll(async () => {
    if (obstacles.length === 0) cluster = await startCluster(options)
  })
  afterAll(async () => cluster?.stop())
  beforeEach((context) => skipHere(context, obstacles))
  return () => {
    if (cluster === undefined) throw new Error('Cannot use the cluster: it was not started')
    return cluster
  }
}

/** For suites that start what they need themselves. */
export function skipWithoutBoxes(): void {
  const obstacles = whyNotHere()
  beforeEach((context) => skipHere(context, obstacles))
}

function skipHere(context: { skip: (note?: string) => void }, obstacles: readonly string[]): void {
  if (obstacles.length > 0) context.skip(`nodes cannot run here: ${obstacles.join('; ')}`)
}
