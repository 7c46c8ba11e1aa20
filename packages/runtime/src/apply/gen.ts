/** Test data of this room: children of every kind that the engine is used for, and a CRD of our own. */
import fc from 'fast-check'
import {
  configMapResource,
  defineResource,
  deploymentResource,
  podDisruptionBudgetResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  type CustomResourceDefinition,
  type JsonObject,
  type KubeObject,
  type Resource,
} from '@slurm-operator/kube'
import { anyLabels, anyTemplate, keyed, map, one } from './gen-pod.ts'
import type { ParentObject } from './child.ts'

/** The owner of all children here. */
export const owner: ParentObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'owner', uid: 'a3c9fd86-0000-4000-8000-000000000001', namespace: 'n' },
}

/** A kind with objects of it; the name and the fields that can never be changed are given. */
export interface AnyKind {
  readonly resource: Resource<KubeObject>
  readonly content: fc.Arbitrary<JsonObject>
}

const erase = (resource: unknown) => resource as Resource<KubeObject>
const labelSelector = { matchLabels: { app: 'x' } }
const base64 = one('', 'YQ==', 'YWI=', 'YWJj')

const anyService = fc
  .record({
    ports: keyed(
      { port: one(80, 81, 82), protocol: one('TCP', 'UDP') },
      { targetPort: one(80, 'http'), appProtocol: one('http') },
    ).filter(({ length }) => length > 0),
    spec: map({
      selector: anyLabels,
      sessionAffinity: one('None', 'ClientIP'),
      publishNotReadyAddresses: fc.boolean(),
      internalTrafficPolicy: one('Cluster', 'Local'),
      externalIPs: fc.array(one('10.1.1.1'), { maxLength: 1 }),
      ipFamilyPolicy: one('SingleStack'),
    }),
    isDefaulted: fc.boolean(),
  })
  .map(({ ports, spec, isDefaulted }) => ({
    spec: {
      ...spec,
      clusterIP: 'None',
      ports: ports.map(({ protocol, ...port }, index) => ({
        ...port,
        ...(!(isDefaulted && protocol === 'TCP') && { protocol }),
        name: `p${index}`,
      })),
    },
  }))

const anyStatefulSet = fc
  .record({
    template: anyTemplate,
    spec: map({
      replicas: one(0, 1, 3),
      minReadySeconds: one(0, 5),
      revisionHistoryLimit: one(0, 10),
      ordinals: map({ start: one(0, 1) }),
      updateStrategy: fc.oneof(
        map({}, { type: one('OnDelete') }),
        map({ rollingUpdate: map({ partition: one(0, 1) }) }, { type: one('RollingUpdate') }),
      ),
      persistentVolumeClaimRetentionPolicy: map({ whenDeleted: one('Retain', 'Delete'), whenScaled: one('Retain') }),
    }),
  })
  .map(({ template, spec }) => ({
    spec: { ...spec, template, selector: labelSelector, serviceName: 's', volumeClaimTemplates: [claim] },
  }))

const claim = {
  metadata: { name: 'data', labels: {} },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
}

const anyDeployment = fc
  .record({
    template: anyTemplate,
    spec: map({
      replicas: one(0, 1, 3),
      paused: fc.boolean(),
      progressDeadlineSeconds: one(600, 601),
      strategy: fc.oneof(
        map({}, { type: one('Recreate') }),
        map(
          { rollingUpdate: map({ maxSurge: one(1, '25%'), maxUnavailable: one(1, '30%') }) },
          { type: one('RollingUpdate') },
        ),
        fc.constant({}),
      ),
    }),
  })
  .map(({ template, spec }) => ({ spec: { ...spec, template, selector: labelSelector } }))

const anyBudget = fc
  .record({
    selector: map({ matchLabels: anyLabels, matchExpressions: fc.constant([]) }),
    limit: one('minAvailable', 'maxUnavailable'),
    value: one(0, 1, '50%', '0%'),
  })
  .map(({ selector, limit, value }) => ({ spec: { selector, [limit]: value } }))

/** A kind with all kinds of lists, defaults within lists and maps, and a place where anything goes. */
export const anyThing: fc.Arbitrary<JsonObject> = map({
  spec: map({
    keyed: keyed({ name: one('a', 'b'), side: one('left', 'right') }, { weight: one(0, 1), note: one('', 'x') }),
    set: fc.uniqueArray(one('x', 'y', 'z'), { maxLength: 3 }),
    atomic: fc.array(map({ note: one('', 'x'), size: one(0, 1) }), { maxLength: 2 }),
    atomicMap: map({ a: one('', 'x'), b: one('y') }),
    free: map({ a: one('', 1, false), b: fc.array(one('x', 'y'), { maxLength: 2 }), c: map({ d: one(0) }) }),
    amount: one(1, '25%', '1000m'),
    size: one(0, 5),
    on: fc.boolean(),
  }),
})

/** All kinds. */
export const anyKinds: readonly AnyKind[] = [
  { resource: erase(serviceResource), content: anyService },
  {
    resource: erase(configMapResource),
    content: map({
      data: fc.dictionary(one('a', 'b.c', '_'), one('', 'x', ' y\n'), { maxKeys: 3 }),
      binaryData: fc.dictionary(one('d', 'e'), base64, { maxKeys: 2 }),
    }),
  },
  {
    resource: erase(secretResource),
    content: map({
      data: fc.dictionary(one('a', 'b'), base64, { maxKeys: 2 }),
      stringData: fc.dictionary(one('b', 'c'), one('', 'x'), { maxKeys: 2 }),
      type: one('Opaque'),
    }),
  },
  { resource: erase(statefulSetResource), content: anyStatefulSet },
  { resource: erase(deploymentResource), content: anyDeployment },
  { resource: erase(podDisruptionBudgetResource), content: anyBudget },
]

/** The resource of our own CRD. */
export const thingResource = erase(
  defineResource<KubeObject>({
    group: 'apply.example.com',
    version: 'v1',
    plural: 'things',
    kind: 'Thing',
    namespaced: true,
  }),
)

/** Metadata with more or less in it. */
export const anyMetadata = map({ labels: anyLabels, annotations: anyLabels })

const text = { type: 'string' } as const
const items = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text,
    side: { ...text, default: 'left' },
    weight: { type: 'integer', default: 7 },
    note: text,
  },
}
const properties = {
  keyed: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name', 'side'], items },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
  atomic: { type: 'array', items: { type: 'object', properties: { note: text, size: { type: 'integer' } } } },
  atomicMap: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  amount: { 'x-kubernetes-int-or-string': true },
  size: { type: 'integer', default: 3 },
  on: { type: 'boolean' },
  fixed: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'field is immutable' }] },
}
const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** Our own CRD. */
export const thingDefinition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.apply.example.com' },
  spec: {
    group: 'apply.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties }, status } } },
      },
    ],
  },
}
