import { equalJson, isJsonList, isJsonObject, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import { mapAt, type DraftObject } from '../objects/api-object.ts'
import { causes, type Cause } from '../objects/failure.ts'
import type { KindRules } from './rules.ts'
import { fillPodSpec, validateContainers } from './pod-template.ts'

const MAY_CHANGE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

const waits = (key: string): JsonObject => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
})

/** What pods do: most of their spec never changes. */
export const podRules: KindRules = {
  fill: (pod) => fillConditions({ ...pod, spec: fillPodSpec({ enableServiceLinks: true, ...mapAt(pod, 'spec') }) }),
  begin: (pod) => {
    const spec = mapAt(pod, 'spec')
    const tolerations = isJsonList(spec['tolerations']) ? spec['tolerations'] : []
    return {
      ...pod,
      spec: {
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
        ...spec,
        tolerations: withDefaultWaits(tolerations),
      },
      status: { phase: 'Pending', qosClass: qualityOf(spec) },
    }
  },
  validate: (pod, old) => {
    const spec = mapAt(pod, 'spec')
    return [...validateContainers(spec, 'spec'), ...(old === undefined ? [] : validateChange(spec, mapAt(old, 'spec')))]
  },
}

/** Two times of a condition are written even when nobody set them. */
function fillConditions(pod: DraftObject): DraftObject {
  const status = mapAt(pod, 'status')
  if (!isJsonList(status['conditions'])) return pod
  const conditions = status['conditions'].map((one) =>
    isJsonObject(one) ? { lastProbeTime: null, lastTransitionTime: null, ...one } : one,
  )
  return { ...pod, status: { ...status, conditions } }
}

/** Pods leave nodes that are gone after five minutes, unless they say otherwise. */
function withDefaultWaits(tolerations: readonly JsonValue[]): JsonValue[] {
  const isTolerated = (key: string) =>
    tolerations.some(
      (one) =>
        isJsonObject(one) &&
        (one['key'] === `node.kubernetes.io/${key}` || (one['key'] ?? '') === '') &&
        (one['effect'] ?? 'NoExecute') === 'NoExecute',
    )
  return [...tolerations, ...['not-ready', 'unreachable'].filter((key) => !isTolerated(key)).map(waits)]
}

function qualityOf(spec: JsonObject): string {
  const containers = isJsonList(spec['containers']) ? spec['containers'] : []
  const needs = containers.map(
    (container) => [mapAt(container, 'resources', 'requests'), mapAt(container, 'resources', 'limits')] as const,
  )
  if (needs.every(([requests, limits]) => Object.keys(requests).length + Object.keys(limits).length === 0))
    return 'BestEffort'
  const isFull = ([requests, limits]: readonly [JsonObject, JsonObject]) =>
    ['cpu', 'memory'].every(
      (name) => limits[name] !== undefined && (requests[name] === undefined || requests[name] === limits[name]),
    )
  return needs.every(isFull) ? 'Guaranteed' : 'Burstable'
}

function validateChange(spec: JsonObject, old: JsonObject): Cause[] {
  if (!equalJson(unchangeable(spec), unchangeable(old))) return [causes.forbidden('spec', MAY_CHANGE)]
  const [now, before] = [tolerationsOf(spec), tolerationsOf(old)]
  const isKept = before.every((one) => now.some((other) => equalJson(one, other)))
  return isKept ? [] : [causes.forbidden('spec', MAY_CHANGE)]
}

function tolerationsOf(spec: JsonObject): readonly JsonValue[] {
  return isJsonList(spec['tolerations']) ? spec['tolerations'] : []
}

function unchangeable({
  activeDeadlineSeconds: _deadline,
  tolerations: _tolerations,
  ...spec
}: JsonObject): JsonObject {
  const withoutImages = (containers: JsonValue | undefined) =>
    isJsonList(containers)
      ? containers.map((container) => (isJsonObject(container) ? { ...container, image: '' } : container))
      : containers
  return {
    ...spec,
    containers: withoutImages(spec['containers']),
    initContainers: withoutImages(spec['initContainers']),
  }
}

/** Whether a pod runs, or may run, on a node: then it goes only after its grace period. */
export function graceOf(pod: DraftObject, wantedSeconds: number | undefined): number {
  const { nodeName, terminationGracePeriodSeconds } = mapAt(pod, 'spec')
  const { phase } = mapAt(pod, 'status')
  if ((nodeName ?? '') === '' || phase === 'Succeeded' || phase === 'Failed') return 0
  const own = typeof terminationGracePeriodSeconds === 'number' ? terminationGracePeriodSeconds : 30
  const seconds = wantedSeconds ?? own
  return seconds < 0 ? 1 : seconds
}
