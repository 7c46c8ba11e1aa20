/**
 * What the processes of this benchmark are asked for, and what they answer.
 *
 * @module
 */
import type { Phase } from '../kube/side.ts'

/** How many of each. */
interface Sizes {
  readonly nodes: number
  readonly jobs: number
}

/** What the process of the simulated Slurm is asked for. */
export type ServerOrder =
  | ({ readonly do: 'start' } & Sizes)
  /** Change one node after the other, each after a pause, and say when each was changed. */
  | { readonly do: 'change'; readonly count: number; readonly everyMs: number; readonly mark: string }

/** What it answers. */
export interface ServerAnswers {
  readonly start: { readonly url: string; readonly token: string; readonly seconds: number }
  readonly change: { readonly atMs: readonly number[] }
}

/** What the process of a client is asked for. */
export type ClientOrder =
  | { readonly do: 'list' }
  /** Watch for so long; somebody waits for changes of the nodes that are named. Changes are told by their mark. */
  | { readonly do: 'watch'; readonly seconds: number; readonly waitFor: readonly string[]; readonly mark: string }
  | { readonly do: 'settle' }

/** What went over the wire in a part of the work. */
export interface Traffic {
  readonly requests: number
  readonly bytes: number
}

/** What it answers. */
export interface ClientAnswers {
  readonly list: Phase & Traffic & Sizes
  /** When the change of each number was heard of, by its number. */
  readonly watch: Phase & Traffic & { readonly heardAtMs: Readonly<Record<number, number>>; readonly woken: number }
  readonly settle: { readonly peakRssMb: number; readonly settledRssMb: number }
}

const PRIME = 7919 // so that changes jump over the list

/** The node that is changed by the change of this number. */
export function changedName(number: number, nodes: number): string {
  return nodeName((number * PRIME) % nodes)
}

/** Names of nodes, counted from nothing. */
export function nodeName(at: number): string {
  return `node-${String(at + 1).padStart(5, '0')}`
}

/** A moment that two processes of one machine agree on. */
export function commonNowMs(): number {
  return performance.timeOrigin + performance.now()
}
