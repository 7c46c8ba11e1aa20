import { join } from 'node:path'
import { whyEnded } from '../machine/daemon.ts'
import { onFreePorts } from '../machine/ports.ts'
import { untilTrue } from '../machine/until.ts'
import type { Run } from '../runs/run.ts'

/** Start etcd on free loopback ports and return the URL for its clients. */
export async function startEtcd(run: Run, program: string): Promise<string> {
  return onFreePorts(2, (ports) => startOn(run, program, ports))
}

async function startOn(run: Run, program: string, [clients, peers]: readonly number[]): Promise<string> {
  const [url, peerUrl] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`]
  const command = [
    ...[program, '--data-dir', join(run.folder, 'etcd'), '--unsafe-no-fsync', '--log-level', 'warn'],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...[
      '--listen-peer-urls',
      peerUrl,
      '--initial-advertise-peer-urls',
      peerUrl,
      '--initial-cluster',
      `default=${peerUrl}`,
    ],
  ]
  const daemon = await run.start({ name: 'etcd', logFile: join(run.folder, 'etcd.log'), command }, 'kill')
  await untilTrue('etcd to answer', () => isHealthy(url), { timeoutMs: 30_000, giveUpWhen: () => whyEnded(daemon) })
  return url
}

/** Forget all revisions but the newest. */
export async function compactEtcd(url: string): Promise<void> {
  const status = (await call(url, '/v3/maintenance/status', {})) as { header: { revision: string } }
  await call(url, '/v3/kv/compaction', { revision: status.header.revision, physical: true })
}

async function isHealthy(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(1_000) })
  return response.ok
}

async function call(url: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`Cannot POST ${path} to etcd: ${response.status} ${await response.text()}`)
  return response.json()
}
