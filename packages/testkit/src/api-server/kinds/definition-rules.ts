import { isJsonList, isJsonObject, type JsonValue } from '@slurm-operator/kube'
import { textOf, mapAt } from '../objects/api-object.ts'
import { causes } from '../objects/failure.ts'
import type { KindRules } from './rules.ts'

/** CRDs: the names that may be left out are filled in. */
export const definitionRules: KindRules = {
  fill: (definition) => {
    const spec = mapAt(definition, 'spec')
    const names = mapAt(spec, 'names')
    const kind = textOf(names['kind'])
    const all = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names }
    return { ...definition, spec: { conversion: { strategy: 'None' }, ...spec, names: all } }
  },
  begin: (definition) => ({
    ...definition,
    status: {
      acceptedNames: { plural: '', kind: '' },
      storedVersions: storedVersions(mapAt(definition, 'spec')['versions']),
    },
  }),
  validate: (definition) => {
    const spec = mapAt(definition, 'spec')
    const wanted = `${textOf(mapAt(spec, 'names')['plural'])}.${textOf(spec['group'])}`
    const name = definition.metadata['name']
    const wrongName =
      name === wanted ? [] : [causes.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]
    return [
      ...wrongName,
      ...(storedVersions(spec['versions']).length === 1
        ? []
        : [
            causes.invalid(
              'spec.versions',
              spec['versions'] ?? null,
              'must have exactly one version marked as storage version',
            ),
          ]),
    ]
  },
}

function storedVersions(versions: JsonValue | undefined): string[] {
  if (!isJsonList(versions)) return []
  return versions
    .filter(isJsonObject)
    .filter(({ storage }) => storage === true)
    .map(({ name }) => textOf(name))
}
