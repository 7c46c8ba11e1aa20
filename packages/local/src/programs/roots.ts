import { join } from 'node:path'
import type { Artefact } from '../cache/cache.ts'
import { ensureHostPrograms, makeRoot, type RootSpec } from './debian.ts'
import { projectFile, textsOf } from './project-files.ts'
import { DEBIAN_SUITE, OLD_SLURM_SUITE, type SlurmRelease } from './versions.ts'

/** What a node of the local cluster has on its disk. */
const nodePackages = [
  ...['containerd', 'runc', 'containernetworking-plugins', 'etcd-server'],
  ...['iptables', 'nftables', 'conntrack', 'iproute2', 'kmod', 'mount', 'util-linux', 'procps'],
  ...['busybox-static', 'catatonit', 'ca-certificates'], // two of these become images: a shell and the pause container
]

/** What the Slurm images have on their disk: one root serves all roles. */
const slurmPackages = [
  ...['slurmctld', 'slurmd', 'slurmrestd', 'slurmdbd', 'slurm-client', 'sackd'],
  ...['slurm-wlm-jwt-plugin', 'slurm-wlm-mysql-plugin', 'mariadb-server'],
  ...['openssh-server', 'openssh-client', 'libpam-slurm-adopt', 'iproute2', 'procps', 'tini', 'curl'],
]

const slurmScripts = ['image/users.sh', 'image/finish-slurm.sh']

/** The root file system of a node. */
export const nodeRoot: Artefact = rootArtefact('node-root', { packages: nodePackages }, 65)

/** The root file system of the Slurm images, with uid 401 as the operator expects it. */
export const slurmRoot: Artefact = rootArtefact(
  'slurm-root',
  {
    packages: slurmPackages,
    early: [`bash ${projectFile('image/users.sh')} "$1"`],
    late: [`bash ${projectFile('image/finish-slurm.sh')} "$1"`],
  },
  130,
  textsOf(...slurmScripts),
)

/** The same with the oldest Slurm that we work with. It is in no image. */
const oldSlurmRoot: Artefact = rootArtefact(
  'slurm-root-old',
  {
    suite: OLD_SLURM_SUITE,
    packages: slurmPackages,
    early: [`bash ${projectFile('image/users.sh')} "$1"`],
    late: [
      'ln -s mysql "$1/var/lib/mariadb"', // there the data of MariaDB still has its old name
      `bash ${projectFile('image/finish-slurm.sh')} "$1"`,
    ],
  },
  60,
  textsOf(...slurmScripts),
)

/** The root with this release of Slurm. */
export function slurmRootOf(release: SlurmRelease): Artefact {
  return release === '24.11' ? oldSlurmRoot : slurmRoot
}

/** The root inside the artefact. */
export function rootIn(folder: string): string {
  return join(folder, 'root')
}

function rootArtefact(name: string, spec: RootSpec, usuallySeconds: number, scripts: readonly string[] = []): Artefact {
  return {
    name,
    madeFrom: [spec.suite ?? DEBIAN_SUITE, ...spec.packages, ...scripts],
    usuallySeconds,
    make: async (folder, progress) => {
      await ensureHostPrograms(['mmdebstrap'])
      await makeRoot(spec, rootIn(folder), (phase) => progress.far(name, phase))
    },
  }
}
