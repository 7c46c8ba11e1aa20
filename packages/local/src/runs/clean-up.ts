import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { withLock } from '../cache/lock.ts'
import { removeCgroups } from '../machine/cgroups.ts'
import { killDaemon, stopDaemon } from '../machine/daemon.ts'
import { childrenOf, findProcess, isAlive, type ProcessId } from '../machine/process-id.ts'
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

/** End all processes of a run, the last started first: etcd goes after its API server. */
export async function endDaemons({ id, daemons }: RunRecord): Promise<void> {
  for (const daemon of daemons.toReversed()) await endDaemon(daemon)
  for (const stray of findMarked(id)) await killDaemon({ id: stray, name: `a process of ${id}` })
}

/** Remove what is left of runs whose starter has died. Detached runs stay until somebody stops them. */
export async function sweepRuns(): Promise<RunRecord[]> {
  const orphans = listRecords().filter(({ lifetime, starter }) => lifetime === 'starter' && !isAlive(starter))
  for (const orphan of orphans) await endRun(orphan)
  return orphans
}

/** With its children: the first process of a box is one, and the last to go. */
async function endDaemon(daemon: RecordedDaemon): Promise<void> {
  if (!isAlive(daemon.id)) return // its number may be somebody else's by now
  const inside = childrenOf(daemon.id.pid).flatMap((pid) => findProcess(pid) ?? [])
  await (daemon.ending === 'kill' ? killDaemon(daemon) : stopDaemon(daemon))
  for (const id of inside) await killDaemon({ id, name: `a process of ${daemon.name}` })
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
