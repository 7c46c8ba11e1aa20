import type { ReviewVersion } from './review.ts'
import type { Denied, MutatingVerdict } from './verdict.ts'

/** The longest warning that an API server hands on whole, and how much of all warnings together. */
const WARNING_LENGTH = 256
const WARNINGS_LENGTH = 4096

const reasons: Readonly<Record<NonNullable<Denied['code']>, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Invalid',
  500: 'InternalError',
  504: 'Timeout',
}

/** An AdmissionReview with our answer, in the version of the question. */
export function answerReview(version: ReviewVersion, uid: string, verdict: MutatingVerdict): string {
  const warnings = fitWarnings(verdict.warnings ?? [])
  const auditAnnotations = goodAnnotations(verdict.auditAnnotations ?? {})
  const response = {
    uid,
    allowed: verdict.allowed,
    ...(verdict.allowed ? patchOf(verdict) : { status: statusOf(verdict) }),
    ...(warnings.length > 0 && { warnings }),
    ...(Object.keys(auditAnnotations).length > 0 && { auditAnnotations }),
  }
  return JSON.stringify({ apiVersion: version, kind: 'AdmissionReview', response })
}

/** Warnings as an API server takes them: one line each, and no more than it would hand on. */
export function fitWarnings(warnings: readonly string[]): string[] {
  const fitting: string[] = []
  let room = WARNINGS_LENGTH
  for (const warning of warnings) {
    const text = cut(oneLine(warning), Math.min(WARNING_LENGTH, room))
    if (text === '') continue
    fitting.push(text)
    room -= text.length
  }
  return fitting
}

function statusOf({ because, code = 403 }: Denied) {
  return { metadata: {}, status: 'Failure', message: because, reason: reasons[code], code }
}

function patchOf(verdict: MutatingVerdict) {
  const patch = 'patch' in verdict ? verdict.patch : undefined
  if (patch === undefined || patch.length === 0) return {}
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }
}

/** Warnings travel in a header: what cannot stand there becomes a blank. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()
}

/** By whole characters, never through the middle of one. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  if (length < 1) return ''
  const end = isHighSurrogate(text.charCodeAt(length - 2)) ? length - 2 : length - 1
  return `${text.slice(0, Math.max(0, end))}…`
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** The API server refuses names with anything else in them, and the whole answer with it. */
function goodAnnotations(annotations: Readonly<Record<string, string>>): Record<string, string> {
  const isName = (name: string) => /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(name)
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => isName(name)))
}
