import type { NodeSetWithDefaults } from '@slurm-operator/api'
import type { CallOptions, KubeObject } from '@slurm-operator/kube'
import { keyText, observeChildren, planChildren, type ChildStep, type LiveChild } from '@slurm-operator/runtime'
import { keysOfKind } from '../world/child-kinds.ts'
import { FIELD_MANAGER, type Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { buildSharedObjects } from './build-shared.ts'
import type { SharedObject } from './picture.ts'

/** The objects besides the workers: what the plan must know of them, and how a step about one is carried out. */
export interface ObservedShared {
  readonly facts: readonly SharedObject[]
  readonly steps: ReadonlyMap<SharedObject['what'], ChildStep>
}

/** Nothing is wanted, and nothing that exists is unwanted: also of a spec that cannot be read. */
export const nothingShared: ObservedShared = { facts: [], steps: new Map() }

const words: Readonly<Record<string, SharedObject['what']>> = {
  Service: 'worker-service',
  PodDisruptionBudget: 'disruption-budget',
  ConfigMap: 'ssh-config',
}

/** Compare what is wanted with what there is. A NodeSet that is being deleted wants nothing new. */
export async function observeShared(
  nodeSet: Kept<NodeSetWithDefaults>,
  world: World,
  options: CallOptions,
): Promise<ObservedShared> {
  if (nodeSet.metadata.deletionTimestamp !== undefined) return nothingShared
  const wanted = buildSharedObjects(nodeSet, siblingsOf(nodeSet, world))
  await loadConfigMaps(nodeSet, wanted, world, options)
  const steps = planShared(nodeSet, wanted, world)
  const entries = steps.flatMap((step): [SharedObject['what'], ChildStep][] => {
    const what = words[step.resource.kind]
    return what === undefined ? [] : [[what, step]]
  })
  return { facts: entries.map(([what, step]) => ({ what, state: stateOf(step) })), steps: new Map(entries) }
}

/** What could not be read is asked for once more when it is written, and that step fails alone: workers do not wait for it. */
async function loadConfigMaps(
  { metadata: { uid } }: Kept<NodeSetWithDefaults>,
  wanted: readonly KubeObject[],
  { configMaps, log }: World,
  options: CallOptions,
): Promise<void> {
  try {
    await configMaps.load(uid, keysOfKind(wanted, 'ConfigMap'), options)
  } catch (error) {
    options.signal?.throwIfAborted()
    log.info('a ConfigMap cannot be read', { error })
  }
}

function siblingsOf({ metadata, spec }: Kept<NodeSetWithDefaults>, { caches }: World) {
  const { namespace } = metadata
  return caches.nodeSets.by('controller', keyText({ namespace, name: spec.controllerRef.name ?? '' }))
}

function planShared(owner: Kept<NodeSetWithDefaults>, wanted: readonly KubeObject[], world: World): ChildStep[] {
  const { knownNoOps, workerChildKinds } = world
  const kinds = observeChildren(owner, wanted, workerChildKinds)
  return planChildren({ owner, wanted, kinds, knownNoOps, fieldManager: FIELD_MANAGER })
}

function stateOf(step: ChildStep): SharedObject['state'] {
  switch (step.do) {
    case 'create':
      return 'missing'
    case 'apply':
      return isClosed(step.live) ? 'current' : 'different'
    case 'refuse': // carried out it says why; see `act`
      return 'different'
    case 'delete':
      return 'unwanted'
    case 'nothing':
    case 'wait':
      return 'current'
  }
}

/** A person has made it immutable: the server would refuse every change, in every pass. */
function isClosed(live: LiveChild): boolean {
  return 'immutable' in live && live.immutable === true
}
