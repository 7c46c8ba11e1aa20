import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { apiVersions } from '../src/model/api-version.ts'
import { bodyOf, hashOf, hashOfGenerator, readHeader } from './header.ts'

/** Where the generated files are. */
export const GENERATED = resolve(import.meta.dirname, '../src/generated')

/** Why the generated types cannot be trusted, or undefined. Compares hashes; needs no document and writes nothing. */
export function whyStale(): string | undefined {
  const generator = hashOfGenerator()
  for (const version of apiVersions) {
    const path = `${GENERATED}/${version}.ts`
    const why = existsSync(path) ? whyFileStale(readFileSync(path, 'utf8'), generator) : 'is missing'
    if (why !== undefined) return `${version}.ts ${why}`
  }
  return undefined
}

/** The same for the text of one file. */
export function whyFileStale(file: string, generator: string): string | undefined {
  const header = readHeader(file)
  if (header === undefined) return 'has no header that says where it comes from'
  if (header.generator !== generator) return 'was made by an older generator'
  if (header.content !== hashOf(bodyOf(file))) return 'was changed by hand'
  return undefined
}
