/** The whole webhook on a real API server: own certificates, every rule, bindings, many requests at once. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validObject } from '../admission/gen-objects.ts'
import { rows } from '../admission/gen-rows.ts'
import { beginnings, objectOf, type Row, type ValidatedKind } from '../admission/gen.ts'
import { startHookedServer, type HookedServer } from './webhook-testing/gen.ts'

let server: HookedServer

beforeAll(async () => {
  server = await startHookedServer()
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})

describe('through a real API server', () => {
  for (const [kind, cases] of Object.entries(rows) as [ValidatedKind, readonly Row[]][]) {
    test(`every rule about a ${kind} holds`, async () => {
      const wrong: string[] = []
      for (const row of cases.filter(({ world }) => !isUnreadable(world))) {
        const why = await whyUnlike(kind, row)
        if (why !== undefined) wrong.push(`${row.name}: ${why}`)
      }
      expect(wrong).toEqual([])
    })
  }
})

/** A world that only a broken server could show. */
function isUnreadable(world: Row['world']): boolean {
  return (
    JSON.stringify(world, (_key, value: unknown) => (value instanceof Error ? 'broken' : value))?.includes('broken') ??
    false
  )
}

/** Play one row, and say in what the server's answer differs from it. */
async function whyUnlike(kind: ValidatedKind, row: Row): Promise<string | undefined> {
  const { errors = [], warnings = [] } = row
  await using place = await server.prepare(kind, row)
  if (place.refusedBefore !== undefined) return undefined // the schema does not even let the old object exist
  const answer = await place.apply()
  const isDenied = answer.error?.includes('denied the request: ') ?? false
  const said = isDenied ? (answer.error?.split('denied the request: ')[1] ?? '').split('; ') : []
  if (errors.length > 0 !== (answer.error !== undefined)) return answer.error ?? 'accepted'
  if (isDenied && beginnings(said, errors).join() !== errors.join()) return said.join('; ')
  const told = beginnings(answer.warnings, warnings).join()
  return answer.error === undefined && told !== warnings.join() ? `warned: ${answer.warnings.join('; ')}` : undefined
}

test('an API server that asks in the old version gets no answer', async () => {
  await server.install('v1beta1')
  const refused = await server.tryCreate(objectOf('NodeSet', { extraConf: 'x' }, { name: 'beta' }))
  expect(refused.error).toContain('denied the request: spec.extraConf: it has the word "x"')
  expect(await server.tryCreate(objectOf('NodeSet', {}, { name: 'beta' }))).toMatchObject({ error: undefined })
  await server.install('v1')
})

test('unknown keys and wrong types pass unseen', async () => {
  const typo = await server.tryCreate(objectOf('NodeSet', { slurmd: { imagePullPolcy: 'Always' } }, { name: 'typo' }))
  expect(typo.warnings.join()).toContain('imagePullPolicy')
  const wrong = await server.tryCreate(objectOf('NodeSet', { slurmd: { image: 5 } }, { name: 'wrong' }))
  expect(wrong.error).toContain('spec.slurmd.image')
})

describe('the binding of a pod', () => {
  test('a worker starts without its topology', async () => {
    const annotations = await server.bind('worker', { labels: { 'app.kubernetes.io/name': 'slurmd' } })
    expect(annotations).toEqual({ 'topology.slinky.slurm.net/spec': 'topo-block:b0' })
  })

  test('a pod of somebody else is changed', async () => {
    expect(await server.bind('other', { labels: { app: 'web' } })).toBeUndefined()
  })

  test('a broken webhook blocks pods', async () => {
    await server.breakBindings()
    let tries = 0
    const bindAnother = () => server.bind(`late-${tries++}`, { labels: { 'app.kubernetes.io/name': 'slurmd' } })
    await expect.poll(bindAnother, { timeout: 20_000 }).toBeUndefined() // until the API server knows of the change
  })
})

test('many requests at once are lost', async () => {
  const startMs = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const spec = index % 2 === 0 ? {} : { extraConf: 'x' }
      return server.tryCreate(objectOf('NodeSet', spec, { name: `many-${index}` }), true)
    }),
  )
  console.log(`100 reviews at once: ${Math.round(performance.now() - startMs)} ms`)
  expect(answers.filter(({ error }) => error === undefined)).toHaveLength(50)
  expect(answers.filter(({ error }) => error?.includes('denied the request'))).toHaveLength(50)
})

test('a valid object is refused by the schema or by the webhook', async () => {
  const refused: string[] = []
  for (const { object } of fc.sample(validObject, { numRuns: 200, seed: 7 })) {
    const { error } = await server.tryCreate(object, true)
    if (error !== undefined) refused.push(`${error}: ${JSON.stringify(object)}`)
  }
  expect(refused).toEqual([])
})

test('the program cannot say whether it is ready', async () => {
  expect(await server.get('/readyz')).toEqual({ status: 200, text: 'ok' })
  expect(await server.get('/healthz')).toMatchObject({ status: 200 })
})
