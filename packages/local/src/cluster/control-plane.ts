import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startIn, type Box } from '../box/box.ts'
import type { Daemon } from '../machine/daemon.ts'
import type { Run } from '../runs/run.ts'
import { API_PORT, SERVICE_RANGE } from './layout.ts'

/** What a test may want to be different in the control plane. */
export interface ControlPlaneSettings {
  /** An `audit.k8s.io/v1` Policy without its head; with it the API server writes `audit.log` into the node's log folder. */
  readonly auditPolicy?: object
  readonly apiServerFlags?: readonly string[]
  readonly controllerManagerFlags?: readonly string[]
  /** After this long without a word from its kubelet a node is NotReady. Fake nodes need 50 s. */
  readonly nodeGracePeriodSeconds?: number
}

/** The programs of the control plane, by name. */
export type ControlPlane = Readonly<
  Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler', Daemon>
>

/** Start etcd and the three programs of the control plane in a node. They find each other by themselves. */
export async function startControlPlane(run: Run, box: Box, settings: ControlPlaneSettings): Promise<ControlPlane> {
  const start = (name: string, ...flags: readonly string[]) => startIn(run, box, name, [name, ...flags])
  return {
    etcd: await start('etcd', '--data-dir', '/var/lib/etcd/data', '--unsafe-no-fsync', '--log-level', 'warn'),
    'kube-apiserver': await startKubeApiServer(run, box, settings),
    'kube-controller-manager': await start('kube-controller-manager', ...controllerManagerFlags(settings)),
    'kube-scheduler': await start(
      'kube-scheduler',
      '--kubeconfig=/k8s/keys/kube-scheduler.conf',
      '--leader-elect=false',
      ...quickClient,
    ),
  }
}

/** Start the API server of the control plane, also again after it was killed. */
export async function startKubeApiServer(run: Run, box: Box, settings: ControlPlaneSettings): Promise<Daemon> {
  return startIn(run, box, 'kube-apiserver', ['kube-apiserver', ...apiServerFlags(box, settings)])
}

// The usual limit of 20 requests a second would be what tests of scale measure.
const quickClient = ['--kube-api-qps=200', '--kube-api-burst=400']

function apiServerFlags(box: Box, { auditPolicy, apiServerFlags: more = [] }: ControlPlaneSettings): string[] {
  const key = (name: string) => `/k8s/keys/${name}`
  return [
    '--etcd-servers=http://127.0.0.1:2379',
    `--advertise-address=${box.address}`,
    `--secure-port=${API_PORT}`,
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    `--client-ca-file=${key('ca.crt')}`,
    `--tls-cert-file=${key('apiserver.crt')}`,
    `--tls-private-key-file=${key('apiserver.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${key('sa.pub')}`,
    `--service-account-signing-key-file=${key('sa.key')}`,
    `--kubelet-certificate-authority=${key('ca.crt')}`,
    `--kubelet-client-certificate=${key('kubelet-client.crt')}`,
    `--kubelet-client-key=${key('kubelet-client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--allow-privileged',
    '--default-not-ready-toleration-seconds=10',
    '--default-unreachable-toleration-seconds=10',
    ...auditFlags(box, auditPolicy),
    ...more,
  ]
}

function auditFlags({ folder }: Box, policy: object | undefined): string[] {
  if (policy === undefined) return []
  mkdirSync(join(folder, 'log'), { recursive: true })
  writeFileSync(
    join(folder, 'log', 'audit-policy.json'),
    JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...policy }),
  )
  return ['--audit-policy-file=/var/log/local/audit-policy.json', '--audit-log-path=/var/log/local/audit.log']
}

function controllerManagerFlags({
  nodeGracePeriodSeconds = 8,
  controllerManagerFlags: more = [],
}: ControlPlaneSettings): string[] {
  return [
    '--kubeconfig=/k8s/keys/kube-controller-manager.conf',
    '--service-account-private-key-file=/k8s/keys/sa.key',
    '--root-ca-file=/k8s/keys/ca.crt',
    '--use-service-account-credentials',
    '--leader-elect=false',
    '--node-monitor-period=1s',
    `--node-monitor-grace-period=${nodeGracePeriodSeconds}s`,
    ...quickClient,
    ...more,
  ]
}
