import { KubeError, type FailureCause } from './kube-error.ts'
import { reasonOf } from './reasons.ts'

/** Where an answer came from. */
export interface AnswerOrigin {
  readonly request: string
  readonly code?: number
  readonly retryAfterSeconds?: number | undefined
}

const SHOWN_CHARACTERS = 300

/** The error that an answer with a bad code stands for. Proxies answer with other things than a Status. */
export function errorFromBody(body: string, origin: AnswerOrigin): KubeError {
  const status = parseObject(body)
  if (status?.['kind'] === 'Status') return errorFromStatus(status, origin)
  return new KubeError({
    reason: reasonOf(origin.code, undefined),
    request: origin.request,
    detail: shortened(body) || `the server answered ${origin.code ?? 'something'} without a word`,
    ...(origin.code !== undefined && { code: origin.code }),
    ...retryAfter(undefined, origin),
  })
}

/** The error that a Status stands for: in an answer or in the middle of a watch. */
export function errorFromStatus(status: Readonly<Record<string, unknown>>, origin: AnswerOrigin): KubeError {
  const details = asObject(status['details'])
  const code = asNumber(status['code']) ?? origin.code
  const token = asObject(status['metadata'])?.['continue']
  return new KubeError({
    reason: reasonOf(code, asText(status['reason'])),
    request: origin.request,
    detail: asText(status['message']) ?? `the server answered ${code ?? 'an error'} without a message`,
    causes: causesIn(details),
    ...(code !== undefined && { code }),
    ...retryAfter(asNumber(details?.['retryAfterSeconds']), origin),
    ...(typeof token === 'string' && token !== '' && { continueToken: token }),
  })
}

function retryAfter(inStatus: number | undefined, { retryAfterSeconds }: AnswerOrigin) {
  const seconds = retryAfterSeconds ?? inStatus
  return seconds === undefined ? {} : { retryAfterSeconds: seconds }
}

function causesIn(details: Readonly<Record<string, unknown>> | undefined): FailureCause[] {
  const causes = details?.['causes']
  if (!Array.isArray(causes)) return []
  return causes.map(asObject).map((cause) => ({
    reason: asText(cause?.['reason']) ?? '',
    message: asText(cause?.['message']) ?? '',
    ...(typeof cause?.['field'] === 'string' && { field: cause['field'] }),
  }))
}

function parseObject(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(body))
  } catch {
    return undefined // not JSON: it is shown as it came
  }
}

function shortened(body: string): string {
  const line = body.replaceAll(/\s+/g, ' ').trim()
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
