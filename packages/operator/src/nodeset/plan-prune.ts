/**
 * Records of workers that are no more, deleted from Slurm if the user asked for that.
 *
 * @module
 */
import { isClosedByOthers, isDefunctCandidate, seen, type SlurmNode } from '@slurm-operator/slurm'
import { daemonHostname } from './picture-identity.ts'
import { readPodInfo } from './picture-pod-info.ts'
import type { Picture } from './picture.ts'
import type { Step } from './steps.ts'

/** Down, silent, with our note, its pod gone, and its Kube node gone or called otherwise now. */
export function planPruning(picture: Picture): Step[] {
  const { wanted, leftovers } = picture
  if (!wanted.prunesRecords || leftovers.kind !== 'seen') return []
  return leftovers.value.filter((record) => isDefunct(record, picture)).map(prune)
}

function isDefunct(record: SlurmNode, { nowMs, workers, wanted, kubeNodes }: Picture): boolean {
  const info = readPodInfo(record.comment)
  if (info === undefined || info.podName === '' || info.node === '') return false
  if (isDefunctCandidate(seen(record, nowMs)) !== 'yes') return false
  if (isClosedByOthers(seen(record, nowMs)) !== 'no') return false // without its record it would come back in service
  if (workers.some(({ pod, slurmName }) => pod === info.podName || slurmName === record.name)) return false
  const node = kubeNodes.get(info.node)
  if (node === undefined) return true
  return wanted.scalingMode === 'DaemonSet' && daemonHostname(node) !== record.name
}

function prune({ name }: SlurmNode): Step {
  return {
    ...{ do: 'prune-record', slurmName: name, chain: `slurm/${name}/record`, reason: 'KubeNodeGone' },
    because: 'its pod and its Kube node do not exist any more',
    event: { type: 'Normal', reason: 'DefunctSlurmNodePruned' },
  }
}
