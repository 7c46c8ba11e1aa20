import type { CustomResourceColumnDefinition, CustomResourceDefinition, JSONSchemaProps } from '@slurm-operator/kube'
import { API_GROUP, API_VERSION } from '../constants.ts'
import type { KindDefinition } from '../kinds/kind.ts'
import type { Schema } from '../schema/schema.ts'

const ageColumn: CustomResourceColumnDefinition = {
  name: 'AGE',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
}

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
}

/** The CustomResourceDefinition of one of our kinds: what the API server knows about it. */
export function buildCrd(definition: KindDefinition): CustomResourceDefinition {
  const { kind, plural, singular, shortNames } = definition
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${API_GROUP}` },
    spec: {
      group: API_GROUP,
      names: { kind, listKind: `${kind}List`, plural, singular, shortNames, categories: ['slurm'] },
      scope: 'Namespaced',
      versions: [
        {
          name: API_VERSION,
          served: true,
          storage: true,
          additionalPrinterColumns: [...definition.columns, ageColumn],
          schema: { openAPIV3Schema: buildObjectSchema(definition) },
          subresources: { status: {}, ...(definition.scalable && { scale }) },
        },
      ],
    },
  }
}

function buildObjectSchema({ description, spec, status, rules = [] }: KindDefinition): JSONSchemaProps {
  return {
    type: 'object',
    description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: forServer(spec),
      status: forServer(status),
    },
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  }
}

/** A schema without what only we read. */
function forServer({ freeForm: _freeForm, defaultInMemory: _default, ...schema }: Schema): JSONSchemaProps {
  const { properties, items, additionalProperties } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, forServer(field)])),
    }),
    ...(items && { items: forServer(items) }),
    ...(additionalProperties && { additionalProperties: forServer(additionalProperties) }),
  }
}
