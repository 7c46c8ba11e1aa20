/**
 * A real API server without nodes: etcd and kube-apiserver on loopback ports, ready in seconds. It needs neither root
 * nor namespaces, and any number of them run side by side.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureArtefact } from '../cache/cache.ts'
import type { Daemon, Lifetime } from '../machine/daemon.ts'
import { killDaemon, stopDaemon } from '../machine/daemon.ts'
import { onFreePorts } from '../machine/ports.ts'
import { adminUser, createClusterKeys, kubeconfigFor, type ClusterKeys, type KubeUser } from '../pki/authority.ts'
import { etcd, etcdIn } from '../programs/etcd.ts'
import { kube, kubeApiServer } from '../programs/kubernetes.ts'
import { progressToStderr, type Progress } from '../progress/progress.ts'
import { beginRun, type Run } from '../runs/run.ts'
import { startControllerManager } from './controller-manager.ts'
import { compactEtcd, startEtcd } from './etcd.ts'
import { startServer, type ServerSettings } from './kube-apiserver.ts'

/** What a test may want to be different. */
export interface ApiServerOptions extends ServerSettings {
  /** Built-in controllers that run beside it, such as `statefulset-controller`. Default: none. */
  readonly controllers?: readonly string[]
  readonly lifetime?: Lifetime
  readonly progress?: Progress
}

/** One of possibly several servers on the same data. */
interface ApiServerReplica {
  readonly url: string
  /** Path of a kubeconfig with all rights at this server. */
  readonly kubeconfig: string
  /** End it as a crash would. */
  kill(): Promise<void>
  /** Start it again on the same port; also after `kill`. */
  restart(): Promise<void>
}

/** A running API server. `await using` stops it at the end of the block. */
export interface ApiServer extends ApiServerReplica, AsyncDisposable {
  readonly etcdUrl: string
  readonly folder: string
  /** One JSON object a line, if `auditPolicy` was given. */
  readonly auditLog: string
  /** The text of a kubeconfig for any user, to see what RBAC allows. */
  kubeconfigFor(user: KubeUser): Promise<string>
  /** Another server on the same etcd, to see what a client does that moves from one to the other. */
  addReplica(settings?: ServerSettings): Promise<ApiServerReplica>
  /** Forget all old revisions: watches and lists that continue from before get 410 Gone. */
  compact(): Promise<void>
  stop(): Promise<void>
}

/** Start etcd and one kube-apiserver, with fresh data. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const progress = options.progress ?? progressToStderr()
  const [serverFolder, etcdFolder] = await Promise.all([
    ensureArtefact(kubeApiServer, progress),
    ensureArtefact(etcd, progress),
  ])
  const run = await beginRun('api', options.lifetime ?? 'starter')
  try {
    const keys = await createClusterKeys()
    const etcdUrl = await startEtcd(run, etcdIn(etcdFolder))
    const program = join(serverFolder, 'kube-apiserver')
    const replica = (name: string, settings: ServerSettings) =>
      startReplica({ run, keys, etcdUrl, program, name }, settings)
    const first = await replica('kube-apiserver', options)
    if (options.controllers !== undefined) await startControllers(run, first.kubeconfig, options)
    let count = 1
    run.state({ url: first.url, kubeconfig: first.kubeconfig })
    return {
      ...first,
      etcdUrl,
      folder: run.folder,
      auditLog: join(run.folder, 'kube-apiserver', 'audit.log'),
      kubeconfigFor: (user) => kubeconfigFor(keys, first.url, user),
      addReplica: (settings = options) => replica(`kube-apiserver-${++count}`, settings),
      compact: () => compactEtcd(etcdUrl),
      stop: () => run.end(),
      [Symbol.asyncDispose]: () => run.end(),
    }
  } catch (error) {
    await run.end()
    throw error
  }
}

async function startControllers(run: Run, kubeconfig: string, options: ApiServerOptions): Promise<void> {
  const folder = await ensureArtefact(kube, options.progress ?? progressToStderr())
  const serviceAccountKey = join(run.folder, 'kube-apiserver', 'sa.key')
  const program = join(folder, 'kube-controller-manager')
  await startControllerManager(run, { program, kubeconfig, serviceAccountKey }, options.controllers ?? [])
}

interface ReplicaPlace {
  readonly run: Run
  readonly keys: ClusterKeys
  readonly etcdUrl: string
  readonly program: string
  readonly name: string
}

async function startReplica(place: ReplicaPlace, settings: ServerSettings): Promise<ApiServerReplica> {
  const { run, keys, etcdUrl, program, name } = place
  const folder = join(run.folder, name)
  mkdirSync(folder, { recursive: true })
  const startOn = (port: number) => startServer(run, { program, name, folder, keys, etcdUrl, port }, settings)
  const first = await onFreePorts(1, async ([port = 0]) => ({ port, daemon: await startOn(port) }))
  const url = `https://127.0.0.1:${first.port}`
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, await kubeconfigFor(keys, url, adminUser), { mode: 0o600 })
  let daemon: Daemon = first.daemon
  const gone = async (end: (daemon: Daemon) => Promise<void>) => {
    await end(daemon)
    run.forget(daemon)
  }
  return {
    url,
    kubeconfig,
    kill: () => gone(killDaemon),
    restart: async () => {
      await gone(stopDaemon)
      daemon = await startOn(first.port)
    },
  }
}
