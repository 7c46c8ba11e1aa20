import { connect } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { createTestClient } from '../serving/gen.ts'
import { SetClock } from '../certificates/own/gen.ts'
import { reviewOf, runWebhooks } from './gen.ts'
import type { Hook } from './hook.ts'
import { whyNotReached } from './reach-webhook.ts'
import { allowed, denied } from './verdict.ts'
import { BODY_LIMIT_BYTES, createWebhookServer } from './webhook-server.ts'

const yes: Hook = { kind: 'validating', path: '/yes', judge: () => allowed }
const no: Hook = { kind: 'validating', path: '/no', judge: () => denied('spec.a is wrong', 'spec.b is wrong') }

describe('a verdict reaches the API server', () => {
  test.each(['v1', 'v1beta1'])('in the version of the question: %s', async (version) => {
    await using hooks = await runWebhooks([yes, no])
    const { text, headers } = await hooks.send('/yes', JSON.stringify(reviewOf({}, version)))
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(text)).toEqual({
      apiVersion: `admission.k8s.io/${version}`,
      kind: 'AdmissionReview',
      response: { uid: 'u-1', allowed: true },
    })
    expect((await hooks.review('/no', reviewOf({}, version))).response).toMatchObject({
      allowed: false,
      status: { code: 403, reason: 'Forbidden', message: 'spec.a is wrong; spec.b is wrong' },
    })
    expect(hooks.told.codes).toEqual(['/yes 200', '/no 200'])
  })

  test('with changes, warnings and audit annotations', async () => {
    const patch = [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] as const
    const remarks = { warnings: ['careful'], auditAnnotations: { 'why.not': 'x', 'not/a/key': 'y', '': 'z' } }
    const mutate: Hook = { kind: 'mutating', path: '/m', judge: async () => ({ allowed: true, patch, ...remarks }) }
    await using hooks = await runWebhooks([mutate])
    const { response } = await hooks.review('/m', reviewOf())
    expect(response).toMatchObject({ allowed: true, patchType: 'JSONPatch', warnings: ['careful'] })
    expect(JSON.parse(Buffer.from(response.patch ?? '', 'base64').toString())).toEqual(patch)
    expect(response.auditAnnotations).toEqual({ 'why.not': 'x' })
  })

  test('the handler is told something else than what was sent', async () => {
    const seen: unknown[] = []
    const watch: Hook = { kind: 'validating', path: '/w', judge: (request) => (seen.push(request), allowed) }
    await using hooks = await runWebhooks([watch])
    await hooks.review(
      '/w',
      reviewOf({ operation: 'DELETE', object: null, oldObject: { a: 1 }, subResource: 'status' }),
    )
    expect(seen).toEqual([
      {
        uid: 'u-1',
        kind: { group: 'g', version: 'v1', kind: 'Thing' },
        resource: { group: 'g', version: 'v1', resource: 'things' },
        subResource: 'status',
        name: 'a',
        namespace: 'ns',
        operation: 'DELETE',
        userInfo: { username: 'alice', groups: ['people'] },
        oldObject: { a: 1 },
        dryRun: false,
      },
    ])
  })
})

describe('a handler that misbehaves', () => {
  const misdeeds: Readonly<Record<string, () => unknown>> = {
    throws: () => {
      throw new TypeError('token abc is not a function')
    },
    rejects: () => Promise.reject(new Error('token abc')),
    'throws what is no error': () => {
      // oxlint-disable-next-line typescript/only-throw-error -- that is the accident
      throw 'token abc'
    },
    'gives no verdict': () => undefined,
    'gives half a verdict': () => ({ allowed: false }),
    'gives something else': () => 'yes',
  }

  test.each(Object.keys(misdeeds))('%s: the API server gets an HTTP error, a stack or a secret', async (name) => {
    const judge = misdeeds[name] as Hook['judge']
    await using hooks = await runWebhooks([{ kind: 'validating', path: '/x', judge }])
    const { code, response } = await hooks.review('/x', reviewOf())
    expect(code).toBe(200)
    expect(response).toMatchObject({ uid: 'u-1', allowed: false, status: { code: 500, reason: 'InternalError' } })
    expect(response.status?.message).toBe(
      'Cannot check Thing ns/a: the check itself failed. Try again; if it stays so, look for review u-1 in the log of the webhook.',
    )
    expect(hooks.told.failures).toHaveLength(1)
    expect(hooks.told.panics).toBe(1)
  })

  test('never answers: the API server waits until its own time-out, and nobody knows for what', async () => {
    const clock = new SetClock(0)
    let signal: AbortSignal | undefined
    const judge: Hook['judge'] = (_request, ending) => {
      signal = ending
      return new Promise(() => {})
    }
    await using hooks = await runWebhooks([{ kind: 'validating', path: '/x', judge }], clock)
    const answer = hooks.review('/x?timeout=3s', reviewOf())
    await expect.poll(() => clock.waiting).toEqual([2700])
    expect(signal?.aborted).toBe(false)
    clock.set(2700)
    expect((await answer).response).toMatchObject({
      allowed: false,
      status: { code: 504, message: expect.stringContaining('Cannot check Thing ns/a: no answer within 2.7 s.') },
    })
    expect(signal?.aborted).toBe(true)
  })

  test('goes on working for a client that has gone', async () => {
    const entered = Promise.withResolvers<AbortSignal>()
    const judge: Hook['judge'] = (_request, signal) => {
      entered.resolve(signal)
      return new Promise(() => {})
    }
    await using hooks = await runWebhooks([{ kind: 'validating', path: '/x', judge }], new SetClock(0))
    const client = createTestClient(hooks.running.port, hooks.authority)
    const answer = client.send('/x', {
      method: 'POST',
      body: JSON.stringify(reviewOf()),
      headers: { 'content-type': 'application/json' },
    })
    const signal = await entered.promise
    client.close()
    await expect(answer).rejects.toThrow('hang up')
    await expect.poll(() => signal.aborted).toBe(true)
  })
})

describe('what is no review', () => {
  const whole = JSON.stringify(reviewOf())
  const cases: readonly [string, string, string | Uint8Array, Record<string, string>, number, RegExp][] = [
    ['another path', '/elsewhere', whole, {}, 404, /no webhook/],
    ['another content type', '/yes', whole, { 'content-type': 'text/plain' }, 415, /application\/json/],
    ['no JSON', '/yes', '{', {}, 400, /not JSON/],
    ['no object', '/yes', '[]', {}, 400, /not JSON/],
    ['another kind', '/yes', '{"kind":"Pod"}', {}, 400, /not an AdmissionReview/],
    ['another version', '/yes', JSON.stringify(reviewOf({}, 'v2')), {}, 400, /one of admission\.k8s\.io\/v1, /],
    ['no uid', '/yes', JSON.stringify(reviewOf({ uid: undefined })), {}, 400, /no request\.uid/],
    ['too much', '/yes', Buffer.alloc(BODY_LIMIT_BYTES + 1, ' '), {}, 413, /larger than 3 MiB/],
    ['much too much', '/yes', Buffer.alloc(5 * BODY_LIMIT_BYTES, ' '), {}, 413, /larger than 3 MiB/],
  ]
  test.each(cases)('%s: a code that says nothing', async (_name, path, body, headers, code, text) => {
    await using hooks = await runWebhooks([yes])
    expect(await hooks.send(path, body, headers)).toMatchObject({ code, text: expect.stringMatching(text) })
    expect((await hooks.review('/yes', reviewOf())).response.allowed, 'and it goes on').toBe(true)
  })

  test('one that is almost 3 MiB large is refused', async () => {
    await using hooks = await runWebhooks([yes])
    const large = JSON.stringify(reviewOf({ object: { text: 'x'.repeat(BODY_LIMIT_BYTES - 1000) } }))
    expect((await hooks.send('/yes', large)).code).toBe(200)
    const charset = { 'content-type': 'Application/JSON; charset=utf-8' }
    expect((await hooks.send('/yes', whole, charset)).code).toBe(200)
  })

  test('GET is answered', async () => {
    await using hooks = await runWebhooks([yes])
    const client = createTestClient(hooks.running.port, hooks.authority)
    expect(await client.send('/yes')).toMatchObject({ code: 405, headers: { allow: 'POST' } })
    client.close()
  })

  test('one that can be recognised but not understood is answered without a verdict', async () => {
    await using hooks = await runWebhooks([yes])
    const { response } = await hooks.review('/yes', reviewOf({ operation: 'SMASH' }))
    expect(response).toMatchObject({ uid: 'u-1', allowed: false, status: { code: 400 } })
  })

  test('one whose sender goes away in the middle counts as open for ever', async () => {
    await using hooks = await runWebhooks([yes])
    const socket = connect({ port: hooks.running.port, host: '127.0.0.1', ca: hooks.authority })
    socket.write('POST /yes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a"')
    await expect.poll(() => hooks.told.inFlight).toBe(1)
    socket.destroy()
    await expect.poll(() => hooks.told.inFlight).toBe(0)
    expect(hooks.told.failures).toEqual([])
  })
})

test('a hundred reviews at once lose some while the certificate changes', async () => {
  const slow: Hook = {
    kind: 'validating',
    path: '/slow',
    judge: () => new Promise((resolve) => setTimeout(() => resolve(allowed), 5)),
  }
  await using hooks = await runWebhooks([slow])
  const clients = Array.from({ length: 20 }, () => createTestClient(hooks.running.port, hooks.authority))
  const body = JSON.stringify(reviewOf())
  const headers = { 'content-type': 'application/json' }
  const changes = { left: 20 }
  let count = 0
  const changing = (async () => {
    for (; changes.left > 0; changes.left--) await hooks.changeCertificate()
  })()
  const asking = Array.from({ length: 100 }, async (_, index) => {
    for (let round = 0; round < 5 || changes.left > 0; round++) {
      const lasting = clients[index % clients.length]
      const fresh = index % 4 === 0 ? createTestClient(hooks.running.port, hooks.authority) : undefined
      const { code, text } = (await (fresh ?? lasting)?.send('/slow', { method: 'POST', body, headers })) ?? {
        code: 0,
        text: '',
      }
      expect(code).toBe(200)
      expect(text).toContain('"allowed":true')
      fresh?.close()
      count++
    }
  })
  await Promise.all([changing, ...asking])
  expect(count).toBeGreaterThanOrEqual(500)
  expect(hooks.told.inFlight).toBe(0)
  for (const client of clients) client.close()
}, 60_000)

test('two hooks on one path hide each other', () => {
  const make = () =>
    createWebhookServer({
      listen: { port: 0 },
      hooks: [yes, yes],
      clock: new SetClock(0),
      certificates: { run: async () => {} },
    })
  expect(make).toThrow('two hooks have the same path')
})

test('the readiness check says yes to a port where nobody shakes hands', async () => {
  await using hooks = await runWebhooks([yes])
  expect(await whyNotReached(hooks.running.port)).toBeUndefined()
  hooks.running.stop()
  await hooks.running.ended
  expect(await whyNotReached(hooks.running.port)).toMatch(/cannot be reached/)
})
