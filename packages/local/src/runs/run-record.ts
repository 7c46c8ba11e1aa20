/**
 * What we have started on this machine, written down before and while it runs. Whoever comes later, after a crash or with
 * `npm stop`, ends exactly this: processes by identity, cgroups and folders by path. Nothing is found by its name.
 *
 * @module
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../cache/cache.ts'
import type { Daemon, Lifetime } from '../machine/daemon.ts'
import type { ProcessId } from '../machine/process-id.ts'

/** A daemon, and how to end it. A box swallows requests to end, so it is killed. */
export interface RecordedDaemon extends Daemon {
  readonly ending: 'ask' | 'kill'
}

/** One run: everything that belongs to one API server, cluster or Slurm. */
export interface RunRecord {
  readonly id: string
  readonly lifetime: Lifetime
  readonly starter: ProcessId
  readonly folder: string
  readonly daemons: readonly RecordedDaemon[]
  readonly cgroups: readonly string[]
  /** What the commands need to know to find it again: addresses, paths. */
  readonly facts: Readonly<Record<string, string>>
}

/** The folder of all runs. */
export function runsFolder(): string {
  return join(cacheFolder(), 'runs')
}

/** Write a record so that a reader sees the old one or the new one, never half of it. */
export function writeRecord(record: RunRecord): void {
  mkdirSync(runsFolder(), { recursive: true })
  const file = recordFile(record.id)
  writeFileSync(`${file}.new`, JSON.stringify(record, undefined, 2))
  renameSync(`${file}.new`, file)
}

/** All runs that were started and not yet cleaned up. */
export function listRecords(): RunRecord[] {
  if (!existsSync(runsFolder())) return []
  const names = readdirSync(runsFolder()).filter((name) => name.endsWith('.json'))
  return names.flatMap((name) => findRecord(name.slice(0, -'.json'.length)) ?? [])
}

/** One run by its id. */
export function findRecord(id: string): RunRecord | undefined {
  try {
    return JSON.parse(readFileSync(recordFile(id), 'utf8')) as RunRecord
  } catch {
    return undefined // cleaned up in the meantime
  }
}

/** Forget a run, once nothing of it is left. */
export function removeRecord(id: string): void {
  rmSync(recordFile(id), { force: true })
}

function recordFile(id: string): string {
  return join(runsFolder(), `${id}.json`)
}
