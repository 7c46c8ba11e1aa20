import type { HttpRequest } from '@slurm-operator/kube'
import type { ServerCore } from './core.ts'
import { discover } from './discovery/discovery.ts'
import { dispatch } from './dispatch.ts'
import { ApiFailure, noSuchPath } from './objects/failure.ts'
import { documentReply, type Reply } from './requests/call.ts'
import { parseAddress } from './requests/parse-address.ts'
import type { ServerView } from './store/view.ts'

/** What a request is, without anything about connections. */
export type PlainRequest = Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body'>

/** An answer and what it says beside. */
export interface Answer {
  readonly reply: Reply | { readonly kind: 'text'; readonly status: number; readonly text: string }
  readonly warnings: readonly string[]
}

const version = { major: '1', minor: '36', gitVersion: 'v1.36.3', platform: 'in-process' }

/** Answer one request. Refusals are answers; only a bug throws. */
export async function answerRequest(core: ServerCore, request: PlainRequest, view: ServerView): Promise<Answer> {
  const warnings: string[] = []
  try {
    return { reply: await replyTo(core, request, view, (text) => warnings.push(text)), warnings }
  } catch (error) {
    if (error instanceof ApiFailure) return { reply: documentReply(error.status, error.status.code), warnings }
    throw error
  }
}

async function replyTo(
  core: ServerCore,
  request: PlainRequest,
  view: ServerView,
  warn: (text: string) => void,
): Promise<Answer['reply']> {
  const url = new URL(request.path, 'http://in-process')
  const address = parseAddress(url.pathname)
  const header = (name: string) => findHeader(request.headers, name) ?? ''
  if (address.kind === 'discovery') return discover(core.registry, address.parts, header('accept'))
  if (address.kind === 'other') return answerOther(address.path)
  const { group, version, plural, place } = address
  if (!core.registry.hasGroup(group, version)) return { kind: 'text', status: 404, text: '404 page not found\n' }
  const type = core.registry.find(group, version, plural)
  if (type === undefined || (place.namespace !== undefined && !type.namespaced)) throw noSuchPath()
  if (place.isWatchPath) url.searchParams.set('watch', 'true')
  return dispatch(core, {
    ...{ type, method: request.method, query: url.searchParams, body: request.body, view, warn },
    namespace: place.namespace,
    name: place.name,
    subresource: place.subresource,
    contentType: header('content-type'),
    accept: header('accept'),
    manager: header('user-agent').split('/')[0] || 'unknown',
  })
}

/** Our own client writes all names in small letters; others need not. */
function findHeader(headers: PlainRequest['headers'], name: string): string | undefined {
  return headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
}

function answerOther(path: string): Answer['reply'] {
  if (path === '/version') return documentReply(version)
  if (['/healthz', '/readyz', '/livez'].includes(path)) return { kind: 'text', status: 200, text: 'ok' }
  return { kind: 'text', status: 404, text: '404 page not found\n' }
}
