import { appendFileSync } from 'node:fs'
import { untilTrue } from '../machine/until.ts'
import { buildDaemon, type SlurmSettings } from './build-daemon.ts'
import type { Daemons, SlurmPlace } from './daemons.ts'
import { hostsLine, workerName, type WorkerName } from './layout.ts'

const REGISTERED_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 60_000

/** The workers of a Slurm. Numbers are never used twice, so a record of a removed worker cannot meet a new one. */
export class Workers {
  readonly #daemons: Daemons
  readonly #settings: SlurmSettings
  readonly #place: SlurmPlace
  readonly #names = new Set<WorkerName>()
  #count = 0

  constructor(daemons: Daemons, settings: SlurmSettings, place: SlurmPlace) {
    this.#daemons = daemons
    this.#settings = settings
    this.#place = place
  }

  names(): WorkerName[] {
    return [...this.#names]
  }

  /** Make the box of a new worker. */
  async prepare(conf?: string): Promise<WorkerName> {
    const name = workerName(++this.#count)
    appendFileSync(this.#place.hostsFile, hostsLine(name))
    this.#names.add(name) // before anything can take its time: the order is that of the numbers
    await this.#daemons.prepare(buildDaemon(name, this.#settings, conf))
    return name
  }

  /** Start prepared workers, and wait until slurmctld knows them and hears them. */
  async start(names: readonly WorkerName[]): Promise<void> {
    await Promise.all(names.map((name) => this.#daemons.start(name)))
    await this.untilRegistered(names)
  }

  async untilRegistered(names: readonly WorkerName[]): Promise<void> {
    if (names.length === 0) return
    const registered = async () => {
      const present = registeredIn(await this.#onController(['sinfo', '-haN', '-o', '%N %T']))
      return names.every((name) => present.has(name))
    }
    await untilTrue(`${names.join(', ')} to register`, registered, { timeoutMs: REGISTERED_TIMEOUT_MS })
  }

  /** Take the power from a worker and its record from Slurm; jobs on it end as on a failed node. */
  async remove(name: WorkerName): Promise<void> {
    if (!this.#names.has(name))
      throw new Error(`Cannot remove ${name}: there are ${this.names().join(', ') || 'no workers'}`)
    await this.#daemons.remove(name)
    this.#names.delete(name)
    await this.#onController(['scontrol', 'update', `nodename=${name}`, 'state=down', 'reason=removed'])
    const deleted = async () => (await this.#onController(['scontrol', 'delete', `nodename=${name}`])) !== undefined
    await untilTrue(`the record of ${name} to be deleted`, deleted, { timeoutMs: REGISTERED_TIMEOUT_MS, everyMs: 200 })
  }

  async #onController(command: readonly string[]): Promise<string> {
    return (await this.#daemons.runIn('slurmctld', command, { timeoutMs: COMMAND_TIMEOUT_MS })).stdout
  }
}

/** The nodes in the output of `sinfo -N -o '%N %T'` that slurmctld has heard of; a star means that it waits for them. */
export function registeredIn(sinfo: string): Set<string> {
  const rows = sinfo
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return new Set(rows.flatMap(([name = '', state = '']) => (/\*|^down|^unknown/.test(state) ? [] : [name])))
}
