import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The absolute path of a file of this package. */
export function projectFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

/** The text of files of this package: what an artefact is made from belongs to its key. */
export function textsOf(...paths: readonly string[]): string[] {
  return paths.map((path) => readFileSync(projectFile(path), 'utf8'))
}
