import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../machine/run.ts'

/** A root file system with Slurm in it, and in what such roots differ. */
export interface SlurmRoot {
  readonly folder: string
  /** Such as `26.05`. */
  readonly release: string
  readonly slurmUserId: number
  readonly mysqlUserId: number
  /** Where MariaDB's ready-made data is; undefined: this root has none, so no accounting. */
  readonly databaseFolder: string | undefined
  readonly passwd: string
}

const databaseFolders = ['/var/lib/mariadb', '/var/lib/mysql'] // the name has changed after Debian 13

/** Look what a root holds. */
export async function readSlurmRoot(folder: string): Promise<SlurmRoot> {
  const passwd = readFileSync(join(folder, 'etc/passwd'), 'utf8')
  const { stdout } = await run(['chroot', folder, '/usr/sbin/slurmctld', '-V'], { timeoutMs: 30_000 })
  return {
    folder,
    release: releaseIn(stdout),
    slurmUserId: userIdIn(passwd, 'slurm'),
    mysqlUserId: userIdIn(passwd, 'mysql', 0),
    databaseFolder: databaseFolders.find((path) => existsSync(join(folder, path, 'mysql'))),
    passwd,
  }
}

/** Whether slurmctld and slurmd of a release answer HTTP: health paths and metrics came together. */
export function speaksHttp({ release }: Pick<SlurmRoot, 'release'>): boolean {
  return release >= '25.11' // year and month with two digits each: the order of text is the order of time
}

/** The release in the output of `slurmctld -V`. */
export function releaseIn(text: string): string {
  const release = /^slurm\S* (\d\d\.\d\d)\b/.exec(text)?.[1]
  if (release !== undefined) return release
  throw new Error(`Cannot tell which Slurm this is: slurmctld -V says "${text.trim()}"`)
}

/** The number of a user in a passwd file. */
export function userIdIn(passwd: string, user: string, otherwise?: number): number {
  const id = new RegExp(`^${user}:[^:]*:(\\d+):`, 'm').exec(passwd)?.[1]
  if (id !== undefined) return Number(id)
  if (otherwise !== undefined) return otherwise
  throw new Error(`Cannot use this root: it has no user ${user}. Take one with the Debian packages of Slurm.`)
}
