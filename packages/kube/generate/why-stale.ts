import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf, readOrigin } from './header.ts'

const GENERATOR = import.meta.dirname

/** Where the generated files are. */
export const GENERATED = join(GENERATOR, '..', 'src', 'types', 'generated')

/** A hash over everything in this folder that decides what is generated. */
export function hashOfGenerator(): string {
  const names = readdirSync(GENERATOR).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return hashOf(names.sort().flatMap((name) => [name, readFileSync(join(GENERATOR, name), 'utf8')]))
}

/**
 * Why the generated types must be made again, or undefined if they need not. Nothing is started for it.
 *
 * @param kubernetes the version that is wanted, such as `v1.36.3`; without it any version will do
 */
export function whyStale(kubernetes?: string): string | undefined {
  const sources = hashOfGenerator()
  const files = listGenerated()
  if (files.length === 0) return 'no types have been generated yet'
  for (const name of files) {
    const why = whyFileStale(readFileSync(join(GENERATED, name), 'utf8'), sources, kubernetes)
    if (why !== undefined) return `${name} ${why}`
  }
  return undefined
}

/** The same for the text of one file. */
export function whyFileStale(file: string, sources: string, kubernetes: string | undefined): string | undefined {
  const read = readOrigin(file)
  if (read === undefined) return 'has no header that says where it comes from'
  const { origin, text } = read
  if (hashOf([text]) !== origin.text) return 'was changed by hand'
  if (origin.sources !== sources) return 'was made by an older generator'
  if (kubernetes !== undefined && origin.kubernetes !== kubernetes)
    return `is of Kubernetes ${origin.kubernetes}, not ${kubernetes}`
  return undefined
}

function listGenerated(): readonly string[] {
  try {
    return readdirSync(GENERATED).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
