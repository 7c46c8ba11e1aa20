import { join } from 'node:path'
import { ensureArtefact } from '../cache/cache.ts'
import { withLock } from '../cache/lock.ts'
import { run } from '../machine/run.ts'
import { helm } from '../programs/helm.ts'
import type { Progress } from '../progress/progress.ts'
import { ensureOperatorImages } from './operator-images.ts'
import { repositoryFile, type Target } from './target.ts'

/** Where the operator is installed. */
export const OPERATOR_NAMESPACE = 'slinky'

const HELM_TIMEOUT_MS = 5 * 60_000

/** How the operator is installed. */
export interface OperatorOptions {
  readonly progress: Progress
  /** More values of its chart, as `--set` takes them. */
  readonly values?: readonly string[]
}

/** Install the kinds and the operator from our charts and our images; what is installed already is brought up to date. */
export async function installOperator(target: Target, { progress, values = [] }: OperatorOptions): Promise<void> {
  const { archive, tag } = await progress.step('images of the operator', 10, ensureOperatorImages)
  if (!(await isRunning(target, tag))) {
    await progress.step('images onto the nodes', 10, () => target.importImages(archive))
  }
  await progress.step('the operator', 15, async () => {
    await helmInstall(target, progress, { release: 'slurm-operator-crds', chart: 'slurm-operator-crds' })
    const images = ['operator', 'webhook'].flatMap((part) => ['--set', `${part}.image.tag=${tag}`])
    const more = values.flatMap((value) => ['--set', value])
    await helmInstall(target, progress, {
      ...{ release: 'slurm-operator', chart: 'slurm-operator', namespace: OPERATOR_NAMESPACE },
      flags: [...images, ...more, '--wait', '--timeout', '180s'],
    })
  })
}

/** What is installed of a chart. */
export interface Release {
  readonly release: string
  /** The folder below `charts`. */
  readonly chart: string
  readonly namespace?: string
  readonly flags?: readonly string[]
}

/** `helm upgrade --install`, also after one that was ended in its midst. */
export async function helmInstall(target: Target, progress: Progress, release: Release): Promise<string> {
  const { release: name, chart, namespace = OPERATOR_NAMESPACE, flags = [] } = release
  const place = ['--namespace', namespace, '--create-namespace']
  const words = ['upgrade', '--install', name, repositoryFile(`charts/${chart}`), ...place, ...flags]
  return withLock(`helm ${target.kubeconfig}`, { timeoutMs: 2 * HELM_TIMEOUT_MS }, async () => {
    await forgetUnfinished(target, name, namespace)
    return runHelm(target, progress, words)
  })
}

/** Helm waits for ever for somebody who was killed. Without its note of that, what is there is brought up to date. */
async function forgetUnfinished({ kubectl }: Target, release: string, namespace: string): Promise<void> {
  const unfinished = 'status in (pending-install, pending-upgrade, pending-rollback)'
  await kubectl(['delete', 'secrets', '-n', namespace, '-l', `owner=helm,name=${release},${unfinished}`])
}

/** Any helm command. */
export async function runHelm({ kubeconfig }: Target, progress: Progress, words: readonly string[]): Promise<string> {
  const program = join(await ensureArtefact(helm, progress), 'helm')
  const { stdout } = await run([program, '--kubeconfig', kubeconfig, ...words], { timeoutMs: HELM_TIMEOUT_MS })
  return stdout
}

async function isRunning({ kubectl }: Target, tag: string): Promise<boolean> {
  const images = '-o=jsonpath={.items[*].spec.template.spec.containers[*].image}'
  const found = await kubectl(['get', 'deployments', '-n', OPERATOR_NAMESPACE, images]).catch(() => '')
  return found.includes(`:${tag}`)
}
