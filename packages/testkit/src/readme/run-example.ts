import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** One example of a README: the program below a heading, and what it says that it prints. */
export interface Example {
  readonly title: string
  readonly code: string
  readonly prints: readonly string[]
}

const EXAMPLE = /^## (.+)\n(?:(?!^## )[\s\S])*?```ts\n([\s\S]*?)```/gm
const PRINTS = /^\/\/ prints: (.*)$/gm
const OURS = /'(@slurm-operator\/[a-z]+)'/g
const WITHIN_MS = 30_000

/** The first example below each heading. */
export function findExamples(readme: string): Example[] {
  return [...readme.matchAll(EXAMPLE)].map(([, title = '', code = '']) => {
    const prints = [...code.matchAll(PRINTS)].map(([, line = '']) => line)
    return { title, code, prints }
  })
}

/** Run an example as a program of its own; the lines that it printed. */
export async function runExample({ code }: Example, env: NodeJS.ProcessEnv): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'readme-'))
  try {
    const file = join(folder, 'example.ts')
    await writeFile(
      file,
      code.replaceAll(OURS, (_all, name: string) => `'${import.meta.resolve(name)}'`),
    )
    const options = { env: { ...process.env, ...env }, timeout: WITHIN_MS }
    const { stdout } = await promisify(execFile)(process.execPath, [file], options)
    return stdout.trim().split('\n')
  } finally {
    await rm(folder, { recursive: true })
  }
}
