/**
 * The ConfigMaps that a Controller refers to: files and scripts for `/etc/slurm`.
 *
 * @module
 */
import type { ControllerSpec, LocalObjectReference } from '@slurm-operator/api'
import type { ConfigMap } from '@slurm-operator/kube'
import type { Kept } from '../world/trim.ts'

/** The lists of a spec, by the field that holds them. */
const lists = [
  'configFileRefs',
  'prologScriptRefs',
  'epilogScriptRefs',
  'prologSlurmctldScriptRefs',
  'epilogSlurmctldScriptRefs',
] as const

/** The field of a spec that lists ConfigMaps. */
export type FileList = (typeof lists)[number]

type Spec = Pick<ControllerSpec, FileList | 'jwksKeyRef'>

/** What was found, by name; undefined: it does not exist. */
export type FoundMaps = ReadonlyMap<string, Kept<ConfigMap> | undefined>

/** The names in one list, without blanks. */
function namesIn(spec: Spec, list: FileList): string[] {
  const refs: readonly LocalObjectReference[] = spec[list] ?? []
  return refs.flatMap(({ name }) => (name === undefined || name === '' ? [] : [name]))
}

/** All ConfigMaps whose entries become files, sorted, each once. */
export function fileMapNames(spec: Spec): string[] {
  return [...new Set(lists.flatMap((list) => namesIn(spec, list)))].sort()
}

/** All ConfigMaps that the spec names. */
export function mapNames(spec: Spec): string[] {
  const { name = '' } = spec.jwksKeyRef ?? {}
  return [...new Set([...fileMapNames(spec), ...(name === '' ? [] : [name])])].sort()
}

/** The files of all ConfigMaps in one list, sorted by name. */
export function filesIn(spec: Spec, list: FileList, maps: FoundMaps): string[] {
  const names = namesIn(spec, list).flatMap((name) => Object.keys(maps.get(name)?.data ?? {}))
  return [...new Set(names)].sort()
}

/** Two ConfigMaps with a file of the same name: only one of them would be there. */
export function findFileClashes(spec: Spec, maps: FoundMaps): string[] {
  const owners = new Map<string, string[]>()
  for (const name of fileMapNames(spec)) {
    for (const file of filesOf(maps.get(name))) owners.set(file, [...(owners.get(file) ?? []), name])
  }
  return [...owners].flatMap(([file, names]) => (names.length > 1 ? [`${file} is in ${names.join(' and ')}`] : []))
}

/** The content of everything that is referred to, by place. */
export function contentsOf(spec: Spec, maps: FoundMaps): Readonly<Record<string, string>> {
  const entries = mapNames(spec).flatMap((name) => {
    const { data = {}, binaryData = {} } = maps.get(name) ?? {}
    return Object.entries({ ...data, ...binaryData }).map(([file, content]) => [`${name}/${file}`, content] as const)
  })
  return Object.fromEntries(entries)
}

function filesOf(map: Kept<ConfigMap> | undefined): string[] {
  return [...Object.keys(map?.data ?? {}), ...Object.keys(map?.binaryData ?? {})]
}
