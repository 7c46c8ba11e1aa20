/**
 * Slurm on a local cluster from the plain manifests in `examples/plain-slurm`, until the operator takes their place.
 *
 * @module
 */
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { execIn, type Kubectl } from '../cluster/kubectl.ts'
import type { Progress } from '../progress/progress.ts'

const FOLDER = fileURLToPath(new URL('../../../../examples/plain-slurm', import.meta.url))
const ROLLOUT_TIMEOUT_SECONDS = 240

/** In the order in which they depend on one another; all are created at once. */
const workloads = [
  'statefulset/mariadb',
  'statefulset/slurm-accounting',
  'statefulset/slurm-controller',
  'deployment/slurm-restapi',
  'statefulset/worker',
]

/** Everything of the example lives here. */
export const SLURM_NAMESPACE = 'slurm'

/** The pod in which Slurm's commands can be run. */
export const slurmctldPod = { namespace: SLURM_NAMESPACE, pod: 'slurm-controller-0', container: 'slurmctld' } as const

/** Apply the manifests and wait until every daemon is Ready. Applying them again changes nothing. */
export async function applyPlainSlurm(kubectl: Kubectl, progress: Progress): Promise<void> {
  await kubectl(['apply', '--server-side', '-f', `${FOLDER}/config.yaml`])
  await ensureKey(kubectl, 'slurm-key', 'slurm.key', 1024)
  await ensureKey(kubectl, 'slurm-jwt', 'jwt.key', 32)
  await kubectl(['apply', '--server-side', '-f', FOLDER])
  for (const workload of workloads) await untilRolledOut(kubectl, workload, progress)
  await saveFirstState(kubectl)
}

/** The key that tokens for the REST API are signed with. */
export async function readJwtKey(kubectl: Kubectl): Promise<Buffer> {
  const text = await kubectl(['get', 'secret', 'slurm-jwt', '-n', SLURM_NAMESPACE, '-o', 'jsonpath={.data.jwt\\.key}'])
  return Buffer.from(text, 'base64')
}

async function untilRolledOut(kubectl: Kubectl, workload: string, progress: Progress): Promise<void> {
  progress.say(`waiting for ${workload}`)
  const wait = ['rollout', 'status', workload, '-n', SLURM_NAMESPACE, `--timeout=${ROLLOUT_TIMEOUT_SECONDS}s`]
  await kubectl(wait, { timeoutMs: (ROLLOUT_TIMEOUT_SECONDS + 10) * 1000 })
}

/** A key is made once: another one would lock out every running daemon. */
async function ensureKey(kubectl: Kubectl, name: string, entry: string, bytes: number): Promise<void> {
  const found = await kubectl(['get', 'secret', name, '-n', SLURM_NAMESPACE, '--ignore-not-found', '-o', 'name'])
  if (found.trim() !== '') return
  const data = { [entry]: randomBytes(bytes).toString('base64') }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: SLURM_NAMESPACE }, data }
  await kubectl(['create', '-f', '-'], { input: JSON.stringify(secret) })
}

// A slurmctld that dies before it has saved its usage file for the first time never starts again; a reconfigure saves it.
async function saveFirstState(kubectl: Kubectl): Promise<void> {
  await execIn(kubectl, slurmctldPod, ['scontrol', 'reconfigure'])
}
