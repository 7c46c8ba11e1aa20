import { hashAnnotations, type Controller, type NodeSetWithDefaults } from '@slurm-operator/api'
import type { CallOptions, PodSpec } from '@slurm-operator/kube'
import { errorsIn } from '../component/obstacles.ts'
import type { Built } from '../workload/problem.ts'
import type { Entries } from '../workload/inherited-metadata.ts'
import type { Kept, KeptMeta } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { buildWorkerTemplate, type TemplateInputs, type WorkerTemplate } from './build-worker-template.ts'
import type { Placement, Template } from './picture.ts'

/** The template for the plan, and the one to build pods with; none if something that it needs is missing. */
export interface ObservedTemplate {
  readonly facts: Template
  readonly template: WorkerTemplate | undefined
}

/** Read what worker pods are built from, and build what they have in common. */
export async function observeTemplate(
  nodeSet: Kept<NodeSetWithDefaults>,
  world: World,
  options: CallOptions,
): Promise<ObservedTemplate> {
  const { namespace } = nodeSet.metadata
  const name = nodeSet.spec.controllerRef.name ?? ''
  const controller = world.caches.controllers.get({ namespace, name })
  if (controller === undefined) return impossible('ControllerNotFound', `there is no Controller ${name}`)
  try {
    return await build(nodeSet, controller, world, options)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return impossible('InputsUnreadable', why)
  }
}

async function build(
  nodeSet: Kept<NodeSetWithDefaults>,
  controller: Kept<Controller>,
  world: World,
  options: CallOptions,
): Promise<ObservedTemplate> {
  const { namespace } = nodeSet.metadata
  const ref = nodeSet.spec.ssh?.enabled === true ? nodeSet.spec.ssh.sssdConfRef : undefined
  const sssdConf = ref?.name ? await world.secrets.read({ namespace, name: ref.name }, options) : undefined
  const built = buildOnce(nodeSet, { controller, sssdConf, clusterDomain: world.clusterDomain })
  const errors = errorsIn(built.problems)
  if (errors.length > 0) {
    return impossible('InputsUnreadable', errors.map(({ path, problem }) => `${path} ${problem}`).join(' '))
  }
  return { facts: { kind: 'built', placement: placementOf(built.value, nodeSet.metadata) }, template: built.value }
}

interface Known {
  readonly inputs: TemplateInputs
  readonly built: Built<WorkerTemplate>
}

/** Objects in the cache never change: the same ones give the same template. */
const known = new WeakMap<Kept<NodeSetWithDefaults>, Known>()

function buildOnce(nodeSet: Kept<NodeSetWithDefaults>, inputs: TemplateInputs): Built<WorkerTemplate> {
  const before = known.get(nodeSet)
  if (before !== undefined && isSame(before.inputs, inputs)) return before.built
  const built = buildWorkerTemplate(nodeSet, inputs)
  known.set(nodeSet, { inputs, built })
  return built
}

function isSame(one: TemplateInputs, other: TemplateInputs): boolean {
  const { controller, sssdConf, clusterDomain } = one
  return controller === other.controller && sssdConf === other.sssdConf && clusterDomain === other.clusterDomain
}

/** There is no template; nothing is made and nobody is sent away. */
export function impossible(reason: 'ControllerNotFound' | 'InputsUnreadable', problem: string): ObservedTemplate {
  return { facts: { kind: 'impossible', reason, problem }, template: undefined }
}

function placementOf({ spec, metadata, registration }: WorkerTemplate, nodeSet: KeptMeta): Placement {
  const { nodeSelector = {}, tolerations = [] } = spec
  const { labels = {}, annotations = {} } = metadata
  return {
    ...{ nodeSelector, tolerations, registration, requiredNodes: requiredNodesOf(spec) },
    sssdConf: annotations[hashAnnotations.sssdConf] ?? '',
    labels: thoseOf(nodeSet.labels, labels),
    annotations: thoseOf(nodeSet.annotations, annotations),
  }
}

/** What a pod has of the entries of its NodeSet. */
function thoseOf(entries: Entries | undefined, onPod: Entries): Entries {
  return Object.fromEntries(Object.entries(onPod).filter(([key]) => Object.hasOwn(entries ?? {}, key)))
}

function requiredNodesOf({ affinity }: PodSpec): Placement['requiredNodes'] {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
}
