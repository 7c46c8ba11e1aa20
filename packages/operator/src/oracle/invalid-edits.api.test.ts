/**
 * Values that the schemas forbid, in every field of every kind: with admission none of them is stored; without it, and
 * with CRDs that let everything pass, each is a condition on its own object and nothing else.
 */
import fc from 'fast-check'
import { API_GROUP_VERSION, buildCrd, findProblems, kinds } from '@slurm-operator/api'
import {
  applyMergePatch,
  configMapResource,
  customResourceDefinitionResource,
  type Client,
  type Condition,
  type JsonObject,
} from '@slurm-operator/kube'
import { until, untilTrue } from '@slurm-operator/local'
import { createRandomSource } from '@slurm-operator/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHookedServer, type HookedServer } from '../programs/webhook-testing/gen.ts'
import { startBed, type Bed } from '../testing/bed.ts'
import { describeOutcome } from './describe-outcome.ts'
import { anyEditAt, type Edit, type Quality } from './gen-edits.ts'
import { leaves } from './gen-histories.ts'
import { OperatorLives } from './operator-lives.ts'
import { createSmallCluster, firstSpecs, names, ourKinds, resourceOfKind } from './small-cluster.ts'

const SEED = Number(process.env['SEED'] ?? 20_261_116)
const NAMESPACE = 'slurm'

function editsOf(quality: Quality, each: number): readonly Edit[] {
  return leaves.flatMap((leaf) => fc.sample(anyEditAt(leaf, quality), { numRuns: each, seed: SEED }))
}

const objectWith = ({ kind, spec }: Edit, name: string) => ({
  ...{ apiVersion: API_GROUP_VERSION, kind, metadata: { name, namespace: NAMESPACE } },
  spec: applyMergePatch(firstSpecs[kind], spec) as JsonObject,
})

describe('with admission', () => {
  let server: HookedServer
  beforeAll(async () => {
    server = await startHookedServer()
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
  })

  const answer = async (edit: Edit) => (await server.tryCreate(objectWith(edit, 'one'), true)).error

  test('something wrong reaches a loop', async () => {
    const edits = editsOf('wrong', 4)
    const taken: string[] = []
    for (const edit of edits)
      if ((await answer(edit)) === undefined) taken.push(`${edit.path}: ${JSON.stringify(edit.spec)}`)
    console.log(`${edits.length} wrong values in ${leaves.length} fields from seed ${SEED}`)
    expect(taken).toEqual([])
  })

  test('something sound is refused', async () => {
    const refused: string[] = []
    for (const edit of editsOf('sound', 2)) {
      const error = await answer(edit)
      if (error !== undefined) refused.push(`${edit.path}: ${error}`)
    }
    expect(refused).toEqual([])
  })

  test('something odd is taken in which a loop would find an error', async () => {
    const taken: string[] = []
    for (const edit of editsOf('odd', 8)) {
      const errors = findProblems(edit.kind, objectWith(edit, 'one')).filter(({ severity }) => severity === 'error')
      if (errors.length > 0 && (await answer(edit)) === undefined)
        taken.push(`${edit.path}: ${JSON.stringify(edit.spec)}`)
    }
    expect(taken).toEqual([])
  })
})

describe('without admission, and with CRDs that know nothing', () => {
  let bed: Bed
  let operator: OperatorLives
  beforeAll(async () => {
    bed = await startBed()
    await createSmallCluster(bed.client, NAMESPACE)
    await forgetSchemas(bed.client)
    operator = new OperatorLives(bed, createRandomSource(SEED))
    await operator.beThere()
  })
  afterAll(async () => {
    await bed?.[Symbol.asyncDispose]()
  })

  test('one wrong value stops more than its own object, or nobody learns of it', { timeout: 240_000 }, async () => {
    const edits = editsOf('wrong', 1)
    for (const [index, edit] of edits.entries())
      await bed.client.resource(resourceOfKind(edit.kind)).create(objectWith(edit, `bad-${index}`))
    await untilNone('all to be told', () => findSilent(bed.client))
    await bed.client
      .resource(resourceOfKind('Controller'))
      .patch(
        { namespace: NAMESPACE, name: names.Controller },
        { type: 'merge', body: { spec: { extraConf: 'MinJobAge=7' } } },
      )
    await until(
      'the others to go on',
      async () => {
        const { items } = await bed.client.resource(configMapResource).list({ namespace: NAMESPACE })
        return items.some(({ data }) => data?.['slurm.conf']?.includes('MinJobAge=7')) || undefined
      },
      { timeoutMs: 30_000 },
    )
    await untilNone('the others to be well', () => findFailedNeighbours(bed.client))
    const nonsense = /\[object Object\]|\bundefined\b|\bNaN\b/
    expect((await describeOutcome(bed.client, NAMESPACE)).filter((text) => nonsense.test(text))).toEqual([])
  })

  test('what is wrong is looked at again and again', { timeout: 120_000 }, async () => {
    const { writes, passes } = await operator.rest(5_000)
    expect(writes).toEqual([])
    expect(passes).toBeLessThan(leaves.length)
  })
})

/** Wait until none is left; those that are left are named. */
async function untilNone(what: string, find: () => Promise<readonly string[]>): Promise<void> {
  const holds = async () => {
    const left = await find()
    if (left.length > 0) throw new Error(left.join('\n'))
    return true
  }
  await untilTrue(what, holds, { timeoutMs: 60_000, everyMs: 500 })
}

/** Let any spec pass. */
async function forgetSchemas(client: Client): Promise<void> {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const
  for (const kind of Object.values(kinds)) {
    const crd = buildCrd({ ...kind, scalable: false, spec: anything, rules: [] })
    await client.resource(customResourceDefinitionResource).apply(crd, { fieldManager: 'test', force: true })
  }
  const wrong = { kind: 'NodeSet', path: '', quality: 'wrong', spec: { replicas: 'many' } } as const
  const isTaken = () => client.resource(resourceOfKind('NodeSet')).create(objectWith(wrong, 'probe'), { dryRun: true })
  await until('the API server to forget the schemas', isTaken, { timeoutMs: 30_000 })
}

/** What an object says about itself. */
interface State {
  readonly name: string
  readonly reason: string
  readonly text: string
}

async function listStates(client: Client): Promise<readonly State[]> {
  const found = await Promise.all(
    ourKinds.map(async (kind) => {
      const { items } = await client.resource(resourceOfKind(kind)).list({ namespace: NAMESPACE })
      return items.map(({ metadata: { name }, status }) => {
        const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly Condition[] }
        const { reason = 'none', message = '' } = conditions.find(({ type }) => type === 'Ready') ?? {}
        return { name, text: `${kind} ${name}: ${reason}: ${message}`, reason }
      })
    }),
  )
  return found.flat()
}

/** Wrong objects that do not say what is wrong. */
async function findSilent(client: Client): Promise<readonly string[]> {
  const states = (await listStates(client)).filter(({ name }) => name.startsWith('bad-'))
  const isTold = ({ reason, text }: State) => /^(InvalidSpec|InputsUnreadable)$/.test(reason) && text.includes('spec.')
  return states.flatMap((state) => (isTold(state) ? [] : [state.text]))
}

/** Sound objects with which something went wrong. */
async function findFailedNeighbours(client: Client): Promise<readonly string[]> {
  const states = await listStates(client)
  const isFailed = (reason: string) =>
    ['InvalidSpec', 'PassFailed', 'WriteFailed', 'StepFailed', 'none'].includes(reason)
  return states.flatMap(({ name, text, reason }) => (!name.startsWith('bad-') && isFailed(reason) ? [text] : []))
}
