/**
 * Make a wanted workload fit the one that is there, where insisting would restart pods or cannot succeed.
 *
 * A workload that another operator of the same API left behind has pods that run well, with a template that differs from
 * ours in details such as a script. Its template is kept until ours changes for a reason of the user's: until then the
 * annotation says which template of ours it stands for. So a change of operators restarts nothing.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { annotationKeys } from '@slurm-operator/api'
import { stringifyJson, type Deployment, type KubeObject, type StatefulSet } from '@slurm-operator/kube'
import { isAppliedByUs, type Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'

/** On a workload that was adopted: the hash of our template that its own one stands for. */
export const ADOPTED_TEMPLATE = annotationKeys.adoptedTemplate

type Workload = Deployment | StatefulSet

/** The wanted object, adapted; objects of other kinds as they are. */
export function adaptToLive(wanted: KubeObject, { caches }: Pick<World, 'caches'>): KubeObject {
  const { name = '', namespace } = wanted.metadata
  switch (wanted.kind) {
    case 'StatefulSet': {
      const live = caches.statefulSets.get({ name, namespace })
      return live === undefined ? wanted : keepImmutable(holdTemplate(wanted as StatefulSet, live), live)
    }
    case 'Deployment': {
      const live = caches.deployments.get({ name, namespace })
      return live === undefined ? wanted : holdTemplate(wanted as Deployment, live)
    }
    default:
      return wanted
  }
}

/** Keep the template of an adopted workload for as long as ours says the same as when it was adopted. */
function holdTemplate<W extends Workload>(wanted: W, live: Kept<W>): W {
  const hash = hashOf(wanted.spec?.template)
  const isForeign = !(live.metadata.managedFields ?? []).some(isAppliedByUs)
  if (!isForeign && live.metadata.annotations?.[ADOPTED_TEMPLATE] !== hash) return wanted
  const annotations = { ...wanted.metadata.annotations, [ADOPTED_TEMPLATE]: hash }
  const metadata = { ...wanted.metadata, annotations }
  return { ...wanted, metadata, spec: { ...wanted.spec, template: live.spec?.template } }
}

/** What cannot be changed in a StatefulSet and is not worth making it anew: pods and claims are looked after elsewhere. */
function keepImmutable(wanted: StatefulSet, { spec }: Kept<StatefulSet>): StatefulSet {
  if (wanted.spec === undefined || spec === undefined) return wanted
  const { podManagementPolicy, volumeClaimTemplates, selector } = spec
  return {
    ...wanted,
    spec: {
      ...wanted.spec,
      selector,
      ...(podManagementPolicy !== undefined && { podManagementPolicy }),
      ...(volumeClaimTemplates !== undefined && {
        volumeClaimTemplates: volumeClaimTemplates.map(({ status: _status, ...claim }) => claim),
      }),
    },
  }
}

function hashOf(template: unknown): string {
  return createHash('sha256').update(stringifyJson(template)).digest('hex').slice(0, 16)
}
