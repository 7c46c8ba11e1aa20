import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Artefact } from '../cache/cache.ts'
import { unpackPackages } from './debian.ts'
import { DEBIAN_SUITE } from './versions.ts'

/** etcd by itself, for API servers without nodes; it needs nothing but the machine's libc. */
export const etcd: Artefact = {
  name: 'etcd',
  madeFrom: [DEBIAN_SUITE, 'etcd-server'],
  usuallySeconds: 15,
  make: async (folder) => {
    await unpackPackages(['etcd-server'], folder)
    if (!existsSync(etcdIn(folder))) throw new Error('Cannot find usr/bin/etcd in the Debian package etcd-server')
  },
}

/** The program inside the artefact. */
export function etcdIn(folder: string): string {
  return join(folder, 'usr/bin/etcd')
}
