/**
 * `npm run bench -- kube`: the same work for our cache and client and for @kubernetes/client-node, each in a process of
 * its own, on one real API server with the same pods.
 *
 * @module
 */
import { join } from 'node:path'
import { createClient, loadSettings } from '@slurm-operator/kube'
import { startApiServer } from '@slurm-operator/local'
import type { Report, Surroundings } from '../benchmark.ts'
import { measureCalls, measureFollowing, warmUp } from './measure-sides.ts'
import { buildReport } from './report.ts'
import { seed, type Seeded } from './seed.ts'

const PATIENCE = 10 // the second side must get as many updates as the first, however long that takes

/** Measure both sides. */
export async function runKube(sizes: Readonly<Record<string, number>>, surroundings: Surroundings): Promise<Report> {
  const { pods = 0, updates = 0, calls = 0, 'update-seconds': mostSeconds = 0 } = sizes
  await using server = await startApiServer()
  const { kubeconfig } = server
  const seeded = await seedServer(kubeconfig, pods, surroundings)
  surroundings.say(`Created ${pods} running pods of ${seeded.podBytes} bytes in ${seeded.seconds.toFixed(0)} s.`)
  const bed = { ...surroundings, kubeconfig, pods, compileCache: join(server.folder, 'compile-cache') }
  await warmUp(bed)
  const ours = await measureFollowing('ours', bed, { updates, mostSeconds })
  const theirs = await measureFollowing('theirs', bed, { updates: ours.sent, mostSeconds: mostSeconds * PATIENCE })
  const called = await measureCalls(calls, bed)
  return buildReport({
    ...{ sizes, seeded },
    ours: { ...ours, call: called.ours, calls },
    theirs: { ...theirs, call: called.theirs, calls },
  })
}

async function seedServer(kubeconfig: string, pods: number, surroundings: Surroundings): Promise<Seeded> {
  const client = createClient(await loadSettings({ kubeconfig }))
  try {
    return await seed(client, pods, surroundings)
  } finally {
    client.close()
  }
}
