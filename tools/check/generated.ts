import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../project.ts'

/** A program that writes files of the project, and beside it `why-stale.ts`, which says when they are out of date. */
export interface Generator {
  readonly name: string
  readonly program: string
}

/** All of them; each lies in the folder `generate` of its package. */
export const generators: readonly Generator[] = ['kube', 'slurm'].map((name) => ({
  name,
  program: `packages/${name}/generate/main.ts`,
}))

/** What must be generated again. Nothing is generated for this: each file names what it was made from. */
export async function findStale(): Promise<string[]> {
  const found = await Promise.all(generators.map(whyStale))
  return found.filter((cause) => cause !== undefined)
}

async function whyStale({ name, program }: Generator): Promise<string | undefined> {
  const judge = join(ROOT, program.replace('main.ts', 'why-stale.ts'))
  if (!existsSync(judge)) return `${name}: cannot tell, because ${judge} is missing`
  const { whyStale: ask } = (await import(pathToFileURL(judge).href)) as { whyStale: () => string | undefined }
  const cause = ask()
  return cause === undefined ? undefined : `${name}: ${cause}. Run: npm run generate`
}
