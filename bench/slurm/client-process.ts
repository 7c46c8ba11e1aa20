/**
 * Our connection with its view, in a process of its own: `client-process.ts URL TOKEN`.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, Secret, type SlurmConnection } from '@slurm-operator/slurm'
import { measure, peakRssMb, rssMb } from '../kube/meter.ts'
import { serve } from '../kube/serve.ts'
import { TrafficCounter } from './count-traffic.ts'
import { commonNowMs, type ClientAnswers, type ClientOrder } from './orders.ts'

const SETTLE_MS = 10_000
const LOOK_MS = 5
const PATIENCE_MS = 10 * 60_000

const [url = '', token = ''] = process.argv.slice(2)
const traffic = new TrafficCounter()
let connection: SlurmConnection | undefined

serve<ClientOrder, ClientAnswers>({ list, watch, settle })

/** From nothing to knowing all nodes and all jobs. */
async function list(): Promise<ClientAnswers['list']> {
  const { phase, result } = await measure(async () => {
    const settings = { endpoints: [url], token: { kind: 'given', token: new Secret(token) } } as const
    connection = connect(settings, { openTransport: traffic.openTransport })
    return untilKnown(connection)
  })
  const taken = traffic.take()
  await untilCalm()
  return { ...phase, ...taken, ...result }
}

/** The second list of a row confirms the first; after it we are at rest. */
async function untilCalm(): Promise<void> {
  for (const part of ['nodes', 'jobs'] as const) await connection?.view.refresh(part, PATIENCE_MS)
}

async function untilKnown({ view }: SlurmConnection): Promise<{ nodes: number; jobs: number }> {
  const endMs = performance.now() + PATIENCE_MS
  while (performance.now() < endMs) {
    const [nodes, jobs] = [view.nodes(), view.jobs()]
    if (nodes.kind === 'seen' && jobs.kind === 'seen') return { nodes: nodes.value.length, jobs: jobs.value.length }
    await sleep(LOOK_MS)
  }
  throw new Error(`Cannot list: nothing was known after ${PATIENCE_MS / 1000} s.`)
}

async function watch({ seconds, waitFor, mark }: ClientOrder & { do: 'watch' }): Promise<ClientAnswers['watch']> {
  if (!connection) throw new Error('Cannot watch: list first.')
  const heardAtMs: Record<number, number> = {}
  let woken = 0
  const stop = connection.view.subscribe((change) => {
    woken++
    const comment = change.kind === 'node' ? (change.now?.comment ?? '') : ''
    if (comment.startsWith(mark)) heardAtMs[Number(comment.slice(mark.length))] ??= commonNowMs()
  })
  if (waitFor.length > 0) {
    for (const part of ['nodes', 'jobs'] as const) connection.view.hurry(part, seconds * 1000, waitFor)
  }
  traffic.take()
  const { phase } = await measure(() => sleep(seconds * 1000))
  stop()
  return { ...phase, ...traffic.take(), heardAtMs, woken }
}

async function settle(): Promise<ClientAnswers['settle']> {
  await sleep(SETTLE_MS)
  return { peakRssMb: peakRssMb(), settledRssMb: rssMb() }
}
