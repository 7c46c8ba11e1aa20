/**
 * Uses a Slurm cluster as people do: a job from the login node, and one through the REST API with a token.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { execIn, type Kubectl } from '../cluster/kubectl.ts'
import { until } from '../machine/until.ts'

/** Run a job on several workers as an ordinary user of the login node, and return what it printed. */
export async function runFromLogin(kubectl: Kubectl, namespace: string, nodes: number): Promise<string> {
  const script = `srun --partition=all --nodes=${nodes} sh -c 'echo "hello from $SLURMD_NODENAME, job $SLURM_JOB_ID"'`
  const pod = await findPod(kubectl, namespace, 'app.kubernetes.io/name=login')
  const place = { pod, namespace, container: 'login' }
  return execIn(kubectl, place, ['su', '-s', '/bin/sh', 'nobody', '-c', `cd /tmp && ${script}`], { timeoutMs: 120_000 })
}

/** Submit a job through slurmrestd with the token of a Token resource, and wait until Slurm says how it ended. */
export async function runThroughRest(options: {
  readonly kubectl: Kubectl
  readonly kubectlProgram: string
  readonly kubeconfig: string
  readonly namespace: string
}): Promise<string> {
  const { kubectl, kubectlProgram, kubeconfig, namespace } = options
  const secret = await kubectl([
    'get',
    'secret',
    '-n',
    namespace,
    'slurm-token-root-jwt-root',
    '-o',
    'jsonpath={.data.SLURM_JWT}',
  ])
  const token = Buffer.from(secret, 'base64').toString()
  const flags = ['--kubeconfig', kubeconfig, 'port-forward', '-n', namespace, 'service/slurm-restapi', ':6820']
  const forward = spawn(kubectlProgram, flags, { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const port = await portOf(forward.stdout)
    return await submitAndWait(`http://127.0.0.1:${port}/slurm/v0.0.44`, token)
  } finally {
    forward.kill()
  }
}

async function portOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(line) ?? []
    if (port !== undefined) return port
  }
  throw new Error('Cannot forward a port to slurmrestd: kubectl port-forward ended without a word')
}

async function submitAndWait(url: string, token: string): Promise<string> {
  const headers = { 'X-SLURM-USER-TOKEN': token, 'Content-Type': 'application/json' }
  const ask = async (path: string, body?: object) => {
    const signal = AbortSignal.timeout(20_000)
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${url}${path}`, { headers, signal, ...sent })
    return (await answer.json()) as { job_id?: number; jobs?: { job_state?: string[] }[]; errors?: object[] }
  }
  const job = {
    name: 'through-rest',
    partition: 'all',
    current_working_directory: '/tmp',
    environment: ['PATH=/usr/bin:/bin'],
    script: '#!/bin/sh\nhostname\n',
  }
  const { job_id: id, errors } = await ask('/job/submit', { job })
  if (id === undefined || id === 0) throw new Error(`Cannot submit a job through REST: ${JSON.stringify(errors)}`)
  const state = await until(
    `job ${id} to end`,
    async () => {
      const { jobs } = await ask(`/job/${id}`)
      const [word] = jobs?.[0]?.job_state ?? []
      return word === undefined || word === 'PENDING' || word === 'RUNNING' || word === 'COMPLETING' ? undefined : word
    },
    { timeoutMs: 120_000, everyMs: 500 },
  )
  return `job ${id} ${state}`
}

async function findPod(kubectl: Kubectl, namespace: string, selector: string): Promise<string> {
  const name = await kubectl([
    'get',
    'pods',
    '-n',
    namespace,
    '-l',
    selector,
    '-o',
    'jsonpath={.items[0].metadata.name}',
  ])
  if (name === '') throw new Error(`Cannot find a pod with ${selector} in namespace ${namespace}`)
  return name
}
