import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { boxFolder, runIn, startBox, startIn, type Box, type BoxPlace } from '../box/box.ts'
import type { Hub } from '../box/hub.ts'
import { whyEnded } from '../machine/daemon.ts'
import { run as runCommand } from '../machine/run.ts'
import { untilTrue } from '../machine/until.ts'
import type { ClusterKeys } from '../pki/authority.ts'
import type { Run } from '../runs/run.ts'
import { linkImageStore } from './image-store.ts'
import { writeNodeKeys } from './keys.ts'
import { hostsFile, nodeAddress, routesToOtherNodes, SHARED_FOLDER } from './layout.ts'
import { cniConfig, containerdConfig, corefile, kubeletConfig, proxyConfig, type Reserved } from './node-config.ts'
import type { ClusterPrograms } from './programs.ts'

/** What a test may want to be different about a node. */
export interface NodeOptions {
  readonly labels?: Readonly<Record<string, string>>
  /** As the kubelet takes them: `key=value:NoSchedule`. */
  readonly taints?: readonly string[]
  /** Keep this from pods, so that a node looks smaller than the machine: `{ cpu: '1', memory: '20Gi' }`. */
  readonly reserved?: Reserved
}

/** Everything that nodes of one cluster share. */
export interface NodeSurroundings {
  readonly run: Run
  readonly hub: Hub
  readonly keys: ClusterKeys
  readonly programs: ClusterPrograms
}

/** Folders of a node that are real folders of the machine: overlay file systems cannot lie on one another. */
const ownFolders = {
  containerd: '/var/lib/containerd',
  kubelet: '/var/lib/kubelet',
  etcd: '/var/lib/etcd',
  log: '/var/log/local',
  volumes: '/var/local-path',
}

/** Start the box of a node, with a fresh disk unless it ran before. Nothing runs in it yet. */
export async function startNodeBox(
  { run, hub, keys, programs }: NodeSurroundings,
  name: string,
  options: NodeOptions,
): Promise<Box> {
  const folder = boxFolder(run, name)
  if (!existsSync(folder)) await prepareDisk({ run, hub, keys, programs }, name, options)
  const shown = { [join(folder, 'keys')]: '/k8s/keys', [join(folder, 'etc')]: '/k8s/etc', [programs.kube]: '/k8s/bin' }
  const addons = { [programs.coreDns]: '/k8s/coredns', [programs.localPathProvisioner]: '/k8s/local-path-provisioner' }
  const shared = join(run.folder, 'shared')
  mkdirSync(shared, { recursive: true })
  const own = Object.entries(ownFolders).map(([part, target]) => [join(folder, part), target] as const)
  const box = await startBox(run, hub, {
    name,
    root: programs.nodeRoot,
    init: '/usr/bin/catatonit',
    address: nodeAddress(name),
    binds: [...own, [shared, SHARED_FOLDER], ...Object.entries({ ...shown, ...addons })],
    cgroups: true,
    routes: routesToOtherNodes(name),
  })
  await allowForwarding(box)
  return box
}

/** Start containerd, the kubelet and kube-proxy in a node. */
export async function startNodePrograms(run: Run, box: Box, { labels = {}, taints = [] }: NodeOptions): Promise<void> {
  const containerd = await startIn(run, box, 'containerd', ['containerd', '-c', '/k8s/etc/containerd.toml'])
  const socket = `/proc/${box.pid}/root/run/containerd/containerd.sock`
  await untilTrue(`containerd in ${box.name}`, () => existsSync(socket), {
    timeoutMs: 60_000,
    giveUpWhen: () => whyEnded(containerd),
  })
  const labelList = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  await startIn(run, box, 'kubelet', [
    'kubelet',
    '--config=/k8s/etc/kubelet.json',
    '--kubeconfig=/k8s/keys/kubelet.conf',
    `--node-ip=${box.address}`,
    `--hostname-override=${box.name}`,
    ...(labelList.length === 0 ? [] : [`--node-labels=${labelList.join(',')}`]),
    ...(taints.length === 0 ? [] : [`--register-with-taints=${taints.join(',')}`]),
  ])
  await startIn(run, box, 'kube-proxy', [
    'kube-proxy',
    '--config=/k8s/etc/kube-proxy.json',
    `--hostname-override=${box.name}`,
  ])
}

/** Give a node an image from an archive in OCI layout. */
export async function importImages(box: BoxPlace, archive: string): Promise<void> {
  const copy = join(box.folder, 'volumes', '.import.tar')
  cpSync(archive, copy)
  await runIn(box, ['ctr', '-n', 'k8s.io', 'images', 'import', '--local', '/var/local-path/.import.tar'], {
    timeoutMs: 300_000,
  })
  rmSync(copy)
}

async function prepareDisk(
  { run, keys, programs }: NodeSurroundings,
  name: string,
  { reserved }: NodeOptions,
): Promise<void> {
  const folder = boxFolder(run, name)
  for (const part of Object.keys(ownFolders)) mkdirSync(join(folder, part), { recursive: true })
  linkImageStore(programs.imageStore, join(folder, 'containerd'))
  await writeNodeKeys(keys, name, join(folder, 'keys'))
  const files = {
    'etc/containerd.toml': containerdConfig(),
    'etc/kubelet.json': kubeletConfig(reserved),
    'etc/kube-proxy.json': proxyConfig(),
    'etc/Corefile': corefile(),
    'upper/etc/hosts': hostsFile(),
    'upper/etc/resolv.conf': '',
    'upper/etc/machine-id': `${createHash('md5').update(folder).digest('hex')}\n`,
    'upper/etc/cni/net.d/10-local.conflist': cniConfig(name),
  }
  for (const [path, text] of Object.entries(files)) writeInto(join(folder, path), text)
}

function writeInto(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

// A node is a router between its pods and the others; bridged packets must pass the rules of Services.
async function allowForwarding({ pid }: Box): Promise<void> {
  const settings = ['net/ipv4/ip_forward', 'net/bridge/bridge-nf-call-iptables']
  const script = settings.map((path) => `[ ! -e /proc/sys/${path} ] || echo 1 > /proc/sys/${path}`).join('; ')
  await runCommand(['nsenter', '-t', String(pid), '--net', 'sh', '-c', script], { timeoutMs: 10_000 })
}
