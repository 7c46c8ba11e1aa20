import { equalJson, type JsonObject } from '@slurm-operator/kube'
import { mapAt, type ApiObject, type DraftObject } from '../objects/api-object.ts'
import { causes, type Cause } from '../objects/failure.ts'
import type { KindRules } from './rules.ts'
import { fillTemplate, validateContainers } from './pod-template.ts'

const filled =
  (defaults: JsonObject) =>
  (object: DraftObject): DraftObject => ({
    ...object,
    spec: fillTemplate({ ...defaults, ...mapAt(object, 'spec') }),
  })

const begun =
  (status: JsonObject) =>
  (object: DraftObject): DraftObject => ({ ...object, status })

/** Deployments. */
export const deploymentRules: KindRules = {
  fill: (object) => {
    const spec = mapAt(object, 'spec')
    const strategy = fillStrategy(mapAt(spec, 'strategy'))
    return filled({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })({
      ...object,
      spec: { ...spec, strategy },
    })
  },
  begin: begun({}),
  validate: (object, old) => [...validateTemplate(object), ...validateSelector(object, old)],
}

function fillStrategy(strategy: JsonObject): JsonObject {
  const whole: JsonObject = { type: 'RollingUpdate', ...strategy }
  if (whole['type'] !== 'RollingUpdate') return whole
  return { ...whole, rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%', ...mapAt(strategy, 'rollingUpdate') } }
}

/** ReplicaSets. */
export const replicaSetRules: KindRules = {
  fill: filled({ replicas: 1 }),
  begin: begun({ replicas: 0 }),
  validate: (object, old) => [...validateTemplate(object), ...validateSelector(object, old)],
}

/** DaemonSets. */
export const daemonSetRules: KindRules = {
  fill: filled({
    revisionHistoryLimit: 10,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
  }),
  begin: begun({ currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }),
  validate: (object, old) => [...validateTemplate(object), ...validateSelector(object, old)],
}

const STATEFUL_MAY_CHANGE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]
const STATEFUL_REFUSAL =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"

/** StatefulSets: little of them can change. */
export const statefulSetRules: KindRules = {
  fill: filled({
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    revisionHistoryLimit: 10,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  }),
  begin: begun({ replicas: 0, availableReplicas: 0 }),
  validate: (object, old) => {
    const fixed = (spec: JsonObject) =>
      Object.fromEntries(Object.entries(spec).filter(([name]) => !STATEFUL_MAY_CHANGE.includes(name)))
    const isSame = old === undefined || equalJson(fixed(mapAt(object, 'spec')), fixed(mapAt(old, 'spec')))
    return [...validateTemplate(object), ...(isSame ? [] : [causes.forbidden('spec', STATEFUL_REFUSAL)])]
  },
}

/** Jobs, without the labels that the server invents for them. */
export const jobRules: KindRules = {
  fill: filled({ parallelism: 1, completions: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false }),
  begin: begun({}),
}

/** Budgets allow nothing until somebody has counted. */
export const budgetRules: KindRules = {
  begin: begun({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
}

/** What a revision holds never changes. */
export const revisionRules: KindRules = {
  validate: (object, old) =>
    old === undefined || equalJson(object['data'], old['data'])
      ? []
      : [causes.invalid('data', object['data'], 'field is immutable')],
}

function validateTemplate(object: DraftObject): Cause[] {
  return validateContainers(mapAt(object, 'spec', 'template', 'spec'), 'spec.template.spec')
}

function validateSelector(object: DraftObject, old: ApiObject | undefined): Cause[] {
  const selector = mapAt(object, 'spec', 'selector')
  if (Object.keys(selector).length === 0) return [causes.required('spec.selector')]
  if (old === undefined || equalJson(selector, mapAt(old, 'spec', 'selector'))) return []
  return [causes.invalid('spec.selector', selector, 'field is immutable')]
}
