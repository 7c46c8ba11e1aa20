import type { Socket } from 'node:net'
import type { RunResult } from '../machine/run.ts'
import type { KubeUser } from '../pki/authority.ts'
import type { Forward } from '../relay/dial.ts'
import type { Kubectl, KubectlOptions, PodPlace } from './kubectl.ts'
import type { NodeOptions } from './node.ts'

/** A running cluster. `await using` stops it at the end of the block. */
export interface Cluster extends AsyncDisposable {
  readonly id: string
  /** Of the API server, on the machine's loopback. */
  readonly url: string
  /** Path of a kubeconfig with all rights, for programs of the machine. */
  readonly kubeconfig: string
  /** Logs are in `NODE/log/*.log` below this folder. */
  readonly folder: string
  nodes(): string[]
  kubeconfigFor(user: KubeUser): Promise<string>

  kubectl: Kubectl
  exec(place: PodPlace, command: readonly string[], options?: KubectlOptions): Promise<string>

  /** A new node, Ready when this returns. */
  addNode(options?: NodeOptions): Promise<string>
  /** A power cut: everything in the node ends at once, its disk stays. */
  killNode(name: string): Promise<void>
  /** The power is back: the node boots from its old disk and is Ready when this returns. */
  restartNode(name: string): Promise<void>
  /** A command on the node itself, not in a pod. */
  runInNode(name: string, command: readonly string[], options?: { timeoutMs?: number }): Promise<RunResult>
  /** Kill the API server as a crash would, and bring it back. */
  killApiServer(): Promise<void>
  startApiServer(): Promise<void>

  /** Images from an archive in OCI layout, onto all present nodes. */
  importImages(archive: string): Promise<void>
  /** Nodes that exist only in the API, by the thousand. */
  startFakeNodes(count: number): Promise<void>

  /** A connection to a pod, Service or node, by address or by cluster DNS name. */
  connect(host: string, port: number): Promise<Socket>
  /** The same as a port on 127.0.0.1. */
  forward(host: string, port: number): Promise<Forward>
  /** Lead `https://HOST:PORT` of the cluster's network to a port of this process: this is how it calls our webhooks. */
  serve(ownPort: number): Promise<Forward & { readonly host: string }>

  stop(): Promise<void>
}
