/**
 * Claim templates of NodeSets. The schema lets anything pass here, so nothing is taken for granted.
 *
 * @module
 */
import type { NodeSetWithDefaults, Problem } from '@slurm-operator/api'
import { isJsonObject } from '@slurm-operator/kube'
import { refuse, warn, when } from './problem.ts'
import { fieldsOf, listOf } from './unchecked.ts'

type Spec = Pick<NodeSetWithDefaults['spec'], 'volumeClaimTemplates' | 'slurmd' | 'logfile' | 'template'>

/** Templates without a name, and those whose volume nobody mounts. */
export function findClaimProblems({ volumeClaimTemplates, slurmd, logfile, template }: Spec): readonly Problem[] {
  const path = 'spec.volumeClaimTemplates'
  const templates: unknown = volumeClaimTemplates ?? []
  if (!Array.isArray(templates)) return [refuse(path, 'is no list', 'Write a list of PersistentVolumeClaims.')]
  const { containers, initContainers } = fieldsOf(template?.spec)
  const mounted = new Set([slurmd, logfile, ...listOf(containers), ...listOf(initContainers)].flatMap(mountNames))
  return templates.flatMap((one: unknown, index) => {
    if (!isJsonObject(one)) return [] // of a wrong type, which is told elsewhere
    const { name } = fieldsOf(one['metadata'])
    const place = `${path}[${index}]`
    if (typeof name !== 'string' || name === '')
      return [refuse(`${place}.metadata.name`, 'is missing', 'Write the name by which containers mount the volume.')]
    return when(!mounted.has(name), () =>
      warn(place, `makes a volume ${name} that no container mounts`, 'Add it to spec.slurmd.volumeMounts.'),
    )
  })
}

function mountNames(container: unknown): unknown[] {
  return listOf(fieldsOf(container)['volumeMounts']).map((mount) => fieldsOf(mount)['name'])
}
