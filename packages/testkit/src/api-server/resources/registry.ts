import { builtinTypes } from './builtin-types.ts'
import type { ResourceType } from './resource-type.ts'

/** All resources that the server has at the moment. */
export class Registry {
  readonly #types = new Map<string, ResourceType>(builtinTypes.map((type) => [pathOf(type), type]))
  /** By CRD name, to take away what it brought. */
  readonly #custom = new Map<string, readonly ResourceType[]>()
  /** What requests and owner references name; undefined: to be gathered again. */
  #names: Names | undefined

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#types.get(pathOf({ group, version, plural }))
  }

  /** By the words that an owner reference uses. */
  findKind(group: string, kind: string): ResourceType | undefined {
    return this.#gathered().kinds.get(`${group}/${kind}`)
  }

  hasGroup(group: string, version?: string): boolean {
    return this.#gathered().groups.has(version === undefined ? group : `${group}/${version}`)
  }

  all(): ResourceType[] {
    return [...this.#types.values()]
  }

  /** The types of a CRD, new or changed. */
  define(definition: string, types: readonly ResourceType[]): void {
    this.forget(definition)
    this.#custom.set(definition, types)
    for (const type of types) this.#types.set(pathOf(type), type)
    this.#names = undefined
  }

  forget(definition: string): void {
    for (const type of this.#custom.get(definition) ?? []) this.#types.delete(pathOf(type))
    this.#custom.delete(definition)
    this.#names = undefined
  }

  /** The types that a CRD brought. */
  typesOf(definition: string): readonly ResourceType[] {
    return this.#custom.get(definition) ?? []
  }

  #gathered(): Names {
    this.#names ??= gatherNames(this.all())
    return this.#names
  }
}

interface Names {
  /** Each by itself and with each of its versions. */
  readonly groups: ReadonlySet<string>
  readonly kinds: ReadonlyMap<string, ResourceType>
}

/** Of several versions of a kind the first one is meant. */
function gatherNames(types: readonly ResourceType[]): Names {
  return {
    groups: new Set(types.flatMap(({ group, version }) => [group, `${group}/${version}`])),
    kinds: new Map(types.toReversed().map((type) => [`${type.group}/${type.kind}`, type])),
  }
}

function pathOf({ group, version, plural }: Pick<ResourceType, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`
}
