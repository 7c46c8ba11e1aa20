import { findNode, type ValueNode } from './read-values.ts'

/** Names that a chart knows: true is anything, `*` is any name. The template `unknown-values` walks through it. */
export type KnownValues = true | { readonly [name: string]: KnownValues }

/** What Helm itself puts among the values. */
const fromHelm: Readonly<Record<string, KnownValues>> = { global: true }

/** The tree of all names of a chart; names of its subcharts come from `subcharts`. */
export function buildKnownValues(nodes: readonly ValueNode[], subcharts: readonly string[]): KnownValues {
  const below = Object.fromEntries(subcharts.map((name) => [name, true] as const))
  return { ...fromHelm, ...below, ...namesOf(nodes, nodes) }
}

function namesOf(nodes: readonly ValueNode[], all: readonly ValueNode[]): Record<string, KnownValues> {
  return Object.fromEntries(nodes.map((node) => [node.name, knownBelow(node, all)]))
}

function knownBelow({ tags, children, path }: ValueNode, all: readonly ValueNode[]): KnownValues {
  if (tags.entries !== undefined) return { '*': entriesLike(tags.entries, path, all) }
  if (children.length === 0) return true
  return { ...namesOf(children, all), ...(tags.open && { '*': true as const }) }
}

function entriesLike(path: string, from: string, all: readonly ValueNode[]): KnownValues {
  const model = findNode(all, path)
  if (model === undefined) throw new Error(`Cannot read the comment of ${from}: there is no value ${path}.`)
  return { ...namesOf(model.children, all), ...(model.tags.open && { '*': true as const }) }
}
