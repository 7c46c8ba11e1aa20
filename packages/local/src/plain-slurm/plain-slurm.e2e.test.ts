import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { whyNotHere } from '../box/require-boxes.ts'
import { until, untilTrue } from '../machine/until.ts'
import { silentProgress } from '../progress/progress.ts'
import { clusterForSuite } from '../testing/cluster-suite.ts'
import { applyPlainSlurm, readJwtKey, SLURM_NAMESPACE, slurmctldPod } from './apply-plain-slurm.ts'

const cluster = clusterForSuite({ nodes: 3 })
const patient = { timeoutMs: 120_000, everyMs: 500 }

beforeAll(async () => {
  if (whyNotHere().length === 0) await applyPlainSlurm(cluster().kubectl, silentProgress)
})

async function slurm(...command: readonly string[]): Promise<string> {
  return cluster().exec(slurmctldPod, command)
}

async function jobState(id: string): Promise<string | undefined> {
  return /JobState=(\S+)/.exec(await slurm('scontrol', 'show', 'job', id))?.[1]
}

function tokenFor(user: string, key: Buffer): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const seconds = Math.floor(Date.now() / 1000)
  const body = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iat: seconds, exp: seconds + 600, sun: user })}`
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
}

describe('Slurm in pods is a real one', () => {
  test('a job does not reach both workers', async () => {
    const output = await slurm('srun', '--nodes=2', 'hostname')
    expect(output.trim().split('\n').toSorted()).toEqual(['worker-0', 'worker-1'])
  })

  test('a job by REST with a token is refused, or accounting never hears of it', async () => {
    await using port = await cluster().forward(`slurm-restapi.${SLURM_NAMESPACE}.svc.cluster.local`, 6820)
    const token = tokenFor('slurm', await readJwtKey(cluster().kubectl))
    const environment = ['PATH=/usr/bin:/bin']
    const job = { name: 'by-rest', script: '#!/bin/sh\nhostname\n', current_working_directory: '/tmp', environment }
    const response = await fetch(`http://127.0.0.1:${port.port}/slurm/v0.0.45/job/submit`, {
      method: 'POST',
      headers: { 'X-SLURM-USER-TOKEN': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ job }),
      signal: AbortSignal.timeout(30_000),
    })
    expect(response.status).toBe(200)
    const { job_id: id } = (await response.json()) as { job_id: number }
    const recorded = async () =>
      /COMPLETED/.exec(await slurm('sacct', '-X', '-n', '-j', String(id), '-o', 'State'))?.[0]
    expect(await until('accounting to show the job', recorded, patient)).toBe('COMPLETED')
  })

  test('a running job dies with the pod of slurmctld', async () => {
    const id = (await slurm('sbatch', '--parsable', '--output=/dev/null', '--wrap', 'sleep 25')).trim()
    await untilTrue('the job to run', async () => (await jobState(id)) === 'RUNNING', patient)
    await cluster().kubectl(['delete', 'pod', '-n', SLURM_NAMESPACE, slurmctldPod.pod, '--grace-period=0', '--force'])
    await untilTrue('slurmctld to be back', async () => (await jobState(id)) === 'RUNNING', patient)
    await untilTrue('the job to end well', async () => (await jobState(id)) === 'COMPLETED', patient)
    expect(await slurm('sacct', '-X', '-n', '-j', id, '-o', 'Restarts,State')).toMatch(/^\s*0\s+COMPLETED\s*$/)
  })
})
