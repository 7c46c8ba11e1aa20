/**
 * Sets of field paths, as `metadata.managedFields` holds them. A path is a text whose elements are separated by a
 * character that no name contains; so the arithmetic of sets is that of JavaScript.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from '@slurm-operator/kube'

/** Elements such as `f:spec`, `k:{"name":"a"}` and `v:"x"`. */
export type FieldPath = string

/** Which fields; a path is in it only if it is owned itself, not because something below it is. */
export type FieldSet = ReadonlySet<FieldPath>

const SEPARATOR = '\u001f'
const ITSELF = '.'

/** No fields. */
export const noFields: FieldSet = new Set()

/** A path with one element more. */
export function below(path: FieldPath, element: string): FieldPath {
  return path === '' ? element : `${path}${SEPARATOR}${element}`
}

/** The elements of a path. */
export function elementsOf(path: FieldPath): string[] {
  return path.split(SEPARATOR)
}

/** Whether a path is another one or lies below it. */
export function isWithin(path: FieldPath, ancestor: FieldPath): boolean {
  return path === ancestor || path.startsWith(`${ancestor}${SEPARATOR}`)
}

/** The paths above a path, shortest first, without the path itself. */
export function ancestorsOf(path: FieldPath): FieldPath[] {
  const elements = elementsOf(path)
  return elements.slice(1).map((_, index) => elements.slice(0, index + 1).join(SEPARATOR))
}

// Objects and sets never change, and most managers stay as they are from write to write.
const parsed = new WeakMap<JsonObject, FieldSet>()
const printed = new WeakMap<FieldSet, JsonObject>()

/** Read the form on the wire. */
export function parseFieldSet(fields: JsonObject): FieldSet {
  const known = parsed.get(fields)
  if (known !== undefined) return known
  const set = new Set<FieldPath>()
  collect(fields, '', set)
  parsed.set(fields, set)
  printed.set(set, fields)
  return set
}

function collect(fields: JsonObject, path: FieldPath, into: Set<FieldPath>): void {
  const entries = Object.entries(fields)
  if (entries.length === 0 && path !== '') into.add(path)
  for (const [element, inner] of entries) {
    if (element === ITSELF) into.add(path)
    else if (isJsonObject(inner)) collect(inner, below(path, element), into)
  }
}

/** A node of the tree on the wire. */
interface FieldNode {
  isOwned: boolean
  readonly inner: Map<string, FieldNode>
}

/** Write the form on the wire: elements in their order, a path that has others below it is marked by a dot. */
export function printFieldSet(set: FieldSet): JsonObject {
  const fields = printed.get(set) ?? printNode(treeOf(set))
  printed.set(set, fields)
  return fields
}

function printNode({ isOwned, inner }: FieldNode): JsonObject {
  const entries = [...inner].sort(byElement).map(([element, node]): [string, JsonObject] => [element, printNode(node)])
  return Object.fromEntries(isOwned && entries.length > 0 ? [[ITSELF, {}], ...entries] : entries)
}

/** Paths in the order in which the server names them: all of one level, then what is below. */
export function inServerOrder(set: FieldSet): FieldPath[] {
  const walk = (node: FieldNode, path: FieldPath): FieldPath[] => {
    const children = [...node.inner].sort(byElement)
    const own = children.filter(([, child]) => child.isOwned).map(([element]) => below(path, element))
    return [...own, ...children.flatMap(([element, child]) => walk(child, below(path, element)))]
  }
  return walk(treeOf(set), '')
}

function treeOf(set: FieldSet): FieldNode {
  const root: FieldNode = { isOwned: false, inner: new Map() }
  for (const path of set) {
    let at = root
    for (const element of elementsOf(path)) {
      const next = at.inner.get(element) ?? { isOwned: false, inner: new Map<string, FieldNode>() }
      at.inner.set(element, next)
      at = next
    }
    at.isOwned = true
  }
  return root
}

function byElement([one]: readonly [string, FieldNode], [other]: readonly [string, FieldNode]): number {
  return one < other ? -1 : 1
}

/** `.spec.containers[name="a"].image`: how the server names a field to people. */
export function printFieldPath(path: FieldPath): string {
  return elementsOf(path).map(printElement).join('')
}

function printElement(element: string): string {
  const content = element.slice(2)
  if (element.startsWith('f:')) return `.${content}`
  if (element.startsWith('v:')) return `[=${content}]`
  const keys = Object.entries(JSON.parse(content) as Record<string, unknown>)
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`
}
