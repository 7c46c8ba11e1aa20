import type { Clock } from '@slurm-operator/kube'
import { sendAnswer, textAnswer, type Answer } from '../serving/answer.ts'
import { createServer, type Server, type ServerOptions } from '../serving/server.ts'
import { ping, runCheck, type HealthCheck } from './check.ts'
import { printCheck, printHealth } from './print-health.ts'

/** What a probe server is made of. */
export interface HealthServerOptions extends Pick<ServerOptions, 'listen' | 'onListening' | 'onFailure'> {
  /** `/healthz`: whether the program should be restarted. None: that somebody answers is enough. */
  readonly live?: readonly HealthCheck[]
  /** `/readyz`: whether it does its work. */
  readonly ready?: readonly HealthCheck[]
  readonly clock: Clock
}

/** The server that the kubelet asks: plain HTTP, `/healthz` and `/readyz`, and each check under its name below. */
export function createHealthServer(options: HealthServerOptions): Server {
  const paths = new Map([
    ['healthz', orPing(options.live)],
    ['readyz', orPing(options.ready)],
  ])
  return createServer({
    ...options,
    name: 'health server',
    handle: async (request, response) => {
      const { pathname, searchParams } = URL.parse(request.url ?? '', 'http://health') ?? new URL('http://health')
      const [, path = '', name = '', ...rest] = pathname.split('/')
      const checks = paths.get(path)
      const question = { verbose: searchParams.has('verbose'), exclude: searchParams.getAll('exclude') }
      const answer = checks && rest.length === 0 && (await answerTo(checks, name, question, options.clock))
      sendAnswer(response, answer || textAnswer(404, '404 page not found'))
    },
  })
}

function orPing(checks: readonly HealthCheck[] = []): readonly HealthCheck[] {
  return checks.length === 0 ? [ping] : checks
}

async function answerTo(
  checks: readonly HealthCheck[],
  name: string,
  question: Parameters<typeof printHealth>[1],
  clock: Clock,
): Promise<Answer | undefined> {
  if (name === '') {
    const run = async (check: HealthCheck) =>
      question.exclude.includes(check.name) ? { name: check.name, why: undefined } : runCheck(check, clock)
    return printHealth(await Promise.all(checks.map(run)), question)
  }
  const check = checks.find((one) => one.name === name)
  return check && printCheck(await runCheck(check, clock))
}
