import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { withLock } from '../cache/lock.ts'
import { removeCgroups } from '../machine/cgroups.ts'
import { killDaemon, stopDaemon } from '../machine/daemon.ts'
import { childrenOf, findProcess, isAlive, signal, type ProcessId } from '../machine/process-id.ts'
import { RUN_MARK } from './run-mark.ts'
import { findRecord, listRecords, removeRecord, type RecordedDaemon, type RunRecord } from './run-record.ts'

/** End everything of a run and forget it. Safe to repeat after it was interrupted, and by two processes at once. */
export async function endRun({ id }: Pick<RunRecord, 'id'>): Promise<void> {
  await withLock(`end ${id}`, { timeoutMs: 60_000 }, async () => {
    const record = findRecord(id)
    if (record === undefined) return
    await endDaemons(record)
    await removeCgroups(record.cgroups)
    rmSync(record.folder, { recursive: true, force: true, maxRetries: 5 })
    removeRecord(id)
  })
}

/**
 * End all processes of a run, the last started first: etcd goes after its API server. The first process of a box ends only
 * when somebody has reaped all others in it, and one that entered the box from outside is reaped outside: so
 * all are told to end before we wait for any.
 */
export async function endDaemons({ id, daemons }: RunRecord): Promise<void> {
  const living = daemons.filter((daemon) => isAlive(daemon.id)) // the number of an ended one may be somebody else's by now
  const children = living.flatMap((daemon) => childrenOf(daemon.id.pid)).flatMap((pid) => findProcess(pid) ?? [])
  for (const daemon of living.toReversed()) await endDaemon(daemon)
  const rest = [...findMarked(id), ...children]
  for (const process of rest) signal(process, 'SIGKILL')
  for (const process of rest) await killDaemon({ id: process, name: `a process of ${id}` })
}

/** Remove what is left of runs whose starter has died. Detached runs stay until somebody stops them. */
export async function sweepRuns(): Promise<RunRecord[]> {
  const orphans = listRecords().filter(({ lifetime, starter }) => lifetime === 'starter' && !isAlive(starter))
  for (const orphan of orphans) await endRun(orphan)
  return orphans
}

async function endDaemon(daemon: RecordedDaemon): Promise<void> {
  await (daemon.ending === 'kill' ? killDaemon(daemon) : stopDaemon(daemon))
}

function findMarked(id: string): ProcessId[] {
  const numbers = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  return numbers.filter((pid) => pid !== process.pid && isMarked(pid, id)).flatMap((pid) => findProcess(pid) ?? [])
}

function isMarked(pid: number, id: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${RUN_MARK}=${id}`)
  } catch {
    return false // ended, or not ours to read
  }
}
