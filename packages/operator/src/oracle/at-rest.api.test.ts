/**
 * When nothing changes, nothing is written and nothing is read but the watches themselves: counted by the audit log of
 * the API server, over several polls of every loop.
 */
import { readFileSync } from 'node:fs'
import { until } from '@slurm-operator/local'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allLoops, startBed, type Bed } from '../testing/bed.ts'
import { createSmallCluster } from './small-cluster.ts'

/** Longer than any loop sleeps at rest; `AT_REST_SECONDS=300` for the long way. */
const REST_MS = Number(process.env['AT_REST_SECONDS'] ?? 40) * 1000
const QUIET_MS = 5_000

let bed: Bed

beforeAll(async () => {
  bed = await startBed({ auditPolicy: { rules: [{ level: 'Metadata', omitStages: ['RequestReceived'] }] } })
})
afterAll(async () => {
  await bed?.[Symbol.asyncDispose]()
})

interface Entry {
  readonly verb: string
  readonly requestURI: string
  readonly userAgent?: string
}

/** Requests so far, without those of the API server itself. */
function requests(): readonly Entry[] {
  const lines = readFileSync(bed.server.auditLog, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const entries = lines.flatMap((line) => readEntry(line))
  return entries.filter(({ userAgent = '', verb }) => !userAgent.startsWith('kube-apiserver') && verb !== 'watch')
}

function readEntry(line: string): Entry[] {
  try {
    return [JSON.parse(line) as Entry]
  } catch {
    return [] // the line is being written
  }
}

/** Wait until no request has come for a while. */
async function untilQuiet(): Promise<void> {
  let count = -1
  let sinceMs = 0
  await until(
    'the operator to come to rest',
    () => {
      const now = requests().length
      if (now !== count) [count, sinceMs] = [now, performance.now()]
      return performance.now() - sinceMs > QUIET_MS || undefined
    },
    { timeoutMs: 120_000, everyMs: 250 },
  )
}

describe('the operator on a real API server prevents that', () => {
  test('a cluster at rest costs the API server writes and reads', { timeout: REST_MS + 240_000 }, async () => {
    await createSmallCluster(bed.client, 'at-rest')
    await bed.run(allLoops)
    await untilQuiet()
    const before = requests().length
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    const since = requests().slice(before)
    console.log(`${since.length} requests in ${REST_MS / 1000} s at rest, ${before} before`)
    expect(since.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([])
  })
})
