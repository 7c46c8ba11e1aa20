import { defineResource, type CustomResourceDefinition, type KubeObject } from '@slurm-operator/kube'

/** A kind with one field for everything that a schema can do. */
export interface Widget extends KubeObject {
  readonly apiVersion: 'contract.test/v1'
  readonly kind: 'Widget'
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
}

/** Where widgets are. */
export const widgetResource = defineResource<Widget>({
  group: 'contract.test',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
})

/** A widget. */
export function widget(namespace: string, name: string, spec?: Widget['spec'], more: Partial<Widget> = {}): Widget {
  return {
    apiVersion: 'contract.test/v1',
    kind: 'Widget',
    metadata: { namespace, name },
    ...(spec && { spec }),
    ...more,
  }
}

const text = { type: 'string' } as const
const integer = { type: 'integer' } as const

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    replicas: { type: 'integer', default: 1 },
    color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
    code: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 5 },
    list: { type: 'array', maxItems: 2, items: text },
    nested: { type: 'object', default: {}, properties: { inner: { type: 'string', default: 'given' } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    either: { 'x-kubernetes-int-or-string': true },
    labels: { type: 'object', additionalProperties: text },
    maybe: { type: 'string', nullable: true },
    at: { type: 'string', format: 'date-time' },
    words: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, value: text, port: { type: 'integer', default: 80 } },
      },
    },
  },
} as const

const status = {
  type: 'object',
  properties: {
    phase: text,
    replicas: integer,
    selector: text,
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: { type: 'object', required: ['type'], properties: { type: text, status: text } },
    },
  },
} as const

/** The CRD of widgets. */
export const widgetDefinition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.contract.test' },
  spec: {
    group: 'contract.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wdg'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
      },
    ],
  },
}
