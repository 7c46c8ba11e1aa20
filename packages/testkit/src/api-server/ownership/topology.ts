/** How one place in an object is owned: as one value, or part by part. */
export interface Topology {
  /** Whether a map here is one value. */
  readonly isAtomicMap: boolean
  readonly listType: 'atomic' | 'set' | 'map'
  /** The fields that tell the elements of a `map` list apart. */
  readonly keys: readonly string[]
  /** What stands for a key that an element leaves out. */
  readonly keyDefault: (key: string) => string | number | boolean | undefined
  /** Whether the schema names this field; if not, it is an entry of a map. */
  readonly names: (field: string) => boolean
  /** Whether the field is there in every object, as structs without pointers are in Go. */
  readonly isAlwaysThere: (field: string) => boolean
  readonly field: (name: string) => Topology
  readonly element: () => Topology
}

/** Free-form data: maps are owned key by key, lists as one value. */
export const freeTopology: Topology = {
  isAtomicMap: false,
  listType: 'atomic',
  keys: [],
  keyDefault: () => undefined,
  names: () => false,
  isAlwaysThere: () => false,
  field: () => freeTopology,
  element: () => freeTopology,
}
