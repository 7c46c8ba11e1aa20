import { labelKeys, YES, type NodeSetWithDefaults } from '@slurm-operator/api'
import {
  buildControllerReference,
  type Affinity,
  type Pod,
  type PodAffinityTerm,
  type PodSpec,
  type Volume,
} from '@slurm-operator/kube'
import type { Kept } from '../world/trim.ts'
import { REVISION_HASH_LABEL } from './picture-keys.ts'
import type { WorkerTemplate } from './build-worker-template.ts'
import type { WorkerWish } from './steps.ts'

/** One worker pod: the template with a name, a host name, a place and its claims. */
export function buildWorkerPod(nodeSet: Kept<NodeSetWithDefaults>, template: WorkerTemplate, worker: WorkerWish): Pod {
  const { namespace, name } = nodeSet.metadata
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(worker.name !== undefined && { name: worker.name }),
      generateName: `${name}-`,
      namespace,
      labels: { ...template.metadata.labels, ...identityLabels(nodeSet, worker) },
      ...(template.metadata.annotations && { annotations: template.metadata.annotations }),
      ownerReferences: [buildControllerReference(nodeSet)],
    },
    spec: buildSpec(nodeSet, template.spec, worker),
  }
}

function identityLabels({ spec }: Kept<NodeSetWithDefaults>, worker: WorkerWish): Readonly<Record<string, string>> {
  return {
    ...(worker.name !== undefined && { [labelKeys.podName]: worker.name }),
    ...(worker.ordinalText !== undefined && { [labelKeys.podIndex]: worker.ordinalText }),
    [labelKeys.podHostname]: worker.hostname,
    [labelKeys.scalingMode]: spec.scalingMode,
    ...(worker.revisionHash !== '' && { [REVISION_HASH_LABEL]: worker.revisionHash }),
    ...(worker.isProtected && { [labelKeys.podProtect]: YES }),
  }
}

function buildSpec({ spec }: Kept<NodeSetWithDefaults>, template: PodSpec, worker: WorkerWish): PodSpec {
  const { nodeName: _placed, ...rest } = template // the scheduler places it: priorities and preemption are its business
  const apart = spec.oversubscribeNode ? rest.affinity : keepWorkersApart(rest.affinity)
  const affinity = worker.node === undefined ? apart : onNode(apart, worker.node)
  const claims = worker.claims.map(({ template: name, name: claimName }): Volume => {
    return { name, persistentVolumeClaim: { claimName } }
  })
  const others = (rest.volumes ?? []).filter(({ name }) => !claims.some((claim) => claim.name === name))
  return {
    ...rest,
    hostname: worker.hostname,
    ...(affinity !== undefined && { affinity }),
    volumes: [...claims, ...others],
  }
}

/** Two slurmd on one machine would both offer all of it. */
function keepWorkersApart(affinity: Affinity | undefined): Affinity {
  const term: PodAffinityTerm = {
    topologyKey: 'kubernetes.io/hostname',
    labelSelector: { matchExpressions: [{ key: labelKeys.app, operator: 'In', values: ['slurmd'] }] },
  }
  const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const podAntiAffinity = {
    ...affinity?.podAntiAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: [...terms, term],
  }
  return { ...affinity, podAntiAffinity }
}

/** Only this Kube node; what the user prefers among several no longer matters, but stays. */
function onNode(affinity: Affinity | undefined, node: string): Affinity {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] } as const]
  const nodeAffinity = {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
  }
  return { ...affinity, nodeAffinity }
}
