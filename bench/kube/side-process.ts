/**
 * The process of one side: `side-process.ts ours|theirs KUBECONFIG`. It loads nothing of the other.
 *
 * @module
 */
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { MARK } from './marks.ts'
import { measure, peakRssMb, rssMb } from './meter.ts'
import { serve } from './serve.ts'
import type { Labels, Side, SideAnswers, SideOrder } from './side.ts'

const SETTLE_MS = 10_000 // V8 tidies up by itself when a process has been idle for some seconds

const [name = '', kubeconfig = ''] = process.argv.slice(2)
const changes = { heard: 0, mark: undefined as string | undefined, marked: () => {} }
let side: Side | undefined

serve<SideOrder, SideAnswers>({ start, list, hear, call, settle })

async function start(): Promise<SideAnswers['start']> {
  const { createSide } = await (name === 'ours' ? import('./ours.ts') : import('./theirs.ts'))
  side = await createSide(kubeconfig, hearOne)
  const { user, system } = process.cpuUsage()
  flushCompileCache() // this process will be killed, and would leave nothing for the next
  return { title: side.title, cpuSeconds: (user + system) / 1e6 }
}

async function list(): Promise<SideAnswers['list']> {
  const { list } = started()
  const { phase, result: pods } = await measure(list)
  return { ...phase, pods }
}

function started(): Side {
  if (side === undefined) throw new Error('Cannot measure: the side was not started. Order that first.')
  return side
}

function hearOne(labels: Labels | undefined): void {
  changes.heard++
  if (changes.mark !== undefined && labels?.[MARK] === changes.mark) changes.marked()
}

async function hear({ mark }: SideOrder & { do: 'hear' }): Promise<SideAnswers['hear']> {
  const before = changes.heard
  const { phase } = await measure(
    () => new Promise<void>((resolve) => void Object.assign(changes, { mark, marked: resolve })),
  )
  return { ...phase, heard: changes.heard - before }
}

async function call({ count }: SideOrder & { do: 'call' }): Promise<SideAnswers['call']> {
  const { call } = started()
  const { phase } = await measure(async () => {
    for (let done = 0; done < count; done++) await call()
  })
  return phase
}

async function settle(): Promise<SideAnswers['settle']> {
  await sleep(SETTLE_MS)
  return { peakRssMb: peakRssMb(), settledRssMb: rssMb() }
}
