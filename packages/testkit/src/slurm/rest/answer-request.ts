/**
 * One request through slurmrestd: who asks, for what, in which version; then the route has its say.
 *
 * @module
 */
import { text, type RestAnswer, type Voice } from './answer.ts'
import { hasToken, userOf } from './authenticate.ts'
import type { Call, RestRequest } from './call.ts'
import type { Restd } from './restd.ts'
import { routes, type Route } from './routes.ts'

const acceptable = ['application/json', 'application/yaml', '*/*']
const plugins = { slurm: 'slurmctld', slurmdb: 'slurmdbd', util: 'util' } as const

/** Answer a request. Everything that was due in Slurm has happened before. */
export function answerRequest(restd: Restd, request: RestRequest): RestAnswer {
  restd.controller.settle()
  const { release } = restd
  if (!hasToken(request.headers)) return text(401, 'Authentication failure', release.doublesText)
  const { pathname, searchParams } = new URL(request.path, 'http://slurmrestd')
  const target = findTarget(restd, request.method, pathname)
  if (!target) return text(404, release.unknownPathText, release.doublesText)
  const obstacle = whyNotReadable(request)
  if (obstacle) return obstacle
  const body = readBody(request.body)
  if (!body) return text(400, release.badBodyText)
  const { route, version, names } = target
  const query = new Map(searchParams)
  const call: Call = {
    restd,
    version,
    user: userOf(restd, request.headers),
    names,
    query,
    body,
    voice: voiceOf(restd, target),
  }
  return route.answer(call)
}

interface Target {
  readonly route: Route
  readonly version: string
  readonly names: readonly string[]
}

function findTarget(restd: Restd, method: string, pathname: string): Target | undefined {
  const [plugin, version = '', ...parts] = pathname.split('/').filter((part) => part !== '')
  const served = restd.strangeVersions ?? restd.release.versions
  if (!served.includes(version)) return undefined
  if (plugin === 'slurmdb' && !restd.accounting.isConfigured) return undefined
  for (const route of routes) {
    if (route.plugin !== plugin || route.method !== method || (route.since ?? '') > version) continue
    const names = namesIn(route.parts, parts)
    if (names && mayDelete(restd, route)) return { route, version, names }
  }
  return undefined
}

/** Older daemons cannot delete reservations by REST. */
function mayDelete({ release }: Restd, { method, path }: Route): boolean {
  return release.deletesReservations || method !== 'DELETE' || path !== 'reservation/*'
}

function namesIn(pattern: readonly string[], parts: readonly string[]): string[] | undefined {
  if (pattern.length !== parts.length) return undefined
  const names: string[] = []
  for (const [at, expected] of pattern.entries()) {
    const part = parts[at] ?? ''
    if (expected === '*') names.push(decodeURIComponent(part))
    else if (expected !== part) return undefined
  }
  return names
}

function whyNotReadable({ headers, body }: RestRequest): RestAnswer | undefined {
  const accepted = (headers['accept'] ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim() ?? '')
  if (!accepted.some((type) => acceptable.includes(type)))
    return text(415, 'HTTP Accept header content type is unknown or unsupported')
  const type = headers['content-type'] ?? 'application/json'
  return body === '' || acceptable.includes(type) ? undefined : text(415, 'MIME type is unknown to any loaded plugins')
}

/** The object in a body; undefined: it cannot be read. */
function readBody(body: string): Readonly<Record<string, unknown>> | undefined {
  if (body === '') return {}
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function voiceOf(restd: Restd, { route, version }: Target): Voice {
  return {
    release: restd.release,
    version,
    plugin: plugins[route.plugin],
    clusterName: restd.clusterName,
    accounting: restd.accounting.isConfigured,
    warnings: [],
  }
}
