/**
 * `npm run bench -- nodeset`: workers of one NodeSet out, at rest, rolled and in, with the whole operator in a process of
 * its own. What it asks of the API server and of Slurm is counted by them.
 *
 * @module
 */
import type { NodeSet } from '@slurm-operator/api'
import type { Live } from '@slurm-operator/kube'
import type { Report, Surroundings } from '../benchmark.ts'
import { isReady, makeBed, type Part } from './bed.ts'
import { buildReport } from './report.ts'

/** Measure. */
export async function runNodeSet(sizes: Readonly<Record<string, number>>, surroundings: Surroundings): Promise<Report> {
  const { workers = 0, 'rest-seconds': restSeconds = 0 } = sizes
  const { say } = surroundings
  await using bed = await makeBed(workers, surroundings)
  const tell = (what: string, part: Part): Part => {
    say(`${what} after ${part.seconds.toFixed(1)} s, ${part.cpuSeconds.toFixed(1)} s of CPU.`)
    return part
  }
  const out = tell(`${workers} workers were Ready`, await bed.measure({ spec: { replicas: workers } }, hasAll(workers)))
  const rest = await bed.rest(restSeconds)
  const rolled = tell('They had the new template', await bed.measure(NEW_TEMPLATE, hasAll(workers)))
  const gone = tell('They were gone', await bed.measure({ spec: { replicas: 0 } }, hasAll(0)))
  return buildReport({ sizes, out, rest, roll: rolled, in: gone })
}

const NEW_TEMPLATE = { spec: { slurmd: { image: 'slurmd:2' } } }

function hasAll(workers: number) {
  return (nodeSet: Live<NodeSet>): boolean => {
    const { replicas = 0, readyReplicas = 0, updatedReplicas = 0, slurmIdle = 0 } = nodeSet.status ?? {}
    return isReady(nodeSet) && [replicas, readyReplicas, updatedReplicas, slurmIdle].every((count) => count === workers)
  }
}
