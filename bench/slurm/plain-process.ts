/**
 * What anybody would write: fetch the lists, parse them, keep them. In a process of its own, to compare with:
 * `plain-process.ts URL TOKEN`.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { measure, peakRssMb, rssMb } from '../kube/meter.ts'
import { serve } from '../kube/serve.ts'
import type { ClientAnswers, ClientOrder } from './orders.ts'

const SETTLE_MS = 10_000
const VERSION = 'v0.0.45'

const [url = '', token = ''] = process.argv.slice(2)
const kept: Record<string, readonly unknown[]> = {}

serve<Exclude<ClientOrder, { do: 'watch' }>, Omit<ClientAnswers, 'watch'>>({ list, settle })

async function list(): Promise<ClientAnswers['list']> {
  const { phase, result: bytes } = await measure(async () => {
    const sizes = await Promise.all([readList('nodes'), readList('jobs')])
    return sizes.reduce((sum, size) => sum + size, 0)
  })
  return { ...phase, requests: 2, bytes, nodes: kept['nodes']?.length ?? 0, jobs: kept['jobs']?.length ?? 0 }
}

async function readList(kind: 'nodes' | 'jobs'): Promise<number> {
  const answer = await fetch(`${url}/slurm/${VERSION}/${kind}/`, { headers: { 'x-slurm-user-token': token } })
  const text = await answer.text()
  kept[kind] = (JSON.parse(text) as Record<string, readonly unknown[]>)[kind] ?? []
  return Buffer.byteLength(text)
}

async function settle(): Promise<ClientAnswers['settle']> {
  await sleep(SETTLE_MS)
  return { peakRssMb: peakRssMb(), settledRssMb: rssMb() }
}
