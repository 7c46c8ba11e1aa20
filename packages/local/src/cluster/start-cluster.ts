/**
 * A real Kubernetes of several nodes on one machine: each node is a box with containerd, kubelet and kube-proxy, the
 * first one also holds the control plane, DNS and the volume provisioner.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startHub } from '../box/hub.ts'
import { requireBoxes } from '../box/require-boxes.ts'
import type { Lifetime } from '../machine/daemon.ts'
import { onFreePorts } from '../machine/ports.ts'
import { adminUser, createClusterKeys, kubeconfigFor } from '../pki/authority.ts'
import { progressToStderr, type Progress } from '../progress/progress.ts'
import { dial, forward, serveInside } from '../relay/dial.ts'
import { relaySocket, startFront } from '../relay/start-relay.ts'
import { beginRun, type Run } from '../runs/run.ts'
import type { Cluster } from './cluster.ts'
import type { ControlPlaneSettings } from './control-plane.ts'
import { startFakeNodes } from './fake-nodes.ts'
import { execIn, kubectlFor } from './kubectl.ts'
import { API_PORT, FIRST_NODE, HUB_ADDRESS, HUB_PREFIX_LENGTH, nodeAddress } from './layout.ts'
import { Nodes } from './nodes.ts'
import type { NodeOptions } from './node.ts'
import { ensureClusterPrograms, type ClusterPrograms } from './programs.ts'

/** What a test may want to be different. */
export interface ClusterOptions extends ControlPlaneSettings {
  /** How many nodes, or one entry for each. */
  readonly nodes?: number | readonly NodeOptions[]
  readonly lifetime?: Lifetime
  /** A name for a detached cluster, so that it is found again. */
  readonly id?: string
  readonly progress?: Progress
}

/** Start a cluster; all nodes are Ready and DNS answers when this returns. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  requireBoxes()
  const progress = options.progress ?? progressToStderr()
  const programs = await ensureClusterPrograms(progress)
  const run = await beginRun('cluster', options.lifetime ?? 'starter', options.id)
  try {
    return await progress.step('cluster', 8, () => bootCluster(run, programs, options, progress))
  } catch (error) {
    if (process.env['KEEP_FAILED_RUNS'] === undefined) await run.end()
    throw error
  }
}

async function bootCluster(
  run: Run,
  programs: ClusterPrograms,
  options: ClusterOptions,
  progress: Progress,
): Promise<Cluster> {
  const keys = await createClusterKeys()
  const hub = await startHub(run, HUB_ADDRESS, HUB_PREFIX_LENGTH)
  const apiServer = { host: nodeAddress(FIRST_NODE), port: API_PORT }
  const port = await onFreePorts(1, async ([free = 0]) => startFront(run, free, apiServer).then(() => free))
  const url = `https://127.0.0.1:${port}`
  const kubeconfig = join(run.folder, 'kubeconfig')
  writeFileSync(kubeconfig, await kubeconfigFor(keys, url, adminUser, run.id), { mode: 0o600 })
  const kubectl = kubectlFor(join(programs.kube, 'kubectl'), kubeconfig)
  const socketFile = relaySocket(run)
  const nodes = new Nodes({ run, hub, keys, programs }, options, kubectl)
  await nodes.bootAll(nodeList(options.nodes ?? 1))
  run.state({ url, kubeconfig, nodes: nodes.names().join(' '), boxes: JSON.stringify(nodes.places()), state: 'ready' })
  return {
    id: run.id,
    url,
    kubeconfig,
    folder: run.folder,
    nodes: () => nodes.names(),
    kubeconfigFor: (user) => kubeconfigFor(keys, url, user),
    kubectl,
    exec: (place, command, execOptions) => execIn(kubectl, place, command, execOptions),
    addNode: (nodeOptions = {}) => nodes.add(nodeOptions),
    killNode: (name) => nodes.kill(name),
    restartNode: (name) => nodes.restart(name),
    runInNode: (name, command, { timeoutMs } = {}) => nodes.runIn(name, command, timeoutMs),
    killApiServer: () => nodes.killApiServer(),
    startApiServer: () => nodes.startApiServer(),
    importImages: (archive) => nodes.importImages(archive),
    startFakeNodes: (count) => startFakeNodes(run, kubectl, kubeconfig, count, progress),
    connect: (host, targetPort) => dial(socketFile, host, targetPort),
    forward: (host, targetPort) => forward(socketFile, host, targetPort),
    serve: async (ownPort) => {
      const host = nodeAddress(FIRST_NODE)
      return { ...(await serveInside(socketFile, { host, port: 0 }, ownPort)), host }
    },
    stop: () => run.end(),
    [Symbol.asyncDispose]: () => run.end(),
  }
}

function nodeList(nodes: number | readonly NodeOptions[]): readonly NodeOptions[] {
  return typeof nodes === 'number' ? Array.from({ length: nodes }, () => ({})) : nodes
}
