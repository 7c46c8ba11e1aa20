/**
 * Which process we mean. A number alone is not enough: the kernel gives it to somebody else later, and then a clean-up
 * would end a stranger. So a process is its number together with the moment of its start.
 *
 * @module
 */
import { readFileSync } from 'node:fs'

/** One process, for as long as it lives and never any other. */
export interface ProcessId {
  readonly pid: number
  /** Start time in clock ticks since the machine started, field 22 of /proc/PID/stat. */
  readonly startTicks: string
}

/** The identity of a running process, or undefined when there is none with this number. */
export function findProcess(pid: number): ProcessId | undefined {
  const fields = readStat(pid)
  return fields === undefined || isOver(fields) ? undefined : { pid, startTicks: fields.startTicks }
}

/** Our own identity, to be written where others must know whether we still live. */
export function ownProcess(): ProcessId {
  const own = findProcess(process.pid)
  if (own === undefined) throw new Error('Cannot read /proc/self/stat: is /proc mounted?')
  return own
}

/** Whether exactly this process still runs, or ends: a zombie whose threads are gone does not. */
export function isAlive({ pid, startTicks }: ProcessId): boolean {
  return findProcess(pid)?.startTicks === startTicks
}

/** Send a signal to exactly this process; false when it is gone already. */
export function signal(id: ProcessId, name: NodeJS.Signals): boolean {
  if (!isAlive(id)) return false
  try {
    return process.kill(id.pid, name)
  } catch {
    return false // it ended in between
  }
}

/** The direct children of a process. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

interface Stat {
  readonly state: string
  readonly threads: number
  readonly startTicks: string
}

/** The first thread may be over before the others, and as long as one is left the files and ports of all are taken. */
function isOver({ state, threads }: Stat): boolean {
  return state === 'Z' && threads <= 1
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ') // the name before it may hold spaces and brackets
    return { state: fields[0] ?? '', threads: Number(fields[17]), startTicks: fields[19] ?? '' }
  } catch {
    return undefined
  }
}
