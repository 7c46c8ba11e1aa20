import type { ReadReview, ReviewKind, ReviewOperation, ReviewRequest, ReviewVersion } from './review.ts'

/** Read a body whoever sent it: never throws, and takes nothing for granted. */
export function readReview(body: Buffer): ReadReview {
  const document = parse(body)
  if (document === undefined) return unreadable('the body is not JSON')
  if (document['kind'] !== 'AdmissionReview') return unreadable('the body is not an AdmissionReview')
  const version = document['apiVersion']
  if (!isVersion(version)) return unreadable(`the version of the AdmissionReview is not one of ${versions.join(', ')}`)
  const request = fields(document['request'])
  const uid = request?.['uid']
  if (request === undefined || typeof uid !== 'string' || uid === '') return unreadable('the review has no request.uid')
  const because = whyIncomplete(request)
  if (because !== undefined) return { kind: 'incomplete', because, version, uid }
  return { kind: 'review', review: { version, request: readRequest(request, uid) } }
}

const versions: readonly ReviewVersion[] = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1']
const operations: readonly ReviewOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']

type Fields = Readonly<Record<string, unknown>>

function whyIncomplete(request: Fields): string | undefined {
  if (!operations.includes(request['operation'] as ReviewOperation)) return 'request.operation is not known'
  if (textOf(fields(request['kind']), 'kind') === undefined) return 'request.kind is missing'
  return textOf(fields(request['resource']), 'resource') === undefined ? 'request.resource is missing' : undefined
}

/** Called only for requests that are complete. */
function readRequest(request: Fields, uid: string): ReviewRequest {
  const resource = fields(request['resource'])
  return {
    uid,
    kind: readKind(fields(request['kind'])),
    resource: { ...groupVersion(resource), resource: textOf(resource, 'resource') ?? '' },
    operation: request['operation'] as ReviewOperation,
    userInfo: readUser(fields(request['userInfo'])),
    dryRun: request['dryRun'] === true,
    ...optionalText(request, 'subResource'),
    ...optionalText(request, 'name'),
    ...optionalText(request, 'namespace'),
    ...optionalObject(request, 'object'),
    ...optionalObject(request, 'oldObject'),
    ...optionalObject(request, 'options'),
  }
}

function readKind(kind: Fields | undefined): ReviewKind {
  return { ...groupVersion(kind), kind: textOf(kind, 'kind') ?? '' }
}

function groupVersion(of: Fields | undefined): { readonly group: string; readonly version: string } {
  return { group: textOf(of, 'group') ?? '', version: textOf(of, 'version') ?? '' }
}

function readUser(user: Fields | undefined): ReviewRequest['userInfo'] {
  const groups = user?.['groups']
  return {
    ...optionalText(user ?? {}, 'username'),
    ...(Array.isArray(groups) && { groups: groups.filter((group) => typeof group === 'string') }),
  }
}

function optionalText<Name extends string>(of: Fields, name: Name): { readonly [K in Name]?: string } {
  const text = textOf(of, name)
  return (text === undefined ? {} : { [name]: text }) as { readonly [K in Name]?: string }
}

/** The API server sends null for what is not there. */
function optionalObject<Name extends string>(of: Fields, name: Name): { readonly [K in Name]?: unknown } {
  const value = of[name]
  return (value === undefined || value === null ? {} : { [name]: value }) as { readonly [K in Name]?: unknown }
}

function textOf(of: Fields | undefined, name: string): string | undefined {
  const value = of?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function parse(body: Buffer): Fields | undefined {
  try {
    return fields(JSON.parse(body.toString('utf8')))
  } catch {
    return undefined // whatever is wrong with it, it is not JSON
  }
}

function unreadable(because: string): ReadReview {
  return { kind: 'unreadable', because }
}

function isVersion(value: unknown): value is ReviewVersion {
  return versions.includes(value as ReviewVersion)
}
