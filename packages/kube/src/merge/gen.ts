/** Test data of this room: a small part of the Pod, Deployment and Service types, and documents of them. */
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { MergeSchema } from './merge-schema.ts'

/** The keys of the real API for the fields that the documents below use. */
export const podSchema: MergeSchema = {
  'io.k8s.api.apps.v1.Deployment': {
    metadata: { of: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    spec: { of: 'io.k8s.api.apps.v1.DeploymentSpec' },
  },
  'io.k8s.api.apps.v1.DeploymentSpec': {
    strategy: { patchStrategy: 'retainKeys', of: 'io.k8s.api.apps.v1.DeploymentStrategy' },
    template: { of: 'io.k8s.api.core.v1.PodTemplateSpec' },
  },
  'io.k8s.api.core.v1.PodTemplateSpec': {
    metadata: { of: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    spec: { of: 'io.k8s.api.core.v1.PodSpec' },
  },
  'io.k8s.api.core.v1.Pod': {
    metadata: { of: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    spec: { of: 'io.k8s.api.core.v1.PodSpec' },
  },
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
    finalizers: { patchStrategy: 'merge' },
    ownerReferences: { patchStrategy: 'merge', mergeKey: 'uid' },
  },
  'io.k8s.api.core.v1.PodSpec': {
    containers: { patchStrategy: 'merge', mergeKey: 'name', of: 'io.k8s.api.core.v1.Container' },
    volumes: { patchStrategy: 'merge,retainKeys', mergeKey: 'name', of: 'io.k8s.api.core.v1.Volume' },
    imagePullSecrets: { patchStrategy: 'merge', mergeKey: 'name' },
    hostAliases: { patchStrategy: 'merge', mergeKey: 'ip' },
  },
  'io.k8s.api.core.v1.Container': {
    env: { patchStrategy: 'merge', mergeKey: 'name' },
    ports: { patchStrategy: 'merge', mergeKey: 'containerPort' },
    volumeMounts: { patchStrategy: 'merge', mergeKey: 'mountPath' },
  },
}

/** The type of the documents of `anyPod`. */
export const POD = 'io.k8s.api.core.v1.Pod'
/** The type of the documents of `anyDeployment`. */
export const DEPLOYMENT = 'io.k8s.api.apps.v1.Deployment'

const name = fc.constantFrom('a', 'b', 'c', 'd')
const text = fc.constantFrom('x', 'y', 'z')
// Directives among free keys become data where the server takes a map as it is.
const FREE_FORM = ['labels', 'annotations', 'nodeSelector']
const FINALIZERS = ['example.com/a', 'example.com/b', 'example.com/c', 'example.com/d']

type Shape = Record<string, fc.Arbitrary<JsonValue>>

/** Any of the keys may be missing, except those that must be there. */
function map(shape: Shape, required: Shape = {}): fc.Arbitrary<JsonObject> {
  return fc.record({ ...shape, ...required }, { requiredKeys: Object.keys(required) })
}

function keyed(key: string, values: fc.Arbitrary<JsonValue>, shape: Shape): fc.Arbitrary<JsonObject[]> {
  return fc.uniqueArray(map(shape, { [key]: values }), { maxLength: 4, selector: (element) => element[key] })
}

const ipAddress = fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.0.3')
const finalizer = fc.constantFrom(...FINALIZERS)
const anyLabels = fc.dictionary(name, text, { maxKeys: 3 })
const anyContainer: Shape = {
  image: text,
  command: fc.array(text, { maxLength: 3 }),
  env: keyed('name', name, { value: text }),
  ports: keyed('containerPort', fc.constantFrom(1, 2, 3), { name: text, protocol: fc.constantFrom('TCP', 'UDP') }),
  volumeMounts: keyed('mountPath', name, { name, readOnly: fc.boolean() }),
  securityContext: map({
    privileged: fc.boolean(),
    runAsUser: fc.nat(3),
    capabilities: map({ add: fc.array(text, { maxLength: 3 }) }),
  }),
}
const anyMetadata = map({
  labels: anyLabels,
  annotations: anyLabels,
  finalizers: fc.uniqueArray(finalizer, { maxLength: 4 }),
  ownerReferences: keyed('uid', name, { name, kind: text, apiVersion: fc.constantFrom('v1', 'example.com/v1') }),
})
const anyPodSpec = map({
  containers: keyed('name', name, anyContainer),
  volumes: keyed('name', name, { emptyDir: map({ medium: fc.constant('Memory') }), hostPath: map({ path: text }) }),
  imagePullSecrets: keyed('name', name, {}),
  hostAliases: keyed('ip', ipAddress, { hostnames: fc.array(text, { maxLength: 3 }) }),
  tolerations: fc.array(map({ key: name, value: text, operator: fc.constantFrom('Equal', 'Exists') }), {
    maxLength: 3,
  }),
  nodeSelector: anyLabels,
  hostNetwork: fc.boolean(),
  terminationGracePeriodSeconds: fc.nat(3),
})

/** Pods in which every merged list has unique keys, without nulls. */
export const anyPod = map({ metadata: anyMetadata, spec: anyPodSpec })

/** Deployments of such pods. */
export const anyDeployment = map({
  metadata: anyMetadata,
  spec: map({
    replicas: fc.nat(3),
    strategy: map({
      type: fc.constantFrom('Recreate', 'RollingUpdate'),
      rollingUpdate: map({ maxSurge: fc.nat(3), maxUnavailable: fc.constantFrom('1%', '50%') }),
    }),
    template: map({ metadata: anyMetadata, spec: anyPodSpec }),
  }),
})

/** Patches with directives anywhere, sensible or not. `null` and marks are sprinkled over a document of the type. */
export function anyPatchOf(document: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc.tuple(document, fc.infiniteStream(fc.nat(99))).map(([value, stream]) => {
    const dice = () => stream.next().value
    return sprinkle(value, dice) as JsonObject
  })
}

type Dice = () => number

function sprinkle(value: JsonValue, dice: Dice, isFreeForm = false): JsonValue {
  if (Array.isArray(value)) return sprinkleList(value as JsonValue[], dice)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JsonObject).flatMap(([key, inner = null]): [string, JsonValue][] => {
    if (dice() < 8) return [[key, null]]
    const sprinkled = sprinkle(inner, dice, FREE_FORM.includes(key))
    return [[key, sprinkled], ...directivesFor(key, sprinkled, dice)]
  })
  const marked = { ...Object.fromEntries(entries), ...mark(dice, 2), ...retain(value as JsonObject, dice) }
  return isFreeForm ? Object.fromEntries(entries) : marked
}

function sprinkleList(list: readonly JsonValue[], dice: Dice): JsonValue[] {
  const elements = list.map((element) => {
    const sprinkled = sprinkle(element, dice)
    return isMap(sprinkled) && isMap(element) ? { ...sprinkled, ...keysOf(element), ...mark(dice, 10) } : sprinkled
  })
  return list.length > 0 && isMap(list[0]) && dice() < 5 ? [...elements, { $patch: 'replace' }] : elements
}

/** A null where the merge key should be is refused; that is not what these patches are about. */
function keysOf(element: JsonObject): JsonObject {
  const found = ['name', 'uid', 'containerPort', 'mountPath', 'ip'].filter((key) => Object.hasOwn(element, key))
  return Object.fromEntries(found.map((key) => [key, element[key]]))
}

function directivesFor(key: string, value: JsonValue, dice: Dice): [string, JsonValue][] {
  if (!Array.isArray(value) || value.length === 0) return []
  const list = value as JsonValue[]
  if (key === 'finalizers' && dice() < 30) {
    // Whether an element that is both added and deleted stays is left to chance by the server.
    return [[`$deleteFromPrimitiveList/${key}`, FINALIZERS.filter((element) => !list.includes(element))]]
  }
  if (!['finalizers', 'containers', 'env', 'volumes', 'ports'].includes(key) || dice() >= 30) return []
  const order = list.flatMap((element): JsonValue[] => (isMap(element) ? onlyMergeKey(key, element) : [element]))
  return [[`$setElementOrder/${key}`, dice() < 80 ? order : order.toReversed()]]
}

function onlyMergeKey(list: string, element: JsonObject): JsonObject[] {
  const key = list === 'ports' ? 'containerPort' : 'name'
  return Object.hasOwn(element, key) ? [{ [key]: element[key] }] : []
}

function mark(dice: Dice, percent: number): JsonObject {
  if (dice() >= percent) return {}
  return { $patch: ['delete', 'delete', 'delete', 'replace', 'merge'][dice() % 5] }
}

function retain(value: JsonObject, dice: Dice): JsonObject {
  return dice() < 4 ? { $retainKeys: [...Object.keys(value), 'name'] } : {}
}

function isMap(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
