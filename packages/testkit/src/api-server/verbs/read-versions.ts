import type { ServerCore } from '../core.ts'
import { ApiFailure, badRequest, causes, invalidOptions, type Cause } from '../objects/failure.ts'
import { isTrue } from '../requests/read-options.ts'

/** A resourceVersion in a query; undefined if there is none. */
export function readVersion(text: string | null): number | undefined {
  if (text === null || text === '') return undefined
  if (!/^\d+$/.test(text))
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`,
    )
  return Number(text)
}

/** Nobody can read what has not happened yet. A real server waits three seconds before it says so. */
export function checkNotInFuture(version: number | undefined, { store }: ServerCore): void {
  if (version === undefined || version <= store.version) return
  throw new ApiFailure(504, 'Timeout', `Timeout: Too large resource version: ${version}, current: ${store.version}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  })
}

/** Check the combination of options of a list or watch. */
export function checkListOptions(query: URLSearchParams, isWatch: boolean): void {
  const wrong = isWatch ? whyInvalidWatch(query) : whyInvalidList(query)
  if (wrong.length > 0) throw invalidOptions('ListOptions', wrong)
  if (!isWatch && query.has('continue') && (query.get('resourceVersion') ?? '') !== '') {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
}

function whyInvalidList(query: URLSearchParams): Cause[] {
  const match = query.get('resourceVersionMatch') ?? ''
  const version = query.get('resourceVersion') ?? ''
  const field = 'resourceVersionMatch'
  if (query.has('sendInitialEvents'))
    return [causes.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
  if (match === '') return []
  if (version === '')
    return [causes.forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided')]
  if (!['Exact', 'NotOlderThan'].includes(match))
    return [causes.unsupported(field, match, ['Exact', 'NotOlderThan', ''])]
  return match === 'Exact' && version === '0'
    ? [causes.forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
    : []
}

function whyInvalidWatch(query: URLSearchParams): Cause[] {
  const match = query.get('resourceVersionMatch') ?? ''
  const field = 'resourceVersionMatch'
  if (!query.has('sendInitialEvents')) {
    return match === ''
      ? []
      : [causes.forbidden(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]
  }
  if (match === 'NotOlderThan') return []
  const required = causes.forbidden(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
  return match === '' ? [required] : [required, causes.unsupported(field, match, ['NotOlderThan'])]
}

/** Whether a watch begins with all objects. */
export function wantsInitialEvents(query: URLSearchParams): boolean {
  return query.has('sendInitialEvents') && isTrue(query.get('sendInitialEvents'))
}
