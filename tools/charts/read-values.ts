/**
 * What a `values.yaml` says about itself: each value has a comment for people, and lines beginning with `@` for the
 * schema. Everything else about values (schema, known names, README) is made from this.
 *
 * @module
 */
import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml'

/** One value and what stands below it. */
export interface ValueNode {
  readonly path: string
  readonly name: string
  readonly about: string
  readonly tags: ValueTags
  readonly value: unknown
  readonly children: readonly ValueNode[]
}

/** What the lines beginning with `@` say. */
interface ValueTags {
  /** Other names may stand there too. */
  readonly open?: true
  /** The value is a map whose entries look like the value at that path. */
  readonly entries?: string
  readonly types?: readonly string[]
  readonly choices?: readonly string[]
  readonly minimum?: number
}

/** Read the text of a `values.yaml`. */
export function readValues(text: string): ValueNode[] {
  const document = parseDocument(text)
  const [problem] = document.errors
  if (problem !== undefined) throw new Error(`Cannot read values.yaml: ${problem.message}`)
  return isMap(document.contents) ? readMap(document.contents, '', document.commentBefore ?? '') : []
}

/** The node at a path. */
export function findNode(nodes: readonly ValueNode[], path: string): ValueNode | undefined {
  return everyNode(nodes).find((node) => node.path === path)
}

/** All nodes, each before what is below it. */
export function everyNode(nodes: readonly ValueNode[]): ValueNode[] {
  return nodes.flatMap((node) => [node, ...everyNode(node.children)])
}

function readMap(map: YAMLMap, path: string, comment: string): ValueNode[] {
  // The library gives what stands before the first key to the map, or to the document.
  return map.items.map((pair, index) => readPair(pair, path, index === 0 ? (map.commentBefore ?? comment) : ''))
}

function readPair({ key, value }: Pair, above: string, comment: string): ValueNode {
  if (!isScalar(key)) throw new Error(`Cannot read values.yaml: a key below "${above}" is not a text.`)
  const name = String(key.value)
  const path = above === '' ? name : `${above}.${name}`
  const lines = (key.commentBefore ?? comment).split('\n').map((line) => line.trim())
  return {
    path,
    name,
    about: lines.filter((line) => line !== '' && !line.startsWith('@')).join(' '),
    tags: readTags(
      lines.filter((line) => line.startsWith('@')),
      path,
    ),
    value: isMap(value) || isScalar(value) || value !== null ? toPlain(value) : null,
    children: isMap(value) ? readMap(value, path, '') : [],
  }
}

function toPlain(node: unknown): unknown {
  const convertible = node as { toJSON?: () => unknown }
  return typeof convertible.toJSON === 'function' ? convertible.toJSON() : node
}

function readTags(lines: readonly string[], path: string): ValueTags {
  return Object.assign({}, ...lines.map((line) => readTag(line, path))) as ValueTags
}

function readTag(line: string, path: string): ValueTags {
  const [tag = '', ...words] = line.split(/\s+/)
  switch (tag) {
    case '@open':
      return { open: true }
    case '@entries':
      return { entries: words[0] ?? '' }
    case '@type':
      return { types: words }
    case '@enum':
      return { choices: words }
    case '@minimum':
      return { minimum: Number(words[0]) }
    default:
      throw new Error(`Cannot read the comment of ${path}: ${tag} is none of @open @entries @type @enum @minimum.`)
  }
}
