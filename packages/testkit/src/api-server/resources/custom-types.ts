import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@slurm-operator/kube'
import { customTopology } from '../ownership/custom-topology.ts'
import type { CustomType, ResourceType, ScalePaths } from './resource-type.ts'

/** The kinds that a CRD defines: one for each version that is served. */
export function typesOfDefinition({ spec }: Pick<CustomResourceDefinition, 'spec'>): ResourceType[] {
  const storageVersion = spec.versions.find(({ storage }) => storage)?.name ?? spec.versions[0]?.name ?? 'v1'
  return spec.versions.filter(({ served }) => served).map((version) => typeOf(spec, version, storageVersion))
}

function typeOf(
  spec: CustomResourceDefinition['spec'],
  version: CustomResourceDefinitionVersion,
  storageVersion: string,
): ResourceType {
  const {
    plural,
    kind,
    singular = kind.toLowerCase(),
    listKind = `${kind}List`,
    shortNames = [],
    categories = [],
  } = spec.names
  const { status, scale } = version.subresources ?? {}
  const schema = version.schema?.openAPIV3Schema
  const custom: CustomType = { schema, storageVersion, ...(scale !== undefined && { scale: scalePathsOf(scale) }) }
  return {
    ...{ group: spec.group, version: version.name, plural, kind, singular, listKind, shortNames, categories },
    namespaced: spec.scope === 'Namespaced',
    subresources: [...(status === undefined ? [] : ['status']), ...(scale === undefined ? [] : ['scale'])],
    hasGeneration: true,
    isReview: false,
    custom,
    topology: customTopology(schema),
  }
}

function scalePathsOf(scale: {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}): ScalePaths {
  return {
    specReplicas: pathOf(scale.specReplicasPath),
    statusReplicas: pathOf(scale.statusReplicasPath),
    ...(scale.labelSelectorPath !== undefined && { selector: pathOf(scale.labelSelectorPath) }),
  }
}

function pathOf(jsonPath: string): string[] {
  return jsonPath.split('.').filter((part) => part !== '')
}
