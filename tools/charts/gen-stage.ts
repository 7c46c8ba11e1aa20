/**
 * A real API server on which the programs run under the accounts of the chart, for tests about rights.
 *
 * @module
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, loadSettings } from '@slurm-operator/kube'
import { startApiServer, type ApiServerOptions } from '@slurm-operator/local'
import { ensureArtefact } from '../../packages/local/src/cache/cache.ts'
import { etcd } from '../../packages/local/src/programs/etcd.ts'
import { kubeApiServer } from '../../packages/local/src/programs/kubernetes.ts'
import { progressToStderr } from '../../packages/local/src/progress/progress.ts'
import { ROOT } from '../project.ts'
import { renderChart, type Values } from './gen.ts'
import { findHelm } from './helm.ts'
import { createApply, namespace } from './on-server.ts'
import { readRendered, type Rendered } from './read-rendered.ts'

const helm = await findHelm()
for (const artefact of [etcd, kubeApiServer]) await ensureArtefact(artefact, progressToStderr()) // no test waits for a build
const PROGRAMS = join(ROOT, 'packages', 'operator', 'src', 'programs')

/** Who the programs are. */
export const ACCOUNTS = { operator: 'rel-slurm-operator', webhook: 'slurm-operator-webhook' } as const

/** The objects of one of our charts. */
export const rendered = (chart: string, values: Values): Rendered[] =>
  readRendered(renderChart(helm, chart, values).stdout)

interface DeploymentSpec {
  readonly template: { readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] } }
}

/** The command line of the program in a Deployment. */
export function wordsOf(objects: readonly Rendered[], name: string): readonly string[] {
  const deployments = objects.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)
  const [spec] = deployments.map((deployment) => deployment['spec'] as DeploymentSpec)
  return spec?.template.spec.containers[0]?.args ?? []
}

/** What a test may want to be different. */
export interface StageOptions {
  /** Whether an object of the operator's chart is applied; the pods of its Deployments never run. */
  readonly isNeeded: (object: Rendered) => boolean
  readonly server?: ApiServerOptions
}

/** A server with our kinds and parts of the operator's chart, and a way to run a program under its own account. */
export async function setStage(values: Values, { isNeeded, server: options }: StageOptions) {
  const server = await startApiServer(options)
  const client = createClient(await loadSettings({ kubeconfig: server.kubeconfig }))
  const kinds = rendered('slurm-operator-crds', {})
  const first = await createApply(client)
  for (const kind of kinds) await first(kind)
  const apply = await createApply(client, { 'slinky.slurm.net': kinds.length })
  await apply(namespace('ns'))
  const objects = rendered('slurm-operator', values)
  for (const object of objects.filter(isNeeded)) await apply(object)
  for (const account of Object.values(ACCOUNTS)) {
    const user = { name: userOf(account), groups: ['system:serviceaccounts'] }
    writeFileSync(join(server.folder, account), await server.kubeconfigFor(user))
  }
  const programs: ReturnType<typeof supervise>[] = []
  const start = (account: string, file: string) => {
    const deployment = account.replace('rel-', '')
    const words = [...wordsOf(objects, deployment), '--kubeconfig', join(server.folder, account)]
    const child = spawn(process.execPath, [join(PROGRAMS, file), ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    const program = supervise(child)
    programs.push(program)
    return program
  }
  const end = async () => {
    await Promise.all(programs.map((program) => program.end()))
    client.close()
    await server.stop()
  }
  return { client, apply, start, [Symbol.asyncDispose]: end }
}

/** The name by which the API server knows an account. */
export function userOf(account: string): string {
  return `system:serviceaccount:ns:${account}`
}

function supervise(program: ChildProcess) {
  const said: string[] = []
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (bytes: Buffer) => said.push(String(bytes)))
  const text = () => said.join('')
  const end = async () => {
    if (program.exitCode !== null || program.signalCode !== null) return
    const ended = once(program, 'exit')
    program.kill('SIGTERM')
    await ended
  }
  return { text, end, whyEnded: () => (program.exitCode === null ? undefined : text()) }
}
