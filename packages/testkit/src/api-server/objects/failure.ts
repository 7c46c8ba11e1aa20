/**
 * Refusals with the codes, reasons and texts of a real API server. Clients sort by reason and people search for the
 * texts, so both are the real ones.
 *
 * @module
 */

/** One field that is wrong. */
export type Cause = { readonly reason: string; readonly message: string; readonly field?: string }

/** What a Status tells besides its message. */
export type StatusDetails = {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly Cause[]
  readonly retryAfterSeconds?: number
}

/** The answer to a call that failed. */
export type FailureStatus = {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly continue?: string }
  readonly status: 'Failure'
  readonly message: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code: number
}

/** Thrown by everything that refuses; the answer is its `status`. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: FailureStatus

  constructor(
    code: number,
    reason: string | undefined,
    message: string,
    more: { details?: StatusDetails; continue?: string } = {},
  ) {
    super(message)
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: more.continue === undefined ? {} : { continue: more.continue },
      status: 'Failure',
      message,
      ...(reason !== undefined && { reason }),
      ...(more.details !== undefined && { details: more.details }),
      code,
    }
  }
}

/** The part of a resource that refusals name. */
export interface Named {
  readonly group: string
  readonly plural: string
  readonly kind: string
}

/** `pods`, or `things.test.dev`. */
function resourceText({ group, plural }: Named): string {
  return group === '' ? plural : `${plural}.${group}`
}

function resourceDetails({ group, plural }: Named, name: string, causes?: readonly Cause[]): StatusDetails {
  return { name, ...(group !== '' && { group }), kind: plural, ...(causes && { causes }) }
}

/** 404 for one object. */
export function notFound(resource: Named, name: string): ApiFailure {
  return new ApiFailure(404, 'NotFound', `${resourceText(resource)} "${name}" not found`, {
    details: resourceDetails(resource, name),
  })
}

/** 404 for a path that leads nowhere. */
export function noSuchPath(): ApiFailure {
  return new ApiFailure(404, 'NotFound', 'the server could not find the requested resource', { details: {} })
}

/** 405. */
export function methodNotAllowed(): ApiFailure {
  return new ApiFailure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {
    details: {},
  })
}

/** 409 for a name that is taken. */
export function alreadyExists(resource: Named, name: string): ApiFailure {
  return new ApiFailure(409, 'AlreadyExists', `${resourceText(resource)} "${name}" already exists`, {
    details: resourceDetails(resource, name),
  })
}

/** 409 with the server's reason. */
export function conflict(resource: Named, name: string, why: string): ApiFailure {
  return new ApiFailure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${resourceText(resource)} "${name}": ${why}`,
    {
      details: resourceDetails(resource, name),
    },
  )
}

/** 409 for a resourceVersion that is not the present one. */
export function modifiedMeanwhile(resource: Named, name: string): ApiFailure {
  return conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  )
}

/** 400. */
export function badRequest(message: string): ApiFailure {
  return new ApiFailure(400, 'BadRequest', message)
}

/** 403. */
export function forbidden(resource: Named, name: string, why: string, causes?: readonly Cause[]): ApiFailure {
  return new ApiFailure(403, 'Forbidden', `${resourceText(resource)} "${name}" is forbidden: ${why}`, {
    details: resourceDetails(resource, name, causes),
  })
}

/** 422 for an object; names its kind, not its resource. */
export function invalid(
  { group, kind }: Pick<Named, 'group' | 'kind'>,
  name: string,
  causes: readonly Cause[],
): ApiFailure {
  const subject = group === '' ? kind : `${kind}.${group}`
  const texts = causes.map(({ field, message }) => `${field}: ${message}`)
  const list = texts.length === 1 ? texts[0] : `[${[...new Set(texts)].join(', ')}]`
  const details = { ...(name !== '' && { name }), ...(group !== '' && { group }), kind, causes }
  return new ApiFailure(422, 'Invalid', `${subject} "${name}" is invalid: ${list}`, { details })
}

/** 422 for the options of a call. */
export function invalidOptions(kind: string, causes: readonly Cause[]): ApiFailure {
  return invalid({ group: 'meta.k8s.io', kind }, '', causes)
}

/** 410 with the server's text. */
export function expired(message: string, continueToken?: string): ApiFailure {
  return new ApiFailure(410, 'Expired', message, continueToken === undefined ? {} : { continue: continueToken })
}

/** One cause with the words of the server. */
export const causes = {
  invalid: (field: string, value: unknown, why: string): Cause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
    field,
  }),
  required: (field: string, why = ''): Cause => ({
    reason: 'FieldValueRequired',
    message: `Required value${why && `: ${why}`}`,
    field,
  }),
  forbidden: (field: string, why: string): Cause => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${why}`,
    field,
  }),
  unsupported: (field: string, value: unknown, supported: readonly unknown[]): Cause => ({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
    field,
  }),
  duplicate: (field: string, value: unknown): Cause => ({
    reason: 'FieldValueDuplicate',
    message: `Duplicate value: ${JSON.stringify(value)}`,
    field,
  }),
} as const
