/**
 * What happened, in order: every call with its fate and answer, every line of every watch. Two runs from the same seed
 * have the same trace; a failing seed is therefore a complete report.
 *
 * @module
 */
import type { Fate, MessageFate } from './fate.ts'
import type { Message, Step } from './step.ts'

/** One line of the trace. */
export type TraceEntry =
  | { readonly kind: 'call'; readonly atMs: number; readonly step: Step; readonly fate: Fate }
  /** Only what the caller got; `outcome` is a status code or the reason of an error. */
  | { readonly kind: 'answer'; readonly atMs: number; readonly step: Step; readonly outcome: number | string }
  | { readonly kind: 'message'; readonly atMs: number; readonly message: Message; readonly fate: MessageFate }
  | { readonly kind: 'process'; readonly atMs: number; readonly process: string; readonly change: ProcessChange }

/** What can happen to a process. */
export type ProcessChange = 'started' | 'killed' | 'frozen' | 'thawed'

/** Entries as they come. */
export class Trace {
  readonly #entries: TraceEntry[] = []

  add(entry: TraceEntry): void {
    this.#entries.push(entry)
  }

  get entries(): readonly TraceEntry[] {
    return this.#entries
  }

  /** The trace for people and for comparing. */
  lines(): string[] {
    return this.#entries.map((entry) => `${entry.atMs} ${describe(entry)}`)
  }
}

function describe(entry: TraceEntry): string {
  switch (entry.kind) {
    case 'call': {
      const { number, process, method, path, use } = entry.step
      return `#${number} ${process} ${use === 'watch' ? 'WATCH' : method} ${path} -> ${describeFate(entry.fate)}`
    }
    case 'answer':
      return `#${entry.step.number} ${entry.step.process} gets ${entry.outcome}`
    case 'message': {
      const { number, step, type, key, resourceVersion } = entry.message
      return `~${number} of #${step.number} ${type} ${key}@${resourceVersion} -> ${describeFate(entry.fate)}`
    }
    case 'process':
      return `${entry.process} ${entry.change}`
  }
}

function describeFate(fate: Fate | MessageFate): string {
  const { do: verb, ...rest } = fate
  const details = Object.entries(rest).filter(([key]) => key !== 'gate')
  return [verb, ...details.map(([key, value]) => `${key}=${value}`)].join(' ')
}
