import { typesNamedIn, type TypeDescription, type VersionTypes } from './describe-types.ts'

/** One version to print, and the one before it, from which it takes all that has not changed. */
export interface VersionPair {
  readonly version: string
  readonly types: VersionTypes
  readonly before?: { readonly version: string; readonly types: VersionTypes }
}

/** `v0.0.42` → `V42`: one interface per version, with a member per type. */
function interfaceNameOf(version: string): string {
  return `V${version.slice(version.lastIndexOf('.') + 1)}`
}

/** The text of one file: all types of the oldest version, and of a later one only what is different. */
export function printVersion({ version, types, before }: VersionPair): string {
  const name = interfaceNameOf(version)
  if (before === undefined) return `export interface ${name} {\n${printMembers(types, name)}\n}\n`
  const parent = interfaceNameOf(before.version)
  const changes = new Changes(before.types, types)
  const changed = new Map([...types].filter(([each]) => !changes.isSame(each)))
  const left = [...before.types.keys()].filter((each) => !types.has(each) || changed.has(each))
  return [
    `import type { ${parent} } from './${before.version}.ts'\n`,
    `export interface ${name} extends ${omit(parent, left)} {`,
    [...changed].map(([each, type]) => printChange(each, type, { name, parent, changes })).join('\n'),
    '}\n',
  ].join('\n')
}

function printMembers(types: VersionTypes, name: string): string {
  return [...types].map(([each, type]) => `readonly ${each}: ${resolve(printWhole(type), name)}`).join('\n')
}

function printWhole(type: TypeDescription): string {
  return type.kind === 'words' ? quoted(type.words) : `{ ${[...type.fields.values()].join('\n')} }`
}

interface Surroundings {
  readonly name: string
  readonly parent: string
  readonly changes: Changes
}

/** What was there before is written as its difference. */
function printChange(each: string, type: TypeDescription, { name, parent, changes }: Surroundings): string {
  const old = changes.before.get(each)
  const base = `${parent}['${each}']`
  if (type.kind === 'words' && old?.kind === 'words')
    return `readonly ${each}: ${printMoreWords(base, old.words, type.words)}`
  if (type.kind === 'words' || old?.kind !== 'fields') return `readonly ${each}: ${resolve(printWhole(type), name)}`

  const fields = new Map([...type.fields].filter(([field]) => !changes.isSameField(each, field)))
  const left = [...old.fields.keys()].filter((field) => !type.fields.has(field) || fields.has(field))
  if (fields.size === 0) return `readonly ${each}: ${omit(base, left)}`
  return `readonly ${each}: ${omit(base, left)} & ${resolve(printWhole({ kind: 'fields', fields }), name)}`
}

function printMoreWords(base: string, old: readonly string[], words: readonly string[]): string {
  const gone = old.filter((word) => !words.includes(word))
  if (gone.length === old.length) return quoted(words)
  const added = words.filter((word) => !old.includes(word))
  const kept = gone.length === 0 ? base : `Exclude<${base}, ${quoted(gone)}>`
  return added.length === 0 ? kept : `${kept} | ${quoted(added)}`
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' | ')
}

function omit(type: string, names: readonly string[]): string {
  return names.length === 0 ? type : `Omit<${type}, ${quoted(names)}>`
}

/** `<Node>` → `V45['Node']` */
function resolve(text: string, name: string): string {
  return text.replaceAll(/<(\w+)>/g, (_, type: string) => `${name}['${type}']`)
}

/** What is the same in two versions, together with everything it refers to. */
class Changes {
  readonly before: VersionTypes
  readonly #after: VersionTypes

  constructor(before: VersionTypes, after: VersionTypes) {
    this.before = before
    this.#after = after
  }

  isSame(name: string): boolean {
    return fullText(name, this.before) === fullText(name, this.#after)
  }

  isSameField(name: string, field: string): boolean {
    const [old, now] = [fieldOf(this.before.get(name), field), fieldOf(this.#after.get(name), field)]
    return old !== undefined && old === now && typesNamedIn(old).every((type) => this.isSame(type))
  }
}

function fieldOf(type: TypeDescription | undefined, field: string): string | undefined {
  return type?.kind === 'fields' ? type.fields.get(field) : undefined
}

/** A type and all it refers to; the empty text for one that is not there. */
function fullText(name: string, types: VersionTypes): string {
  const met = new Set([name])
  const texts: string[] = []
  for (const each of met) {
    const type = types.get(each)
    const text = type === undefined ? '' : printWhole(type)
    texts.push(`${each} ${text}`)
    for (const other of typesNamedIn(text)) met.add(other)
  }
  return types.has(name) ? texts.join('\n') : ''
}
