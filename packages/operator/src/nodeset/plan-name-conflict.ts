import type { Problem } from './steps.ts'
import type { Wanted, Worker } from './picture.ts'
import { readPodInfo } from './picture-pod-info.ts'

/**
 * The record of this worker's name is that of another pod, elsewhere: two NodeSets make the same names for one Slurm
 * cluster. Then the note in it is not ours to change, and a person must rename one of them.
 */
export function findNameConflict({ name, namespace }: Wanted, worker: Worker): Problem | undefined {
  const { slurmNode, slurmName, podIp, pod } = worker
  if (slurmNode.kind !== 'seen' || podIp === '') return undefined
  const { comment, address } = slurmNode.value
  if (address === '' || address === podIp || comment === '') return undefined
  const info = readPodInfo(comment)
  if (info === undefined || (info.namespace === namespace && info.nodeSetName === name)) return undefined
  const because = `Slurm node ${slurmName} of pod ${pod} is pod ${info.namespace}/${info.podName} at ${address}: both have the same name in Slurm. Give one of the NodeSets another name or template.spec.hostname.`
  return { reason: 'SlurmNameTaken', because, needsPerson: true, event: 'SlurmNameTaken' }
}
