/**
 * The kinds that we generate types for. Everything they refer to comes along by itself.
 *
 * @module
 */

/** The kinds of one group and version, and what their names get in front when another group uses the same ones. */
export interface WantedGroup {
  readonly group: string
  readonly version: string
  /** The file that holds them. */
  readonly file: string
  readonly prefix: string
  readonly kinds: readonly string[]
}

/** One row per file; a new kind is a new word here. */
export const wanted: readonly WantedGroup[] = [
  {
    group: '',
    version: 'v1',
    file: 'core-v1',
    prefix: '',
    kinds: [
      ...['Binding', 'ConfigMap', 'Event', 'Namespace', 'Node', 'PersistentVolume', 'PersistentVolumeClaim', 'Pod'],
      ...['Secret', 'Service', 'ServiceAccount'],
    ],
  },
  {
    group: 'apps',
    version: 'v1',
    file: 'apps-v1',
    prefix: 'Apps',
    kinds: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  },
  { group: 'batch', version: 'v1', file: 'batch-v1', prefix: 'Batch', kinds: ['Job'] },
  { group: 'policy', version: 'v1', file: 'policy-v1', prefix: 'Policy', kinds: ['Eviction', 'PodDisruptionBudget'] },
  { group: 'autoscaling', version: 'v1', file: 'autoscaling-v1', prefix: 'Autoscaling', kinds: ['Scale'] },
  { group: 'discovery.k8s.io', version: 'v1', file: 'discovery-v1', prefix: 'Discovery', kinds: ['EndpointSlice'] },
  { group: 'coordination.k8s.io', version: 'v1', file: 'coordination-v1', prefix: 'Coordination', kinds: ['Lease'] },
  { group: 'events.k8s.io', version: 'v1', file: 'events-v1', prefix: 'Events', kinds: ['Event'] },
  { group: 'networking.k8s.io', version: 'v1', file: 'networking-v1', prefix: 'Networking', kinds: ['NetworkPolicy'] },
  { group: 'storage.k8s.io', version: 'v1', file: 'storage-v1', prefix: 'Storage', kinds: ['StorageClass'] },
  {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    file: 'rbac-v1',
    prefix: 'Rbac',
    kinds: ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  },
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    file: 'admissionregistration-v1',
    prefix: 'Admission',
    kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  },
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    file: 'apiextensions-v1',
    prefix: 'Extension',
    kinds: ['CustomResourceDefinition'],
  },
  {
    group: 'authentication.k8s.io',
    version: 'v1',
    file: 'authentication-v1',
    prefix: 'Authentication',
    kinds: ['TokenRequest', 'TokenReview'],
  },
  {
    group: 'authorization.k8s.io',
    version: 'v1',
    file: 'authorization-v1',
    prefix: 'Authorization',
    kinds: ['SelfSubjectAccessReview', 'SubjectAccessReview'],
  },
]

/** Shapes that no kind refers to, but every client reads or sends. */
export const wantedSchemas: readonly string[] = [
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList',
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Condition',
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
]

/** Types that users write parts of inside of objects of ours: what is below them can be checked. */
export const valueRoots: readonly string[] = [
  'io.k8s.api.core.v1.PodSpec',
  'io.k8s.api.core.v1.ServiceSpec',
  'io.k8s.api.core.v1.PersistentVolumeClaim',
]

/** Names that mean something else in TypeScript, or in this package. */
export const renamed: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'QuantityText',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': 'AnyJson',
}

/** Shapes whose description does not say what they are; the right side is TypeScript. */
export const known: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'string', // the server also reads numbers, but never answers with one
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'number | string',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'Readonly<Record<string, unknown>>',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'Readonly<Record<string, unknown>>',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': 'unknown',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray':
    'JSONSchemaProps | readonly JSONSchemaProps[]',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool': 'JSONSchemaProps | boolean',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray':
    'JSONSchemaProps | readonly string[]',
}
