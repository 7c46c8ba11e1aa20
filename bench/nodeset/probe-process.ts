/**
 * Loaded into the process of the operator before the operator itself: tells what a part of the work cost it.
 *
 * @module
 */
import { flushCompileCache } from 'node:module'
import { measure, peakRssMb, rssMb } from '../kube/meter.ts'
import { serve } from '../kube/serve.ts'
import type { Phase } from '../kube/side.ts'
import type { ProbeAnswers, ProbeOrder } from './orders.ts'

let end: (() => Promise<Phase>) | undefined

serve<ProbeOrder, ProbeAnswers>({
  begin: async ({ watchTurns }) => {
    flushCompileCache() // this process will be killed, and would leave nothing for the next
    end = watchTurns ? beginWatched() : beginQuiet()
    return { rssMb: rssMb() }
  },
  end: async () => {
    if (end === undefined) throw new Error('Cannot end: nothing was begun.')
    return { ...(await end()), rssMb: rssMb() }
  },
})

/** With an eye on every turn of the event loop. */
function beginWatched(): () => Promise<Phase> {
  const over = Promise.withResolvers<void>()
  const measured = measure(() => over.promise)
  return async () => {
    over.resolve()
    return (await measured).phase
  }
}

/** At rest, looking at every turn would cost more than all the rest. */
function beginQuiet(): () => Promise<Phase> {
  const startMs = performance.now()
  const before = process.cpuUsage()
  return async () => {
    const { user, system } = process.cpuUsage(before)
    const seconds = (performance.now() - startMs) / 1000
    return { seconds, cpuSeconds: (user + system) / 1e6, stallMs: 0, stallCpuMs: 0, peakRssMb: peakRssMb() }
  }
}
