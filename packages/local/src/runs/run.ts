import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startDaemon, type Daemon, type DaemonSpec, type Lifetime } from '../machine/daemon.ts'
import { ownProcess } from '../machine/process-id.ts'
import { endDaemons, endRun, sweepRuns } from './clean-up.ts'
import { RUN_MARK } from './run-mark.ts'
import { runsFolder, writeRecord, type RecordedDaemon, type RunRecord } from './run-record.ts'

/** A run in progress: starts daemons and remembers them, and ends all of them together. */
export interface Run {
  readonly id: string
  readonly folder: string
  readonly lifetime: Lifetime
  start(spec: Omit<DaemonSpec, 'lifetime'>, ending?: RecordedDaemon['ending']): Promise<Daemon>
  /** A daemon was ended on purpose: it need not be ended again. */
  forget(daemon: Daemon): void
  ownCgroups(folders: readonly string[]): void
  state(facts: Readonly<Record<string, string>>): void
  /** End all processes but keep the folder, to take something out of it. */
  endDaemons(): Promise<void>
  end(): Promise<void>
}

/** Begin a run; what crashed runs have left behind is removed first. */
export async function beginRun(
  kind: string,
  lifetime: Lifetime,
  id = `${kind}-${randomBytes(3).toString('hex')}`,
): Promise<Run> {
  await sweepRuns()
  const folder = join(runsFolder(), id)
  let record: RunRecord = { id, lifetime, starter: ownProcess(), folder, daemons: [], cgroups: [], facts: {} }
  const change = (part: Partial<RunRecord>) => writeRecord((record = { ...record, ...part }))
  change({})
  mkdirSync(folder, { recursive: true })
  return {
    id,
    folder,
    lifetime,
    async start(spec, ending = 'ask') {
      const daemon = await startDaemon({ ...spec, lifetime, env: { ...spec.env, [RUN_MARK]: id } })
      change({ daemons: [...record.daemons, { ...daemon, ending }] })
      return daemon
    },
    forget: (daemon) => change({ daemons: record.daemons.filter((other) => other.id.pid !== daemon.id.pid) }),
    ownCgroups: (folders) => change({ cgroups: [...new Set([...record.cgroups, ...folders])] }),
    state: (facts) => change({ facts: { ...record.facts, ...facts } }),
    endDaemons: () => endDaemons(record),
    end: () => endRun(record),
  }
}
