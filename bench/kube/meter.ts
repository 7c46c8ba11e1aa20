/**
 * What a piece of work costs this process.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Phase } from './side.ts'

const TICK_MS = 20 // each tick costs some microseconds, and they are counted too
const MB = 1024 * 1024

/** Do it, and say what it cost. */
export async function measure<T>(work: () => Promise<T>): Promise<{ readonly phase: Phase; readonly result: T }> {
  const delays = monitorEventLoopDelay({ resolution: TICK_MS })
  delays.enable()
  const turns = followTurns()
  await sleep(2 * TICK_MS) // before its first tick nothing is noticed
  const startMs = performance.now()
  const cpu = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - startMs) / 1000
  await sleep(2 * TICK_MS) // a stall is noticed by the tick after it
  delays.disable()
  const stallMs = Math.max(0, delays.max / 1e6 - TICK_MS)
  const phase = { seconds, cpuSeconds: (user + system) / 1e6, stallMs, stallCpuMs: turns.end(), peakRssMb: peakRssMb() }
  return { phase, result }
}

/**
 * On a machine that others use too, most of a long turn is waiting for a processor. What the main thread itself used
 * between two ticks is independent of that.
 */
function followTurns(): { readonly end: () => number } {
  let last = threadCpuMs()
  let most = 0
  const timer = setInterval(() => {
    const now = threadCpuMs()
    most = Math.max(most, now - last)
    last = now
  }, TICK_MS)
  return {
    end() {
      clearInterval(timer)
      return Math.max(0, most - TICK_MS)
    },
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Memory of this process now. */
export function rssMb(): number {
  return process.memoryUsage.rss() / MB
}

/** The most that it ever was. Not `maxRSS`: that begins with the memory of the process that started us. */
export function peakRssMb(): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return kilobytes === undefined ? rssMb() : Number(kilobytes) / 1024
}
