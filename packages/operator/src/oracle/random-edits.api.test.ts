/**
 * After any history of edits, kills, faults and bad values, children and status are those that a fresh operator makes of
 * the same objects: nothing of the way is left. The same objects in a new namespace are the oracle.
 */
import fc from 'fast-check'
import { isFailure } from '@slurm-operator/kube'
import { until } from '@slurm-operator/local'
import { createRandomSource } from '@slurm-operator/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBed, type Bed } from '../testing/bed.ts'
import { describeOutcome, findDifferences } from './describe-outcome.ts'
import { anyHistories, leaves, type Happening, type History } from './gen-histories.ts'
import { OperatorLives } from './operator-lives.ts'
import { createSmallCluster, names, ourKinds, readSmallCluster, resourceOfKind } from './small-cluster.ts'

const ROUND = 4
/** `RANDOM_EDIT_HISTORIES=100` for the long way. */
const HISTORIES = Number(process.env['RANDOM_EDIT_HISTORIES'] ?? ROUND)
const SEED = Number(process.env['SEED'] ?? 20_261_116)
const SETTLED_WITHIN_MS = 60_000
const REST_MS = 10_000

let bed: Bed
let lives: OperatorLives
/** Fields of which at least one edit was accepted by the API server. */
const accepted = new Set<string>()

beforeAll(async () => {
  bed = await startBed()
  lives = new OperatorLives(bed, createRandomSource(SEED))
})
afterAll(async () => {
  await bed?.[Symbol.asyncDispose]()
})

async function happen(what: Happening, namespace: string): Promise<void> {
  if (what.do === 'end') return lives.endAfter(what.afterCalls)
  const body = what.do === 'edit' ? { spec: what.spec } : { metadata: what.metadata }
  try {
    await bed.client
      .resource(resourceOfKind(what.kind))
      .patch({ namespace, name: names[what.kind] }, { type: 'merge', body })
    if (what.do === 'edit' && what.quality !== 'wrong') accepted.add(what.path)
  } catch (error) {
    if (!isFailure(error, 'Invalid')) throw error // refused by the schema: nothing happened
  }
}

/** What is asked for in the end, and nothing besides. */
async function askFor(last: History['last'], namespace: string): Promise<void> {
  for (const kind of ourKinds) {
    const operations = [{ op: 'replace', path: '/spec', value: last[kind] }]
    await bed.client
      .resource(resourceOfKind(kind))
      .patch({ namespace, name: names[kind] }, { type: 'json', operations })
  }
}

async function play({ happenings, last }: History, [edits, fresh]: readonly [string, string]): Promise<void> {
  await createSmallCluster(bed.client, edits)
  lives.makeStorm()
  for (const what of happenings) {
    await lives.beThere()
    await happen(what, edits)
    await lives.breathe()
  }
  await askFor(last, edits)
  await lives.calmDown()
  await createSmallCluster(bed.client, fresh, await readSmallCluster(bed.client, edits))
  const compare = async () => {
    const [one, other] = await Promise.all([describeOutcome(bed.client, edits), describeOutcome(bed.client, fresh)])
    const differences = findDifferences(one, other)
    if (differences.length > 0) throw new Error(differences.join('\n'))
    return other
  }
  const outcome = await until(`${fresh} to be like ${edits}`, compare, { timeoutMs: SETTLED_WITHIN_MS, everyMs: 500 })
  expect(outcome.filter((text) => text.includes('"status":"True","type":"Stalled"'))).toEqual([]) // else it proves little
}

/** Rounds of histories, in each of which every field is edited. */
function sampleHistories(): readonly History[] {
  const rounds = Array.from({ length: Math.ceil(HISTORIES / ROUND) }, (_, round) => SEED + round)
  return rounds.flatMap((seed) => fc.sample(anyHistories(ROUND), { numRuns: 1, seed }).flat())
}

describe('the operator on a real API server prevents that', () => {
  const histories = sampleHistories()
  const timeout = 120_000 * histories.length
  test('what was before an edit, a kill, a fault or a bad value stays', { timeout }, async () => {
    const wrong: string[] = []
    for (const [index, history] of histories.entries()) {
      const failed = (error: unknown) => wrong.push(`history ${index} of seed ${SEED}: ${String(error)}`)
      await play(history, [`edits-${index}`, `fresh-${index}`]).catch(failed)
    }
    const reached = `${accepted.size} of ${leaves.length} fields edited`
    console.log(`${histories.length} histories from seed ${SEED}: ${reached}; ${lives.describe()}`)
    expect(wrong).toEqual([])
    expect(leaves.flatMap(({ path }) => (accepted.has(path) ? [] : [path]))).toEqual([])
  })

  test('loops that have nothing to do go on', { timeout: 120_000 }, async () => {
    const { writes, passes } = await lives.rest(REST_MS)
    console.log(`at rest for ${REST_MS / 1000} s: ${writes.length} writes, ${passes} passes`)
    expect(writes).toEqual([])
    expect(passes).toBeLessThan(2 * histories.length * ourKinds.length)
  })
})
