/**
 * A simulated slurmrestd with many nodes and jobs, in a process of its own.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@slurm-operator/slurm'
import { createSimulatedSlurm } from '@slurm-operator/testkit'
import { serve } from '../kube/serve.ts'
import { changedName, commonNowMs, nodeName, type ServerAnswers, type ServerOrder } from './orders.ts'

const DAY_MS = 24 * 3600 * 1000

const slurm = createSimulatedSlurm({ clock: systemClock, latencyMs: 0, pace: { slurmdTimeoutMs: 300_000 } })
let names: string[] = []

serve<ServerOrder, ServerAnswers>({ start, change })

async function start({ nodes, jobs }: ServerOrder & { do: 'start' }): Promise<ServerAnswers['start']> {
  const beganMs = performance.now()
  names = Array.from({ length: nodes }, (_, at) => nodeName(at))
  for (const name of names) slurm.addWorker({ name, conf: 'CPUs=64 RealMemory=256000 Feature=ns1' })
  for (let at = 0; at < jobs; at++) {
    const name = names[at % names.length] ?? ''
    slurm.orders.submitJob({ requiredNodes: [name], cpusPerTask: 2, runMs: DAY_MS })
  }
  const door = await slurm.listen()
  return { url: door.url, token: slurm.token('slurm', DAY_MS / 1000), seconds: (performance.now() - beganMs) / 1000 }
}

async function change({ count, everyMs, mark }: ServerOrder & { do: 'change' }): Promise<ServerAnswers['change']> {
  const atMs: number[] = []
  for (let number = 0; number < count; number++) {
    await sleep(everyMs)
    slurm.orders.updateNode(changedName(number, names.length), { comment: `${mark}${number}` })
    atMs.push(commonNowMs())
  }
  return { atMs }
}
