import { randomBytes } from 'node:crypto'
import { boxOf, isWorker, ports, type DaemonName, type WorkerName } from './layout.ts'
import { cgroupConf, databaseStatements, slurmConf, slurmdbdConf, type ConfSettings } from './slurm-conf.ts'
import { speaksHttp, type SlurmRoot } from './slurm-root.ts'

/** Everything that daemons of one Slurm share. */
export interface SlurmSettings extends ConfSettings {
  readonly root: SlurmRoot
  readonly keys: SlurmKeys
  readonly restFlags: readonly string[]
  readonly users: readonly string[]
}

/** What the daemons trust each other by (`slurm`), and what tokens are signed with (`jwt`). */
export interface SlurmKeys {
  readonly slurm: Buffer
  readonly jwt: Buffer
}

/** A file on the disk of a box. */
export interface DiskFile {
  readonly path: string
  readonly content: string | Buffer
  readonly mode: number
  readonly ownerId: number
}

/** One daemon: what its box has on its disk, how it is started there, and how it says that it is ready. */
export interface DaemonPlan {
  readonly name: DaemonName
  readonly box: string
  /** The root file system of its box. */
  readonly root: string
  readonly program: string
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly files: readonly DiskFile[]
  /** Ready means: `http` answers GET /readyz with 204; `tcp` accepts connections. */
  readonly probe: { readonly port: number; readonly by: 'http' | 'tcp' }
  /** A line of its log without which it is not ready, whatever it answers. */
  readonly saysWhenReady?: string
}

/** Worker settings when a test does not care: small enough for two cores. */
export const DEFAULT_WORKER_CONF = 'CPUs=2 RealMemory=1000'

const NOBODY = 65534 // slurmrestd refuses to be root or the slurm user
const FIRST_USER_ID = 2001

/** New keys for a new Slurm. */
export function createSlurmKeys(): SlurmKeys {
  return { slurm: randomBytes(1024), jwt: randomBytes(32) }
}

/** The plan of a daemon; `workerConf` is what a worker says about itself (`slurmd --conf`). */
export function buildDaemon(name: DaemonName, settings: SlurmSettings, workerConf = DEFAULT_WORKER_CONF): DaemonPlan {
  if (isWorker(name)) return buildSlurmd(name, settings, workerConf)
  switch (name) {
    case 'mariadb':
      return buildMariadb(settings)
    case 'slurmdbd':
      return buildSlurmdbd(settings)
    case 'slurmctld':
      return buildSlurmctld(settings)
    case 'slurmrestd':
      return buildSlurmrestd(settings)
  }
}

function buildMariadb(settings: SlurmSettings): DaemonPlan {
  const { root } = settings
  const flags = [
    '--no-defaults',
    `--datadir=${root.databaseFolder ?? ''}`,
    '--socket=/run/mariadb.sock',
    '--pid-file=/run/mariadb.pid',
    '--bind-address=0.0.0.0',
    '--skip-name-resolve',
    '--init-file=/etc/slurm/init.sql',
    '--innodb-log-file-size=8M', // as in the ready-made data: another size is written out at each first start
    '--innodb-buffer-pool-size=128M',
    '--innodb-flush-log-at-trx-commit=2', // survives a kill of the process, and needs no wait for the disk
    '--innodb-lock-wait-timeout=900', // this and the next are what slurmdbd asks for
    '--max-allowed-packet=16M',
    '--innodb-snapshot-isolation=OFF', // with it, slurmdbd's roll-ups fail on MariaDB 11.8
  ]
  return {
    ...daemon(settings, 'mariadb', ['mariadbd', ...flags], root.mysqlUserId),
    files: [{ path: '/etc/slurm/init.sql', content: databaseStatements(), mode: 0o600, ownerId: root.mysqlUserId }],
  }
}

function buildSlurmdbd(settings: SlurmSettings): DaemonPlan {
  const { slurmUserId } = settings.root
  return {
    ...daemon(settings, 'slurmdbd', ['slurmdbd', '-D'], slurmUserId),
    files: [secret(settings, 'slurmdbd.conf', slurmdbdConf()), slurmKey(settings), jwtKey(settings)],
  }
}

function buildSlurmctld(settings: SlurmSettings): DaemonPlan {
  return {
    ...daemon(settings, 'slurmctld', ['slurmctld', '-D'], settings.root.slurmUserId),
    // It accepts connections before that, and a SIGTERM then makes it fail or is lost.
    ...(speaksHttp(settings.root) ? {} : { saysWhenReady: 'Running as primary controller' }),
    files: [
      conf('slurm.conf', slurmConf(settings)),
      conf('cgroup.conf', cgroupConf()),
      slurmKey(settings),
      jwtKey(settings),
      { path: '/etc/passwd', content: passwdWith(settings), mode: 0o644, ownerId: 0 },
    ],
  }
}

function buildSlurmrestd(settings: SlurmSettings): DaemonPlan {
  const { restFlags, accounting, root } = settings
  const parts = ['slurmctld', ...(accounting ? ['slurmdbd'] : []), ...(speaksHttp(root) ? ['util'] : [])]
  const flags = ['-a', 'rest_auth/jwt', '-s', parts.join(','), ...restFlags, `0.0.0.0:${ports.slurmrestd}`]
  return {
    ...daemon(settings, 'slurmrestd', ['slurmrestd', ...flags], NOBODY),
    env: { SLURM_JWT: 'daemon', SLURMRESTD_DEBUG_STDERR: 'info' }, // without the first, every request is 401
    files: [conf('slurm.conf', slurmConf(settings))],
  }
}

function buildSlurmd(name: WorkerName, settings: SlurmSettings, workerConf: string): DaemonPlan {
  const command = ['slurmd', '-D', '-Z', '--conf-server', `ctl:${ports.slurmctld}`, '--conf', workerConf] as const
  return { ...daemon(settings, name, command), files: [slurmKey(settings)] }
}

/** The parts that all plans share. The program is run as this user; as root unless said. */
function daemon(
  { root }: SlurmSettings,
  name: DaemonName,
  command: readonly [program: string, ...flags: string[]],
  userId?: number,
): Omit<DaemonPlan, 'files'> {
  const [program] = command
  const port = ports[isWorker(name) ? 'slurmd' : name]
  const by = (program === 'slurmctld' || program === 'slurmd') && speaksHttp(root) ? 'http' : 'tcp'
  const whole = [...(userId === undefined ? [] : as(userId)), ...command]
  return { name, box: boxOf(name), root: root.folder, program, command: whole, env: {}, probe: { port, by } }
}

function as(userId: number): string[] {
  return ['setpriv', '--reuid', String(userId), '--regid', String(userId), '--clear-groups', '--']
}

function conf(name: string, content: string): DiskFile {
  return { path: `/etc/slurm/${name}`, content, mode: 0o644, ownerId: 0 }
}

// Slurm refuses keys that others may read, and 24.11 also a slurmdbd.conf that its group may read.
function secret({ root }: SlurmSettings, name: string, content: string | Buffer): DiskFile {
  return { path: `/etc/slurm/${name}`, content, mode: 0o600, ownerId: root.slurmUserId }
}

function slurmKey(settings: SlurmSettings): DiskFile {
  return secret(settings, 'slurm.key', settings.keys.slurm)
}

function jwtKey(settings: SlurmSettings): DiskFile {
  return secret(settings, 'jwt_hs256.key', settings.keys.jwt)
}

/** The users of the controller. They exist where they submit and nowhere else: workers run jobs for bare numbers. */
export function passwdWith({ root, users }: Pick<SlurmSettings, 'root' | 'users'>): string {
  const ours = users.map((user, index) => `${user}:x:${FIRST_USER_ID + index}:${FIRST_USER_ID + index}::/tmp:/bin/sh\n`)
  return `${root.passwd.trimEnd()}\n${ours.join('')}`
}
