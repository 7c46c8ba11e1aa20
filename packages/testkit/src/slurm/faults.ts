/**
 * What can be wrong between a client and Slurm, on request.
 *
 * @module
 */
import type { RestAnswer } from './rest/answer.ts'
import type { RestRequest } from './rest/call.ts'
import { recordText } from './rest/write-json.ts'

/** The ways to misbehave. */
export type FaultKind =
  | 'hang' // no answer, and nothing is carried out
  | 'stall' // no answer for now; when the fault ends, all that came in is carried out, wanted or not
  | 'slow' // later by so much
  | 'reset' // the connection ends without an answer, and nothing is carried out
  | 'error-500' // slurmrestd, or something in front of it, fails without a word of JSON
  | 'overload' // something in front of slurmrestd asks to come back later
  | 'cut' // the answer ends in the middle
  | 'lost-answer' // it is carried out, and nobody hears of it
  | 'empty-list' // a good answer without any record
  | 'partial-list' // a good answer that lacks records
  | 'unreadable-record' // one record makes no sense
  | 'nameless-record' // one record does not even have a name

/** A fault and whom it meets. */
export interface Fault {
  readonly kind: FaultKind
  /** All requests unless said; GET is a question, and one about all records asks for a list. */
  readonly on?: 'orders' | 'questions' | 'lists'
  /** How many requests it meets; all of them unless said. */
  readonly times?: number
  /** For `slow`. */
  readonly byMs?: number
}

interface Active {
  readonly fault: Fault
  left: number
  readonly ended: Promise<void>
}

/** The faults that are on. */
export class Faults {
  readonly #active = new Set<Active>()

  /** Misbehave from now on. The answer ends it. */
  begin(fault: Fault): () => void {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const active: Active = { fault, left: fault.times ?? Infinity, ended }
    this.#active.add(active)
    return () => {
      this.#active.delete(active)
      resolve()
    }
  }

  /** What is wrong for this request, the newest fault first; and when a stall is over. */
  meet(request: RestRequest): { readonly fault: Fault; readonly ended: Promise<void> } | undefined {
    const met = [...this.#active].findLast(({ fault, left }) => left > 0 && concerns(fault, request))
    if (met) met.left--
    return met
  }
}

function concerns({ on, kind }: Fault, { method, path }: RestRequest): boolean {
  const isQuestion = method === 'GET'
  const isList = /\/(?:nodes|jobs)\/?(?:\?|$)/.test(path)
  if (isListFault(kind) && !isList) return false
  if (on === 'lists') return isQuestion && isList
  return on === undefined || isQuestion === (on === 'questions')
}

function isListFault(kind: FaultKind): boolean {
  return kind.endsWith('-list') || kind.endsWith('-record')
}

/** The answer with its list spoiled. */
export function spoilList(answer: RestAnswer, kind: FaultKind, below: (limit: number) => number): RestAnswer {
  if (!answer.list || answer.list.texts.length === 0) return answer
  return { ...answer, list: { ...answer.list, texts: spoil(answer.list.texts, kind, below) } }
}

function spoil(texts: readonly string[], kind: FaultKind, below: (limit: number) => number): readonly string[] {
  switch (kind) {
    case 'empty-list':
      return []
    case 'partial-list':
      return texts.slice(0, below(texts.length))
    case 'unreadable-record':
      return texts.map((text, at) => (at === 0 ? withoutSense(text) : text))
    case 'nameless-record':
      return texts.map((text, at) => (at === 0 ? '"nonsense"' : text))
    default:
      return texts
  }
}

function withoutSense(text: string): string {
  return recordText({ ...(JSON.parse(text) as object), state: 5, job_state: 5 })
}
