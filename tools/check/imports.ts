/**
 * Which file imports what. A real parser, because imports inside strings and comments must not count.
 *
 * @module
 */
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { ProjectFile } from '../project.ts'

/** One import or re-export, as the arrows and the cycle search need it. */
export interface Import {
  readonly from: string
  readonly specifier: string
  readonly typeOnly: boolean
}

/** All packages of this repository share this scope, so an import of ours is known by its beginning. */
export const SCOPE = '@slurm-operator/'

const SOURCE = /\.(?:ts|mts|js|mjs)$/

/** Imports of all source files; other files have none. */
export function findImports(files: readonly ProjectFile[]): Import[] {
  return files.filter(({ path }) => SOURCE.test(path)).flatMap(importsOf)
}

/** The file an import leads to, or undefined if it leaves the repository. */
export function targetOf({ from, specifier }: Import): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  if (specifier.startsWith(SCOPE)) return `packages/${specifier.slice(SCOPE.length)}/src/index.ts`
  return undefined
}

function importsOf({ path, text }: ProjectFile): Import[] {
  const { module } = parseSync(path, text)
  const found = (specifier: string, typeOnly: boolean): Import => ({ from: path, specifier, typeOnly })
  const imports = module.staticImports.map(({ moduleRequest, entries }) =>
    found(moduleRequest.value, entries.length > 0 && entries.every((entry) => entry.isType)),
  )
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [found(moduleRequest.value, isType)] : [])),
  )
  const lazy = module.dynamicImports.map(({ moduleRequest }) =>
    found(text.slice(moduleRequest.start + 1, moduleRequest.end - 1), false),
  )
  return [...imports, ...reexports, ...lazy]
}
