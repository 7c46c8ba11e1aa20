/**
 * Names and addresses of a Slurm without Kubernetes. They are the same every time, since each has a network of its own.
 *
 * @module
 */

/** A worker: the box and the Slurm node have the same name. */
export type WorkerName = `worker-${number}`

/** The daemons of which there is one. */
export type ServiceName = 'mariadb' | 'slurmdbd' | 'slurmctld' | 'slurmrestd'

/** Everything that can be killed and restarted. A worker's daemon is its slurmd. */
export type DaemonName = ServiceName | WorkerName

/** Where the switch of the network is, and how large the network. */
export const HUB_ADDRESS = '10.77.0.1'
export const HUB_PREFIX_LENGTH = 16

/** What each program listens on. */
export const ports = { slurmctld: 6817, slurmd: 6818, slurmdbd: 6819, slurmrestd: 6820, mariadb: 3306 } as const

const services = {
  slurmctld: { box: 'ctl', address: '10.77.0.10' },
  slurmdbd: { box: 'dbd', address: '10.77.0.11' },
  slurmrestd: { box: 'rest', address: '10.77.0.12' },
  mariadb: { box: 'db', address: '10.77.0.14' },
} as const

const WORKERS_PER_NET = 250
const MOST_WORKERS = 1000

/** The name of the worker with a number, counted from 1. */
export function workerName(number: number): WorkerName {
  return `worker-${number}`
}

/** Which box a daemon runs in. Its name is also the host name. */
export function boxOf(daemon: DaemonName): string {
  return isWorker(daemon) ? daemon : services[daemon].box
}

/** Where a daemon is in the network of its Slurm. */
export function addressOf(daemon: DaemonName): string {
  if (!isWorker(daemon)) return services[daemon].address
  const index = workerNumber(daemon) - 1
  return `10.77.${1 + Math.floor(index / WORKERS_PER_NET)}.${1 + (index % WORKERS_PER_NET)}`
}

/** The hosts file of every box, before there are workers. */
export function hostsFile(): string {
  const lines = Object.values(services).map(({ box, address }) => `${address} ${box}`)
  return ['127.0.0.1 localhost', ...lines, ''].join('\n')
}

/** What a new worker adds to it. Slurm itself does not need this; programs of jobs may. */
export function hostsLine(worker: WorkerName): string {
  return `${addressOf(worker)} ${worker}\n`
}

/** Whether a daemon is the slurmd of a worker. */
export function isWorker(daemon: DaemonName): daemon is WorkerName {
  return daemon.startsWith('worker-')
}

function workerNumber(worker: WorkerName): number {
  const number = Number(worker.slice('worker-'.length))
  if (Number.isInteger(number) && number >= 1 && number <= MOST_WORKERS) return number
  throw new Error(`Cannot place ${worker}: workers are called worker-1 to worker-${MOST_WORKERS}`)
}
