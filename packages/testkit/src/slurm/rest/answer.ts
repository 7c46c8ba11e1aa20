/**
 * The frame that slurmrestd puts around everything it says.
 *
 * @module
 */
import type { Refusal } from '../state/refusals.ts'
import type { Release } from './releases.ts'

/** Records of a list, each as JSON text, so that a list of 10,000 is put together and not written anew. */
export interface ListedRecords {
  readonly key: string
  readonly texts: readonly string[]
}

/** An answer before it is sent. */
export interface RestAnswer {
  readonly status: number
  readonly contentType: 'application/json' | 'text/plain' | ''
  /** The object, or the text; the list stands in front of the rest. */
  readonly body: Readonly<Record<string, unknown>> | string
  readonly list?: ListedRecords
  /** slurmrestd takes so long to find out. */
  readonly delayMs?: number
  readonly isDoubled?: boolean
}

/** Something that went wrong, as answers list it. */
export interface WireError {
  readonly description: string
  readonly error_number: number
  readonly error: string
  readonly source: string
}

/** Something to be told besides. */
export interface WireWarning {
  readonly description: string
  readonly source: string
}

/** Who answers. */
export interface Voice {
  readonly release: Release
  readonly version: string
  readonly plugin: 'slurmctld' | 'slurmdbd' | 'util'
  readonly clusterName: string
  readonly accounting: boolean
  readonly warnings: readonly WireWarning[]
}

/** A failure in the words of a request. */
export function wireError({ number, text }: Refusal, description: string, source: string): WireError {
  return { description, error_number: number, error: text, source }
}

/** A good answer with something in it. */
export function payload(voice: Voice, content: Readonly<Record<string, unknown>>, list?: ListedRecords): RestAnswer {
  const body = { ...content, meta: meta(voice), errors: [], warnings: voice.warnings }
  return { status: 200, contentType: 'application/json', body, ...(list && { list }) }
}

/** An answer without content: errors, or none of them. */
export function bare(voice: Voice, status: number, ...errors: readonly WireError[]): RestAnswer {
  const body = { errors, warnings: voice.warnings, meta: meta(voice) }
  return { status, contentType: 'application/json', body }
}

/** Words without JSON. */
export function text(status: number, words: string, isDoubled = false): RestAnswer {
  return { status, contentType: 'text/plain', body: words, isDoubled }
}

/** Nothing has changed. */
export const unchanged: RestAnswer = { status: 304, contentType: '', body: '' }

function meta({ release, version, plugin, clusterName, accounting }: Voice): Record<string, unknown> {
  const [major = '', minor = '', micro = ''] = release.full.split('.')
  return {
    plugin: {
      type: `openapi/${plugin}`,
      name: `Slurm OpenAPI ${plugin}`,
      data_parser: `data_parser/${version}`,
      accounting_storage: accounting ? 'accounting_storage/slurmdbd' : '',
    },
    client: { source: '10.0.0.12:6820(fd:9)', user: 'root', group: 'root' },
    command: [],
    slurm: { version: { major, micro, minor }, release: release.full, cluster: clusterName },
  }
}
