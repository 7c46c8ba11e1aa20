/**
 * The image store of a fresh node: images are unpacked once, and every node starts with hard links to the result. Unpacked
 * layers are only ever read; the two databases of containerd are written, so each node gets copies of them.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runIn, startBox, startIn, type Box } from '../box/box.ts'
import { startHub } from '../box/hub.ts'
import type { Artefact } from '../cache/cache.ts'
import { whyEnded } from '../machine/daemon.ts'
import { untilTrue } from '../machine/until.ts'
import { nodeRoot, rootIn, slurmRoot } from '../programs/roots.ts'
import type { Progress } from '../progress/progress.ts'
import { beginRun, type Run } from '../runs/run.ts'
import { buildImages, imageInputs } from './build-images.ts'
import { PAUSE_IMAGE } from './images.ts'
import { HUB_ADDRESS, HUB_PREFIX_LENGTH, nodeAddress } from './layout.ts'
import { containerdConfig } from './node-config.ts'

const databases = ['io.containerd.metadata.v1.bolt/meta.db', 'io.containerd.snapshotter.v1.overlayfs/metadata.db']
const IMPORT_TIMEOUT_MS = 300_000

/** The unpacked images. */
export const imageStore: Artefact = {
  name: 'image-store',
  madeFrom: [...nodeRoot.madeFrom, ...slurmRoot.madeFrom, ...imageInputs(), containerdConfig()],
  usuallySeconds: 15,
  needs: [nodeRoot, slurmRoot],
  make: makeStore,
}

/** Give a new node its store. */
export function linkImageStore(store: string, target: string): void {
  rmSync(target, { recursive: true, force: true })
  execFileSync('cp', ['-al', join(store, 'containerd'), target])
  for (const file of databases) {
    rmSync(join(target, file))
    copyFileSync(join(store, 'containerd', file), join(target, file))
  }
}

async function makeStore(
  folder: string,
  progress: Progress,
  [node = '', slurm = '']: readonly string[],
): Promise<void> {
  const work = join(folder, 'work')
  mkdirSync(work)
  progress.far('image-store', 'packing layers')
  const archive = await buildImages({ node: rootIn(node), slurm: rootIn(slurm) }, work)
  progress.far('image-store', 'unpacking images')
  await unpackInBox(rootIn(node), archive, folder)
  rmSync(work, { recursive: true })
}

/** containerd itself unpacks them, in a box without a kubelet. */
async function unpackInBox(root: string, archive: string, folder: string): Promise<void> {
  const run = await beginRun('images', 'starter')
  try {
    const store = join(run.folder, 'containerd')
    mkdirSync(store)
    const config = join(run.folder, 'containerd.toml')
    writeFileSync(config, containerdConfig())
    const box = await startStoreBox(run, root, [
      [store, '/var/lib/containerd'],
      [archive, '/k8s/images.tar'],
      [config, '/k8s/containerd.toml'],
    ])
    await importAll(run, box)
    await run.endDaemons()
    renameSync(store, join(folder, 'containerd'))
  } finally {
    await run.end()
  }
}

async function startStoreBox(run: Run, root: string, binds: readonly (readonly [string, string])[]): Promise<Box> {
  const hub = await startHub(run, HUB_ADDRESS, HUB_PREFIX_LENGTH)
  return startBox(run, hub, {
    name: 'n1',
    root,
    init: '/usr/bin/catatonit',
    address: nodeAddress('n1'),
    binds,
    cgroups: true,
  })
}

async function importAll(run: Run, box: Box): Promise<void> {
  const containerd = await startIn(run, box, 'containerd', ['containerd', '-c', '/k8s/containerd.toml'])
  const socket = `/proc/${box.pid}/root/run/containerd/containerd.sock`
  await untilTrue('containerd', () => existsSync(socket), { timeoutMs: 60_000, giveUpWhen: () => whyEnded(containerd) })
  const images = (...args: readonly string[]) =>
    runIn(box, ['ctr', '-n', 'k8s.io', 'images', ...args], { timeoutMs: IMPORT_TIMEOUT_MS })
  await images('import', '--local', '--discard-unpacked-layers', '/k8s/images.tar')
  await images('tag', PAUSE_IMAGE, `${PAUSE_IMAGE}-collect`)
  await images('rm', '--sync', `${PAUSE_IMAGE}-collect`) // collects the packed layers now: half the size
}
