import type { Progress } from '../progress/progress.ts'
import { helmInstall } from './install-operator.ts'
import { repositoryFile, type Target } from './target.ts'
import { untilReady } from './until-ready.ts'

/** Where the example cluster lives. */
export const SLURM_NAMESPACE = 'slurm'

/** How a Slurm cluster is installed. */
export interface SlurmClusterOptions {
  readonly progress: Progress
  readonly namespace?: string
  /** More values of the chart, as `--set` takes them. */
  readonly values?: readonly string[]
  readonly timeoutMs?: number
}

/** Install the example of `examples/local` and wait until all of it is Ready. */
export async function installSlurm(target: Target, options: SlurmClusterOptions): Promise<void> {
  const { progress, namespace = SLURM_NAMESPACE, values = [], timeoutMs = 5 * 60_000 } = options
  const { kubectl } = target
  await kubectl(['create', 'namespace', namespace]).catch((error: unknown) => {
    if (!String(error).includes('AlreadyExists')) throw error
  })
  await kubectl(['apply', '-n', namespace, '-f', repositoryFile('examples/local/mariadb.yaml')])
  await progress.step('a Slurm cluster', 45, async () => {
    // Who scaled by hand owns that field now, and a start brings back what the example says.
    const flags = [
      '--force-conflicts',
      '-f',
      repositoryFile('examples/local/values.yaml'),
      ...values.flatMap((value) => ['--set', value]),
    ]
    await helmInstall(target, progress, { release: 'slurm', chart: 'slurm', namespace, flags })
    await untilReady(kubectl, { namespace, progress, timeoutMs })
  })
}
