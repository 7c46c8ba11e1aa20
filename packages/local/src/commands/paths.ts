import { join } from 'node:path'
import { ensureArtefact, type Artefact } from '../cache/cache.ts'
import { ensureClusterPrograms } from '../cluster/programs.ts'
import { kwok } from '../programs/addons.ts'
import { etcd, etcdIn } from '../programs/etcd.ts'
import { helm } from '../programs/helm.ts'
import { kubeApiServer } from '../programs/kubernetes.ts'
import { rootIn, slurmRoot } from '../programs/roots.ts'
import type { Progress } from '../progress/progress.ts'

/** Make everything that we can make, and say where each thing is. Other programs rely on these names. */
export async function ensureAllPaths(progress: Progress): Promise<Record<string, string>> {
  const ensure = (artefact: Artefact) => ensureArtefact(artefact, progress)
  const [cluster, etcdFolder] = await Promise.all([ensureClusterPrograms(progress), ensure(etcd)])
  return {
    kubeBin: cluster.kube,
    kubeApiserver: join(await ensure(kubeApiServer), 'kube-apiserver'),
    etcd: etcdIn(etcdFolder),
    coredns: join(cluster.coreDns, 'coredns'),
    localPathProvisioner: join(cluster.localPathProvisioner, 'local-path-provisioner'),
    kwok: join(await ensure(kwok), 'kwok'),
    helm: join(await ensure(helm), 'helm'),
    nodeRoot: cluster.nodeRoot,
    slurmRoot: rootIn(await ensure(slurmRoot)),
    imageStore: cluster.imageStore,
  }
}
