import { builtinTypes } from './builtin-types.ts'
import type { ResourceType } from './resource-type.ts'

/** All resources that the server has at the moment. */
export class Registry {
  readonly #types = new Map<string, ResourceType>(builtinTypes.map((type) => [pathOf(type), type]))
  /** By CRD name, to take away what it brought. */
  readonly #custom = new Map<string, readonly ResourceType[]>()
  /** The groups, with and without their versions; undefined: to be counted again. */
  #groups: ReadonlySet<string> | undefined

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#types.get(pathOf({ group, version, plural }))
  }

  /** By the words that an owner reference uses. */
  findKind(group: string, kind: string): ResourceType | undefined {
    return this.all().find((type) => type.group === group && type.kind === kind)
  }

  hasGroup(group: string, version?: string): boolean {
    this.#groups ??= new Set(this.all().flatMap((type) => [type.group, groupOf(type)]))
    return this.#groups.has(version === undefined ? group : groupOf({ group, version }))
  }

  all(): ResourceType[] {
    return [...this.#types.values()]
  }

  /** The types of a CRD, new or changed. */
  define(definition: string, types: readonly ResourceType[]): void {
    this.forget(definition)
    this.#custom.set(definition, types)
    for (const type of types) this.#types.set(pathOf(type), type)
    this.#groups = undefined
  }

  forget(definition: string): void {
    for (const type of this.#custom.get(definition) ?? []) this.#types.delete(pathOf(type))
    this.#custom.delete(definition)
    this.#groups = undefined
  }

  /** The types that a CRD brought. */
  typesOf(definition: string): readonly ResourceType[] {
    return this.#custom.get(definition) ?? []
  }
}

function groupOf({ group, version }: Pick<ResourceType, 'group' | 'version'>): string {
  return `${group}/${version}`
}

function pathOf({ group, version, plural }: Pick<ResourceType, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`
}
