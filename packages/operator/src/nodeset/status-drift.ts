/**
 * Workers that differ from new ones although their template is the same: by what the NodeSet itself is labelled with, by the
 * sssd configuration, by how slurmd is started (such as where slurmctld is). None of it replaces a worker, so people read of it.
 *
 * @module
 */
import { hashAnnotations } from '@slurm-operator/api'
import { counted } from '../reasons/counted.ts'
import type { Picture, Placement, Worker } from './picture.ts'
import { REGISTRATION } from './picture-keys.ts'
import { livingWorkers } from './status-counters.ts'

type Difference = (worker: Worker, now: Placement) => boolean

/** A hash that is missing tells nothing: another program made the pod. */
const differences: readonly (readonly [what: string, Difference])[] = [
  ['labels', ({ labels }, now) => Object.entries(now.labels).some(([key, value]) => labels[key] !== value)],
  [
    'annotations',
    ({ annotations }, now) => Object.entries(now.annotations).some(([key, value]) => annotations[key] !== value),
  ],
  ['the sssd configuration', ({ annotations }, now) => isOther(annotations[hashAnnotations.sssdConf], now.sssdConf)],
  ['how slurmd is started', ({ annotations }, now) => isOther(annotations[REGISTRATION], now.registration)],
]

/** Who differs and in what, for people; empty if nobody does. */
export function describeDrift(picture: Picture, revisionHash: string): string {
  const { template, wanted } = picture
  if (template.kind !== 'built') return ''
  const alike = livingWorkers(picture).filter((worker) => worker.revisionHash === revisionHash)
  const ours = alike.filter(({ mode }) => mode === wanted.scalingMode)
  const found = differences.flatMap(([what, differs]) => {
    const drifted = ours.filter((worker) => differs(worker, template.placement))
    return drifted.length === 0 ? [] : [{ what, drifted }]
  })
  if (found.length === 0) return ''
  const count = new Set(found.flatMap(({ drifted }) => drifted)).size
  const who = counted(count, 'worker differs', 'workers differ')
  return `${who} from new ones in ${found.map(({ what }) => what).join(', ')}, which replaces nobody`
}

function isOther(had: string | undefined, now: string): boolean {
  return had !== undefined && had !== now
}
