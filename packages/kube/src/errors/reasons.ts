/** Why the API server, or the way to it, did not do what we asked. The first block are its own words in `Status.reason`. */
export type FailureReason = ServerReason | OwnReason

/** Reasons that servers give. */
export type ServerReason =
  | 'AlreadyExists' // somebody was faster, perhaps we ourselves
  | 'BadRequest'
  | 'Conflict' // the object changed meanwhile, or another field manager owns a field
  | 'Expired' // this resourceVersion is no longer known: list again
  | 'Forbidden'
  | 'Gone' // the same as Expired, from older servers
  | 'InternalError'
  | 'Invalid' // the server read the object and refused it: `causes` says which field
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'NotFound'
  | 'RequestEntityTooLarge'
  | 'ServerTimeout' // the server gave up; it may or may not have acted
  | 'ServiceUnavailable'
  | 'StoreReadError'
  | 'Timeout' // nobody answered before the deadline; the server may or may not have acted
  | 'TooManyRequests' // also: a disruption budget does not allow this eviction now
  | 'Unauthorized'
  | 'Unknown' // an answer without a reason that we know
  | 'UnsupportedMediaType'

/** Reasons that no server gives. */
export type OwnReason =
  | 'Unreachable' // no connection, or it broke; `mayHaveHappened` tells whether the request was sent
  | 'Malformed' // an answer that cannot be read
  | 'Aborted' // the caller gave up
  | 'Misconfigured' // the credentials or addresses that we were given cannot be used

const byCode: Readonly<Record<number, ServerReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

const serverReasons: ReadonlySet<string> = new Set<ServerReason>([
  ...Object.values(byCode),
  ...(['AlreadyExists', 'Expired', 'ServerTimeout', 'StoreReadError'] as const),
])

/** The reason in an answer: the server's word if we know it, else what the HTTP code says. */
export function reasonOf(code: number | undefined, word: string | undefined): ServerReason {
  if (word !== undefined && serverReasons.has(word)) return word as ServerReason
  return (code === undefined ? undefined : byCode[code]) ?? 'Unknown'
}
