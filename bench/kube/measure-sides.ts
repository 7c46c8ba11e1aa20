/**
 * Lets the processes of both sides do their work.
 *
 * @module
 */
import type { Surroundings } from '../benchmark.ts'
import { startWorker, type Worker } from './serve.ts'
import { sumPhases, type Phase, type SideAnswers, type SideName, type SideOrder } from './side.ts'
import type { UpdatesAnswers, UpdatesOrder } from './updates-process.ts'

/** What both sides find. */
export interface Bed extends Surroundings {
  readonly kubeconfig: string
  readonly pods: number
  readonly compileCache: string
}

/** How many updates, unless the time is over before. */
export interface UpdateLimits {
  readonly updates: number
  readonly mostSeconds: number
}

/** What a side did with pods. */
export type Followed = Omit<SideAnswers, 'call'> & UpdatesAnswers['send']

const MINUTE = 60_000
const BLOCKS = 10

/** How each is started: we as our programs are, with few and small memories for short-lived objects; they as usual. */
const flags: Readonly<Record<SideName, readonly string[]>> = { ours: ['--max-semi-space-size=4'], theirs: [] }

/** Load each once without measuring: what ships is compiled and bundled beforehand. */
export async function warmUp(bed: Bed): Promise<void> {
  for (const name of ['ours', 'theirs'] as const) {
    await using side = startSide(name, bed)
    await side.ask({ do: 'start' }, MINUTE)
  }
}

/** Read all pods, follow their updates, come to rest. */
export async function measureFollowing(name: SideName, bed: Bed, limits: UpdateLimits): Promise<Followed> {
  const { kubeconfig, pods, signal, say } = bed
  await using side = startSide(name, bed)
  const start = await side.ask({ do: 'start' }, MINUTE)
  const list = await side.ask({ do: 'list' }, 10 * MINUTE)
  say(`${name}: listed ${list.pods} pods in ${list.seconds.toFixed(1)} s.`)
  await using sender = startWorker<UpdatesOrder, UpdatesAnswers>('updates-process.ts', [kubeconfig], signal)
  const mostMs = (limits.mostSeconds + 60) * 1000
  const [hear, sending] = await Promise.all([
    side.ask({ do: 'hear', mark: name }, mostMs),
    sender.ask({ do: 'send', pods, mark: name, ...limits }, mostMs),
  ])
  say(`${name}: heard ${hear.heard} updates, sent in ${sending.sendSeconds.toFixed(0)} s.`)
  return { start, list, hear, settle: await side.ask({ do: 'settle' }, MINUTE), ...sending }
}

/** Small calls, in turns: what else the machine has to do hits both alike. */
export async function measureCalls(calls: number, bed: Bed): Promise<Readonly<Record<SideName, Phase>>> {
  await using ours = startSide('ours', bed)
  await using theirs = startSide('theirs', bed)
  const sides = { ours, theirs }
  const phases: Record<SideName, Phase[]> = { ours: [], theirs: [] }
  for (const name of ['ours', 'theirs'] as const) await sides[name].ask({ do: 'start' }, MINUTE)
  for (let block = 0; block < BLOCKS; block++) {
    const count = Math.floor((calls * (block + 1)) / BLOCKS) - Math.floor((calls * block) / BLOCKS)
    for (const name of ['ours', 'theirs'] as const)
      phases[name].push(await sides[name].ask({ do: 'call', count }, 10 * MINUTE))
  }
  bed.say(`Made ${calls} calls each.`)
  return { ours: sumPhases(phases.ours), theirs: sumPhases(phases.theirs) }
}

function startSide(name: SideName, { kubeconfig, compileCache, signal }: Bed): Worker<SideOrder, SideAnswers> {
  const niceness = -10 // it is to be measured, not its neighbours
  return startWorker('side-process.ts', [name, kubeconfig], signal, { flags: flags[name], niceness, compileCache })
}
