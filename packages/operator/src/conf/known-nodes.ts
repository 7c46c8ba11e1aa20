import { readPairs, type ConfLine } from './read-lines.ts'

/** The names that a partition may have in `Nodes=`. */
export interface KnownNodes {
  readonly names: ReadonlySet<string>
  /** The user's lines define more than we can list, by ranges or in other files: only Slurm knows whether it is right. */
  readonly isOpen: boolean
}

/** Names of NodeSets, and of what the user's own lines define. Workers are no such names: they come and go. */
export function listKnownNodes(slurmNames: readonly string[], lines: readonly ConfLine[]): KnownNodes {
  const defined = lines.flatMap(({ content }) => definedBy(content))
  const isOpen = lines.some(({ content }) => /^include\s/iu.test(content)) || defined.some((name) => name.includes('['))
  return { names: new Set([...slurmNames, ...defined, 'ALL', 'all']), isOpen }
}

/** The names in `Nodes=` that do not exist. slurmctld stops at the first of them. */
export function findMissingNodes(nodes: string, { names, isOpen }: KnownNodes): string[] {
  if (isOpen) return []
  return splitOutsideBrackets(nodes).filter((name) => name !== '' && !names.has(name))
}

function definedBy(content: string): string[] {
  const [first] = readPairs(content).pairs
  const isDefinition = first && ['nodeset', 'nodename'].includes(first.key.toLowerCase())
  return isDefinition ? splitOutsideBrackets(first.value) : []
}

function splitOutsideBrackets(list: string): string[] {
  return list.split(/,(?![^[]*\])/u)
}
