import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { generateFiles, type GeneratedFile } from './files.ts'

/** Why the CRDs and tables must be made again, or undefined if they need not. They are cheap, so they are compared. */
export function whyStale(): string | undefined {
  for (const file of generateFiles()) {
    const why = whyFileStale(file, existsSync(file.path) ? readFileSync(file.path, 'utf8') : undefined)
    if (why !== undefined) return `${relative(process.cwd(), file.path)} ${why}`
  }
  return undefined
}

/** The same for one file and the text that is there. */
export function whyFileStale({ text }: GeneratedFile, there: string | undefined): string | undefined {
  if (there === undefined) return 'is missing'
  return there === text ? undefined : 'is not what the schemas say'
}
