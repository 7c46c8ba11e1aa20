/** Ten thousand bodies that nobody would send: never a crash, never a 500, always an answer that says why. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reviewOf, runWebhooks, type Answered, type RunningWebhooks } from './gen.ts'
import { readReview } from './read-review.ts'
import { allowed } from './verdict.ts'

let hooks: RunningWebhooks

beforeAll(async () => {
  hooks = await runWebhooks([
    { kind: 'mutating', path: '/m', judge: ({ name }) => ({ allowed: true, warnings: [String(name)] }) },
    { kind: 'validating', path: '/v', judge: () => allowed },
  ])
})
afterAll(() => hooks[Symbol.asyncDispose]())

const anyBytes = fc.uint8Array({ maxLength: 300 })
const anyJson = fc.json().map((text) => Buffer.from(text))
const names = [
  'apiVersion',
  'kind',
  'request',
  'uid',
  'operation',
  'resource',
  'object',
  'userInfo',
  'groups',
  '__proto__',
  'toString',
]
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(...names),
  fc.dictionary(fc.constantFrom(...names), fc.jsonValue()),
)

/** A real review with some of its parts replaced, taken out or put in. */
const almostReview = fc
  .record({
    inside: fc.dictionary(fc.constantFrom(...names), anyValue, { maxKeys: 3 }),
    outside: fc.dictionary(fc.constantFrom(...names), anyValue, { maxKeys: 1 }),
    version: fc.constantFrom('v1', 'v1beta1'),
  })
  .map(({ inside, outside, version }) => {
    const { request, ...review } = reviewOf({}, version)
    const { request: replaced, ...others } = outside
    return Buffer.from(
      JSON.stringify({ ...review, ...others, request: replaced ?? { ...(request as object), ...inside } }),
    )
  })

/** A real review, cut or with one byte changed. */
const damagedReview = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.boolean() }).map(({ at, byte, cut }) => {
  const bytes = Buffer.from(JSON.stringify(reviewOf()))
  const place = at % bytes.length
  if (cut) return bytes.subarray(0, place)
  bytes[place] = byte
  return bytes
})

const anyBody = fc.oneof(anyBytes, anyJson, almostReview, damagedReview)

test('no body at all makes reading throw, and what is read is what it says it is', () => {
  fc.assert(
    fc.property(anyBody, (body) => {
      const read = readReview(Buffer.from(body))
      if (read.kind !== 'review') return
      const { uid, operation, kind, resource } = read.review.request
      expect([uid, kind.kind, resource.resource].every((text) => typeof text === 'string' && text !== '')).toBe(true)
      expect(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']).toContain(operation)
    }),
    { numRuns: 3000 },
  )
}, 60_000)

function whyBadAnswer(code: number, text: string): string | undefined {
  if (code === 400) return /^Cannot read the review: .+\.\n$/.test(text) ? undefined : `no reason: ${text}`
  if (code !== 200) return `code ${code}`
  const { response } = JSON.parse(text) as { response: Answered }
  if (response.uid === '') return 'no uid'
  return response.allowed || response.status?.message.startsWith('Cannot ') ? undefined : `no reason: ${text}`
}

test('ten thousand hostile bodies: a crash, a 500 or an answer without a reason', async () => {
  const counts = new Map<number, number>()
  const check = async (body: Uint8Array, path: string) => {
    const { code, text } = await hooks.send(path, body)
    counts.set(code, (counts.get(code) ?? 0) + 1)
    expect(whyBadAnswer(code, text)).toBeUndefined()
  }
  const bodies = fc.sample(fc.tuple(anyBody, fc.constantFrom('/m', '/v', '/m?timeout=1s', '/v?timeout=%00')), 10_000)
  for (let from = 0; from < bodies.length; from += 100) {
    await Promise.all(bodies.slice(from, from + 100).map(([body, path]) => check(body, path)))
  }
  expect(counts.get(200) ?? 0, 'some are reviews').toBeGreaterThan(500)
  expect(counts.get(400) ?? 0, 'some are not').toBeGreaterThan(1000)
  expect(hooks.told.failures).toEqual([])
  expect(hooks.told.inFlight).toBe(0)
}, 120_000)

test('a body of nothing but depth ends the program', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"request":', '}'],
  ] as const) {
    const depth = Math.floor(2_000_000 / (open.length + close.length))
    const deep = `${open.repeat(depth)}1${close.repeat(depth)}`
    expect((await hooks.send('/v', deep)).code).toBe(400)
    const within = JSON.stringify(reviewOf()).replace('{"spec":{}}', deep)
    expect((await hooks.send('/v', within)).code).toBeLessThanOrEqual(400)
  }
}, 30_000)
