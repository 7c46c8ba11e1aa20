import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { whyEnded, type Daemon } from '../machine/daemon.ts'
import { untilTrue } from '../machine/until.ts'
import { adminUser, issue, type ClusterKeys } from '../pki/authority.ts'
import type { KeyPair } from '@slurm-operator/runtime/certificates'
import type { Run } from '../runs/run.ts'

/** Settings of a server that change what clients see. */
export interface ServerSettings {
  /** An `audit.k8s.io/v1` Policy; with it the server writes an audit log. */
  readonly auditPolicy?: object
  readonly enableAdmission?: readonly string[]
  readonly disableAdmission?: readonly string[]
  /** Any other flags, such as `--max-requests-inflight=5`. */
  readonly flags?: readonly string[]
}

/** Where and with what a server runs. */
export interface ServerPlace {
  readonly program: string
  readonly name: string
  readonly folder: string
  readonly keys: ClusterKeys
  readonly etcdUrl: string
  readonly port: number
}

/** Start one kube-apiserver; it answers /readyz when this returns. */
export async function startServer(run: Run, place: ServerPlace, settings: ServerSettings): Promise<Daemon> {
  const files = await writeKeys(place)
  const command = [place.program, ...baseFlags(place, files), ...flagsFor(place, settings)]
  const daemon = await run.start({ name: place.name, logFile: join(place.folder, 'log'), command }, 'kill')
  const client = await issue(place.keys, { commonName: adminUser.name, organizations: adminUser.groups ?? [] })
  await untilTrue(`${place.name} to get ready`, () => isReady(place, client), {
    timeoutMs: 120_000,
    giveUpWhen: () => whyEnded(daemon),
  })
  return daemon
}

async function writeKeys({ folder, keys }: ServerPlace) {
  const serving = await issue(keys, {
    commonName: 'kube-apiserver',
    servesAs: ['localhost', '127.0.0.1', 'kubernetes', 'kubernetes.default.svc'],
  })
  const files = {
    'ca.crt': keys.authority.certificate,
    'server.crt': serving.certificate,
    'server.key': serving.key,
    'sa.key': keys.serviceAccounts.privateKey,
    'sa.pub': keys.serviceAccounts.publicKey,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 })
  return (name: keyof typeof files) => join(folder, name)
}

function baseFlags({ port, etcdUrl }: ServerPlace, file: Awaited<ReturnType<typeof writeKeys>>): string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--advertise-address=192.0.2.1', // nobody connects to it: the endpoints of the "kubernetes" Service are not kept
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.96.0.0/16',
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('sa.pub')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--authorization-mode=RBAC',
    '--allow-privileged=true',
  ]
}

function flagsFor({ folder }: ServerPlace, settings: ServerSettings): string[] {
  const disabled = ['ServiceAccount', ...(settings.disableAdmission ?? [])] // no controller makes the accounts that it asks for
  return [
    `--disable-admission-plugins=${disabled.join(',')}`,
    ...(settings.enableAdmission === undefined
      ? []
      : [`--enable-admission-plugins=${settings.enableAdmission.join(',')}`]),
    ...auditFlags(folder, settings.auditPolicy),
    ...(settings.flags ?? []),
  ]
}

function auditFlags(folder: string, policy: object | undefined): string[] {
  if (policy === undefined) return []
  const file = join(folder, 'audit-policy.json')
  writeFileSync(file, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...policy }))
  return [`--audit-policy-file=${file}`, `--audit-log-path=${join(folder, 'audit.log')}`]
}

async function isReady({ port, keys }: ServerPlace, client: KeyPair): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/readyz',
      ca: keys.authority.certificate,
      cert: client.certificate,
      key: client.key,
    }
    const call = request({ ...options, agent: false, timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    call.once('timeout', () => call.destroy(new Error('no answer in 2 s')))
    call.once('error', reject)
    call.end()
  })
}
