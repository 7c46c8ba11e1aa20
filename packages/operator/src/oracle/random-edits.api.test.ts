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

/** `RANDOM_EDIT_HISTORIES=100` for the long way. Every field is edited in any number of them. */
const HISTORIES = Number(process.env['RANDOM_EDIT_HISTORIES'] ?? 6)
const SEED = Number(process.env['SEED'] ?? 20_261_116)
const SETTLED_WITHIN_MS = 45_000
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
  const t0 = performance.now()
  await createSmallCluster(bed.client, edits)
  lives.makeStorm()
  for (const what of happenings) {
    await lives.beThere()
    await happen(what, edits)
  }
  const t1 = performance.now()
  await askFor(last, edits)
  await lives.calmDown()
  const t2 = performance.now()
  await createSmallCluster(bed.client, fresh, await readSmallCluster(bed.client, edits))
  await until(
    `${fresh} to be like ${edits}`,
    async () => {
      const differences = findDifferences(
        await describeOutcome(bed.client, edits),
        await describeOutcome(bed.client, fresh),
      )
      if (differences.length > 0) throw new Error(differences.join('\n'))
      return true
    },
    { timeoutMs: SETTLED_WITHIN_MS, everyMs: 500 },
  )
  console.log(`${fresh}: ${happenings.length} happenings, play ${Math.round(t1 - t0)} ms, calm ${Math.round(t2 - t1)}, settle ${Math.round(performance.now() - t2)}`)
  for (const line of await describeOutcome(bed.client, fresh)) if (/ObjectInvalid|InvalidSpec|Unreadable|WriteFailed|ImmutableField/.test(line) && line.includes('"status":{')) console.log(line.slice(0, 1500))
}

describe('the operator on a real API server prevents that', () => {
  const timeout = 120_000 * HISTORIES
  test('what was before an edit, a kill, a fault or a bad value stays', { timeout }, async () => {
    const [histories = []] = fc.sample(anyHistories(HISTORIES), { numRuns: 1, seed: SEED })
    const wrong: string[] = []
    for (const [index, history] of histories.entries()) await play(history, [`edits-${index}`, `fresh-${index}`]).catch((error: unknown) => wrong.push(String(error)))
    expect(wrong).toEqual([])
    console.log(
      `${HISTORIES} histories from seed ${SEED}: ${accepted.size} of ${leaves.length} fields edited; ${lives.describe()}`,
    )
    expect(leaves.flatMap(({ path }) => (accepted.has(path) ? [] : [path]))).toEqual([])
  })

  test('loops that have nothing to do go on', { timeout: 120_000 }, async () => {
    const { writes, passes } = await lives.rest(REST_MS)
    console.log(`at rest for ${REST_MS / 1000} s: ${writes.length} writes, ${passes} passes`)
    expect(writes).toEqual([])
    expect(passes).toBeLessThan(2 * HISTORIES * ourKinds.length)
  })
})
