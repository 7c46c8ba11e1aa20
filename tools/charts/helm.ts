import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureArtefact } from '../../packages/local/src/cache/cache.ts'
import { helm } from '../../packages/local/src/programs/helm.ts'
import { progressToStderr } from '../../packages/local/src/progress/progress.ts'

/** The Helm program: the one named by `HELM`, so that another version can be tried, or our own, built when needed. */
export async function findHelm(): Promise<string> {
  return process.env['HELM'] ?? join(await ensureArtefact(helm, progressToStderr()), 'helm')
}

/** What Helm said. */
export interface HelmAnswer {
  readonly ok: boolean
  readonly stdout: string
  readonly stderr: string
}

/** Run Helm and wait; a failure is an answer too. */
export function runHelm(program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): HelmAnswer {
  const options = { encoding: 'utf8', timeout: 100_000, maxBuffer: 1 << 28, env: { ...process.env, ...env } } as const
  const { status, stdout, stderr, error } = spawnSync(program, words, options)
  if (error !== undefined) throw new Error(`Cannot run ${program}: ${error.message}`, { cause: error })
  return { ok: status === 0, stdout, stderr }
}
