/**
 * Ports, users, paths and names that the images, the charts and users rely on: they are part of the interface.
 *
 * @module
 */

/** The group of all our kinds. */
export const API_GROUP = 'slinky.slurm.net'
/** Its only version. */
export const API_VERSION = 'v1beta1'
/** As our objects write it. */
export const API_GROUP_VERSION = `${API_GROUP}/${API_VERSION}` as const

/** The ports on which the daemons listen, and which Services get when none is chosen. */
export const ports = { slurmctld: 6817, slurmd: 6818, slurmdbd: 6819, slurmrestd: 6820, ssh: 22 } as const

/** Who runs the daemons. */
export const users = {
  slurm: { name: 'slurm', id: 401 },
  root: { name: 'root', id: 0 },
  nobody: { name: 'nobody', id: 65534 },
} as const

/** What slurmctld and slurmd answer on their ports to a probe. */
export const probePaths = { live: '/livez', ready: '/readyz' } as const

/** Folders and files inside of containers. */
export const paths = {
  config: '/etc/slurm',
  /** Where initconf finds the files to copy, and where it puts them. */
  configSource: '/mnt/slurm',
  configTarget: '/mnt/etc/slurm',
  logs: '/var/log/slurm',
  slurmctldLog: '/var/log/slurm/slurmctld.log',
  slurmdLog: '/var/log/slurm/slurmd.log',
  /** The cluster name comes after it. */
  slurmctldSpool: '/var/spool/slurmctld',
  slurmdSpool: '/var/spool/slurmd',
  slurmctldRun: '/run/slurmctld',
  slurmRun: '/run/slurm',
} as const

/** Names of files in the config folder. */
export const configFiles = {
  slurmKey: 'slurm.key',
  jwtKey: 'jwt.key',
  jwks: 'jwks.json',
  slurmConf: 'slurm.conf',
  cgroupConf: 'cgroup.conf',
  slurmdbdConf: 'slurmdbd.conf',
} as const

/** Names of volumes; users mount them and override them by these names. */
export const volumeNames = {
  slurmEtc: 'slurm-etc',
  slurmConfig: 'slurm-config',
  run: 'run',
  logfile: 'slurm-logfile',
  authSocket: 'slurm-authsocket',
  stateSave: 'statesave',
  sackd: 'sackd-dir',
  sshConfig: 'ssh-config',
  sshHostKeys: 'ssh-host-keys',
  sssdConf: 'sssd-conf',
} as const

/** Names of containers; also the spec fields that configure them. */
export const containerNames = {
  slurmctld: 'slurmctld',
  reconfigure: 'reconfigure',
  logfile: 'logfile',
  slurmdbd: 'slurmdbd',
  slurmrestd: 'slurmrestd',
  login: 'login',
  initconf: 'initconf',
  slurmd: 'slurmd',
} as const

/** Keeps a NodeSet until the reservation of its scheduled update is gone from Slurm. */
export const RESERVATION_FINALIZER = 'nodeset.slinky.slurm.net/reservation'
/** Keeps a NodeSet that asks for it until its workers are drained; see the annotation `drain-on-delete`. */
export const DRAIN_FINALIZER = 'nodeset.slinky.slurm.net/drain'

/** The taint that keeps everything but workers off a Kube node; worker pods tolerate it. */
export const workerTaint = { key: 'nodeset.slinky.slurm.net/worker', effect: 'NoExecute', operator: 'Equal' } as const

/** What drain reasons of ours begin with. Anything else was written by somebody else and is left alone. */
export const DRAIN_REASON_PREFIX = 'slurm-operator: '

/** The annotation value and label value for yes. */
export const YES = 'true'

/** The lifetime of a token when none is given. */
export const DEFAULT_TOKEN_LIFETIME = '15m'
/** The user of a token when none is given. */
export const DEFAULT_TOKEN_USER = 'nobody'
/** The entry of a token Secret when none is given. */
export const DEFAULT_TOKEN_KEY = 'SLURM_JWT'
/** The entry of the Secret that a Cluster reads its token from when none is given. */
export const DEFAULT_CLUSTER_TOKEN_KEY = 'auth-token'
