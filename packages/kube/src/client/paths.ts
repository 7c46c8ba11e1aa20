import { KubeError } from '../errors/kube-error.ts'
import type { KubeObject, ObjectKey, Resource } from './resource.ts'

/** A part of the address of an object. */
export interface Place {
  readonly namespace?: string | undefined
  readonly name?: string
  readonly subresource?: string
}

/** Values of a query; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** The path of all objects of a resource, or of those in one namespace. */
export function collectionPath<T extends KubeObject>(resource: Resource<T>, namespace?: string): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`
  if (namespace === undefined) return `${root}/${resource.plural}`
  if (!resource.namespaced) throw badPlace(resource, { namespace }, 'objects of this kind live outside of namespaces')
  return `${root}/namespaces/${segment(namespace, 'namespace', resource)}/${resource.plural}`
}

/** The path of one object. An empty name is refused here: on the wire it would mean all objects. */
export function objectPath<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, subresource?: string): string {
  if (resource.namespaced && key.namespace === undefined) throw badPlace(resource, key, 'its namespace is missing')
  const path = `${collectionPath(resource, key.namespace)}/${segment(key.name, 'name', resource)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}

/** A path with its query. */
export function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as const],
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(Object.fromEntries(pairs)).toString()}`
}

/** What a request is about, for people: `pods/status a/b`. */
export function describePlace<T extends KubeObject>(resource: Resource<T>, place: Place): string {
  const kind = resource.plural + (resource.group === '' ? '' : `.${resource.group}`)
  const what = place.subresource === undefined ? kind : `${kind}/${place.subresource}`
  if (place.name === undefined) return place.namespace === undefined ? what : `${what} in ${place.namespace}`
  return place.namespace === undefined ? `${what} ${place.name}` : `${what} ${place.namespace}/${place.name}`
}

function segment<T extends KubeObject>(text: string, what: string, resource: Resource<T>): string {
  if (text === '') throw badPlace(resource, {}, `the ${what} is empty`)
  if (text === '.' || text === '..') throw badPlace(resource, {}, `the ${what} is "${text}"`)
  return encodeURIComponent(text)
}

function badPlace<T extends KubeObject>(resource: Resource<T>, place: Place, detail: string): KubeError {
  return new KubeError({ reason: 'BadRequest', request: `address ${describePlace(resource, place)}`, detail })
}
