/**
 * A request on its way through slurmrestd, and the checks that most requests share.
 *
 * @module
 */
import { refusals, type Refusal } from '../state/refusals.ts'
import { bare, wireError, type RestAnswer, type Voice, type WireWarning } from './answer.ts'
import { administrators, type Restd } from './restd.ts'

/** A request as it arrived. */
export interface RestRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request that was understood. */
export interface Call {
  readonly restd: Restd
  readonly version: string
  /** Who asks; undefined: slurmctld does not believe the token. */
  readonly user: string | undefined
  /** The variable parts of the path, decoded. */
  readonly names: readonly string[]
  readonly query: ReadonlyMap<string, string>
  readonly body: Readonly<Record<string, unknown>>
  readonly voice: Voice
}

/** What a request is called in Slurm's errors. */
export interface Complaint {
  readonly description: string
  readonly source: string
}

/** slurmrestd waits so long for a slurmctld that does not answer. */
const NO_CONTROLLER_MS = 10_500

/** Why slurmctld cannot be asked at all: it is away, or does not believe the token. */
export function whyNotAsked({ restd, user, voice }: Call, { description, source }: Complaint): RestAnswer | undefined {
  if (restd.controller.presence !== 'running')
    return {
      ...bare(voice, 502, wireError(refusals.noController, description, source)),
      delayMs: NO_CONTROLLER_MS + restd.random.below(1000),
    }
  return user === undefined ? bare(voice, 511, wireError(refusals.authentication, description, source)) : undefined
}

/** The same for what only administrators may. */
export function whyNotObeyed(call: Call, complaint: Complaint): RestAnswer | undefined {
  const silence = whyNotAsked(call, complaint)
  if (silence) return silence
  return administrators.includes(call.user ?? '') ? undefined : refused(call, refusals.user, complaint)
}

/** Slurm said no. */
export function refused({ restd, voice }: Call, refusal: Refusal, { description, source }: Complaint): RestAnswer {
  const isState = refusal === refusals.nodeTransition
  const told = isState ? restd.release.stateRefusal : refusal
  return bare(voice, restd.release.refusedStatus, wireError(told, description, source))
}

/** Done, or why not. */
export function doneOr(call: Call, refusal: Refusal | undefined, complaint: Complaint): RestAnswer {
  return refusal ? refused(call, refusal, complaint) : bare(call.voice, 200)
}

/** `update_time` is no number. */
export function notATime({ voice, query }: Call, { status, source }: { status: number; source: string }): RestAnswer {
  const given = `Parsing of ${query.get('update_time')} for timestamp failed`
  return bare(
    voice,
    status,
    wireError(refusals.conversion, given, '#/update_time/'),
    wireError(refusals.query, 'Rejecting request. Failure parsing query.', source),
  )
}

/** The same call, with a word about each field that nobody knows. */
export function withWarnings(call: Call, given: Iterable<readonly [string, unknown]>, known: KnownFields): Call {
  const warnings: WireWarning[] = []
  for (const [name, value] of given) {
    if (known.names.includes(name)) continue
    const what = `"${name}" of type ${typeName(value)} in DATA_PARSER_${known.parser}`
    warnings.push({ description: `Ignoring unknown field ${what}`, source: `#/${name}/` })
  }
  return { ...call, voice: { ...call.voice, warnings: [...call.voice.warnings, ...warnings] } }
}

/** The fields that a part of Slurm reads, and its name. */
export interface KnownFields {
  readonly parser: string
  readonly names: readonly string[]
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  switch (typeof value) {
    case 'number':
      return '64 bit integer'
    case 'boolean':
      return 'boolean'
    case 'object':
      return 'dictionary'
    default:
      return 'string'
  }
}

/** A text in the body. */
export function textIn(body: Call['body'], name: string): string | undefined {
  const value = body[name]
  return typeof value === 'string' ? value : undefined
}

/** A list of texts in the body; Slurm also takes one text with commas. */
export function textsIn(body: Call['body'], name: string): readonly string[] | undefined {
  const value = body[name]
  if (typeof value === 'string') return value === '' ? [] : value.split(',')
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined
}
