import { ensureArtefact, type Artefact } from '../cache/cache.ts'
import { coreDns, localPathProvisioner } from '../programs/addons.ts'
import { ensureHostPrograms } from '../programs/debian.ts'
import { kube, kubeApiServer } from '../programs/kubernetes.ts'
import { nodeRoot, rootIn } from '../programs/roots.ts'
import type { Progress } from '../progress/progress.ts'
import { imageStore } from './image-store.ts'

/** Where everything is that nodes are made of. */
export interface ClusterPrograms {
  readonly kube: string
  readonly coreDns: string
  readonly localPathProvisioner: string
  readonly nodeRoot: string
  readonly imageStore: string
}

/** Make all of it, at once what can be made at once: compilers keep both cores busy while package downloads wait. */
export async function ensureClusterPrograms(progress: Progress): Promise<ClusterPrograms> {
  await ensureHostPrograms(['mmdebstrap', 'ip', 'nsenter', 'setpriv', 'mount'])
  const ensure = (artefact: Artefact) => ensureArtefact(artefact, progress)
  const work = [ensureCompiled(ensure), ensure(nodeRoot), ensure(imageStore)] as const
  await Promise.allSettled(work) // what can be made is made, and what is wrong is the last that a person reads
  const [compiled, root, store] = await Promise.all(work)
  return { ...compiled, nodeRoot: rootIn(root), imageStore: store }
}

// One after the other, what is needed first comes first: tests of the API server alone may already wait for it.
async function ensureCompiled(ensure: (artefact: Artefact) => Promise<string>) {
  await ensure(kubeApiServer)
  return {
    kube: await ensure(kube),
    coreDns: await ensure(coreDns),
    localPathProvisioner: await ensure(localPathProvisioner),
  }
}
