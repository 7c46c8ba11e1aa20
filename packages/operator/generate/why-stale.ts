import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { generateFiles } from './files.ts'

/** Why the pages must be made again, or undefined if they need not. */
export function whyStale(): string | undefined {
  const stale = generateFiles().find(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
  return stale && `${relative(process.cwd(), stale.path)} is not what the operator says`
}
