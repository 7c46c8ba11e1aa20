import { systemClock, type Clock } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { selfSigned } from '../certificates/given/self-signed.ts'
import { SetClock } from '../certificates/own/gen.ts'
import { anyPort, certificatesForTests, createTestClient, runServer } from '../serving/gen.ts'
import { createAuthorize, type AccessReviews, type ReviewedUser } from './authorize.ts'
import { parseMetrics } from './gen.ts'
import { createMetricsServer, type MetricsServerOptions } from './metrics-server.ts'
import { createMetrics } from './metrics.ts'
import { rememberAnswers } from './remember.ts'

/** An API server that knows a few tokens, and counts how often it is asked. */
function reviewer() {
  const asked = { tokens: 0, accesses: 0 }
  const users = new Map<string, ReviewedUser>([
    ['good', { username: 'prometheus', groups: ['system:serviceaccounts'] }],
    ['stranger', { username: 'somebody' }],
  ])
  const reviews: AccessReviews = {
    reviewToken: async (token) => {
      asked.tokens++
      if (token === 'down') throw new Error('no connection')
      if (token === 'hang') return new Promise(() => {})
      return users.get(token)
    },
    mayGet: async ({ username }, path) => {
      asked.accesses++
      return username === 'prometheus' && path === '/metrics'
    },
  }
  return { reviews, asked, users }
}

async function serve(options: Partial<MetricsServerOptions> = {}, authority?: string) {
  const metrics = createMetrics()
  const running = await runServer((onListening) =>
    createMetricsServer({ listen: anyPort, metrics, onListening, ...options }),
  )
  const client = createTestClient(running.port, authority)
  const dispose = async () => {
    client.close()
    await running[Symbol.asyncDispose]()
  }
  return { client, port: running.port, [Symbol.asyncDispose]: dispose }
}

describe('without TLS', () => {
  test('Prometheus does not understand the answer', async () => {
    await using server = await serve()
    const { code, headers, text } = await server.client.send('/metrics?x=1')
    expect({ code, type: headers['content-type'] }).toEqual({
      code: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
    })
    expect(parseMetrics(text).samples.length).toBeGreaterThan(50)
  })

  test('other paths and methods are served', async () => {
    await using server = await serve()
    expect((await server.client.send('/')).code).toBe(404)
    expect((await server.client.send('/debug/pprof/')).code).toBe(404)
    expect((await server.client.send('/metrics', { method: 'POST' })).code).toBe(405)
  })
})

describe('with TLS', () => {
  test('a port without a certificate of its own does not shake hands', async () => {
    await using server = await serve({ certificates: selfSigned(['localhost'], systemClock) })
    const { default: https } = await import('node:https')
    const code = await new Promise<number | undefined>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: server.port,
        path: '/metrics',
        rejectUnauthorized: false,
        agent: false,
      } as const
      https.get(options, (response) => resolve(response.resume().statusCode)).once('error', reject)
    })
    expect(code).toBe(200)
  })

  const answers: readonly [string | undefined, number][] = [
    [undefined, 401],
    ['Basic good', 401],
    ['Bearer', 401],
    ['Bearer wrong', 401],
    ['Bearer stranger', 403],
    ['Bearer down', 503],
    ['Bearer good', 200],
    ['bearer  good', 200],
  ]
  test.each(answers)('whoever sends %j is let in, or left outside', async (authorization, code) => {
    const { authority, source } = await certificatesForTests()
    const authorize = createAuthorize(reviewer().reviews, systemClock)
    await using server = await serve({ certificates: source, authorize }, authority)
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    const reply = await server.client.send('/metrics', { headers })
    expect(reply.code).toBe(code)
    expect(reply.text.includes('workqueue')).toBe(code === 200)
  })
})

describe('asking the API server', () => {
  const askers = (clock: Clock) => {
    const { reviews, asked, users } = reviewer()
    const authorize = createAuthorize(reviews, clock)
    return { asked, users, ask: (token: string) => authorize(`Bearer ${token}`, '/metrics') }
  }

  test('every scrape asks again', async () => {
    const clock = new SetClock(0)
    const { ask, asked } = askers(clock)
    for (let second = 0; second < 300; second += 15) {
      clock.set(second * 1000)
      expect(await ask('good')).toBe('admitted')
    }
    expect(asked).toEqual({ tokens: 5, accesses: 1 })
    clock.set(300_000)
    await ask('good')
    expect(asked.accesses).toBe(2)
  })

  test('a hundred scrapes at once ask a hundred times', async () => {
    const { ask, asked } = askers(new SetClock(0))
    await Promise.all(Array.from({ length: 100 }, () => ask('good')))
    expect(asked).toEqual({ tokens: 1, accesses: 1 })
  })

  test('a token that is taken back, or given, is believed for long', async () => {
    const clock = new SetClock(0)
    const { ask, users } = askers(clock)
    expect(await ask('good')).toBe('admitted')
    expect(await ask('new')).toBe('unauthenticated')
    users.set('new', { username: 'prometheus' })
    users.delete('good')
    clock.set(10_000)
    expect(await ask('new')).toBe('admitted')
    clock.set(60_000)
    expect(await ask('good')).toBe('unauthenticated')
  })

  test('a failure is remembered, or a hanging API server hangs us', async () => {
    const clock = new SetClock(0)
    const { ask, asked } = askers(clock)
    expect(await ask('down')).toBe('unknown')
    expect(await ask('down')).toBe('unknown')
    expect(asked.tokens).toBe(2)
    const hanging = ask('hang')
    await expect.poll(() => clock.waiting).toEqual([10_000])
    clock.set(10_000)
    expect(await hanging).toBe('unknown')
  })

  test('a stranger who sends ever new tokens fills the memory', async () => {
    let finds = 0
    const remembered = rememberAnswers<number>(new SetClock(0), () => 1000)
    for (let key = 0; key < 5000; key++) await remembered.ask(String(key), async () => ++finds)
    await remembered.ask('4999', async () => ++finds)
    expect(finds).toBe(5000)
    await remembered.ask('0', async () => ++finds)
    expect(finds, 'the oldest are forgotten').toBe(5001)
  })
})
