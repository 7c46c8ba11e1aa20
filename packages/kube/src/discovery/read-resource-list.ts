import type { APIResource, APIResourceList } from '../types/generated/meta-v1.ts'
import type { DiscoveredResource, DiscoveredVersion } from './discovered.ts'

/** One version of one group, in the older form: subresources are rows of their own, as `pods/status`. */
export function readResourceList(
  group: string,
  version: string,
  { resources }: Pick<APIResourceList, 'resources'>,
): DiscoveredVersion {
  const [parts, wholes] = [resources.filter(isSubresource), resources.filter((one) => !isSubresource(one))]
  return {
    version,
    isStale: false,
    resources: wholes.map((whole) => readResource(group, version, whole, parts)),
  }
}

function readResource(
  group: string,
  version: string,
  whole: APIResource,
  parts: readonly APIResource[],
): DiscoveredResource {
  const own = parts.filter(({ name }) => name.startsWith(`${whole.name}/`))
  return {
    group,
    version,
    plural: whole.name,
    singular: whole.singularName,
    kind: whole.kind,
    namespaced: whole.namespaced,
    verbs: whole.verbs,
    shortNames: whole.shortNames ?? [],
    categories: whole.categories ?? [],
    subresources: own.map(({ name, kind, verbs }) => ({ name: name.slice(whole.name.length + 1), kind, verbs })),
  }
}

function isSubresource({ name }: APIResource): boolean {
  return name.includes('/')
}
