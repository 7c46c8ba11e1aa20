import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildLayer, writeImageArchive, type Layer, type LayerEntry } from '../oci/index.ts'
import { projectFile, textsOf } from '../programs/project-files.ts'
import { SLURM_RELEASE } from '../programs/versions.ts'
import { PAUSE_IMAGE, SHELL_IMAGE, slurmImage, slurmRoles } from './images.ts'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const ENTRY_POINT_FOLDER = '/usr/local/lib/slurm-image'

/** What the images are made from besides the two Debian roots, for the key of whatever holds them. */
export function imageInputs(): string[] {
  return textsOf(
    'src/cluster/build-images.ts',
    'src/cluster/images.ts',
    ...entryPointFiles().map((name) => `image/${name}`),
  )
}

/** Write pause, shell and Slurm images into one archive. */
export async function buildImages(
  roots: { readonly node: string; readonly slurm: string },
  folder: string,
): Promise<string> {
  const layer = (name: string, source: Parameters<typeof buildLayer>[0]) =>
    buildLayer(source, { file: join(folder, `${name}.layer`) })
  const pause = await layer('pause', {
    entries: [{ path: '/pause', mode: 0o755, content: { file: join(roots.node, 'usr/bin/catatonit') } }],
  })
  const shell = await layer('shell', { entries: shellEntries(join(roots.node, 'usr/bin/busybox')) })
  const slurm = await layer('slurm', { tree: roots.slurm })
  const entryPoint = await layer('entry-point', { entries: entryPointEntries() })
  const file = join(folder, 'images.tar')
  await writeImageArchive({
    file,
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    images: [
      { ref: PAUSE_IMAGE, layers: [pause], config: { entrypoint: ['/pause', '-P'] } },
      { ref: SHELL_IMAGE, layers: [shell], config: { entrypoint: ['sh'], env: { PATH } } },
      ...slurmRoles.map((role) => slurmRole(role, [slurm, entryPoint])),
    ],
  })
  return file
}

function slurmRole(role: (typeof slurmRoles)[number], layers: readonly Layer[]) {
  const entrypoint = ['tini', '-g', '--', 'entrypoint.sh', role]
  return {
    ref: slurmImage(role),
    layers,
    config: { entrypoint, env: { PATH, SLURM_VERSION: SLURM_RELEASE }, workingDir: '/tmp' },
  }
}

// A link, so that the entry point finds its parts beside its real place.
function entryPointEntries(): LayerEntry[] {
  const files = entryPointFiles().map((name) => ({
    path: `${ENTRY_POINT_FOLDER}/${name}`,
    mode: name === 'entrypoint.sh' ? 0o755 : 0o644,
    content: readFileSync(projectFile(`image/${name}`)),
  }))
  return [
    ...files,
    { path: '/usr/local/bin/entrypoint.sh', kind: 'symlink', target: `${ENTRY_POINT_FOLDER}/entrypoint.sh` },
  ]
}

function entryPointFiles(): string[] {
  return [
    'entrypoint.sh',
    ...readdirSync(projectFile('image/lib'))
      .toSorted()
      .map((name) => `lib/${name}`),
  ]
}

function shellEntries(busybox: string): LayerEntry[] {
  const applets = execFileSync(busybox, ['--list'], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name !== '' && name !== 'busybox')
  return [
    { path: '/bin/busybox', mode: 0o755, content: { file: busybox } },
    ...applets.map((name): LayerEntry => ({ path: `/bin/${name}`, kind: 'symlink', target: 'busybox' })),
    { path: '/tmp', kind: 'directory', mode: 0o1777 },
    { path: '/root', kind: 'directory', mode: 0o700 },
    {
      path: '/etc/passwd',
      content: 'root:x:0:0:root:/root:/bin/sh\nslurm:x:401:401::/:/bin/false\nnobody:x:65534:65534::/:/bin/false\n',
    },
    { path: '/etc/group', content: 'root:x:0:\nslurm:x:401:\nnogroup:x:65534:\n' },
  ]
}
