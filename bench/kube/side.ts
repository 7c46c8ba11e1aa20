/**
 * What one side of the comparison can be asked for, and what is measured of it. Each side is a process of its own.
 *
 * @module
 */

/** Us, and the library that others use. */
export type SideName = 'ours' | 'theirs'

/** What both can do. */
export interface Side {
  /** What is compared, with its version. */
  readonly title: string
  /** Read all pods into a cache that follows the server; the number of pods in it. */
  readonly list: () => Promise<number>
  /** Read one small object. */
  readonly call: () => Promise<void>
}

/** Connect a side. It tells the labels of each pod that has changed since the list. */
export type CreateSide = (kubeconfig: string, onUpdate: (labels: Labels | undefined) => void) => Promise<Side>

/** Labels of a pod. */
export type Labels = Readonly<Record<string, string>>

/** One part of the work. */
export interface Phase {
  readonly seconds: number
  readonly cpuSeconds: number
  /** The longest time in which the event loop did nothing else, as a clock on the wall sees it. */
  readonly stallMs: number
  /** The most CPU time that one turn took: a stall on a machine that has time for us. */
  readonly stallCpuMs: number
  /** The most memory of the process until the end of this part. */
  readonly peakRssMb: number
}

/** What may be asked of the process of a side; `start` first. */
export type SideOrder =
  | { readonly do: 'start' }
  | { readonly do: 'list' }
  | { readonly do: 'hear'; readonly mark: string }
  | { readonly do: 'call'; readonly count: number }
  | { readonly do: 'settle' }

/** What is answered. */
export interface SideAnswers {
  readonly start: { readonly title: string; readonly cpuSeconds: number }
  readonly list: Phase & { readonly pods: number }
  readonly hear: Phase & { readonly heard: number }
  readonly call: Phase
  readonly settle: { readonly peakRssMb: number; readonly settledRssMb: number }
}

/** Everything that is known of one side in the end. */
export interface Measured extends SideAnswers {
  readonly calls: number
  /** Updates, and how long it took to send them. */
  readonly sent: number
  readonly sendSeconds: number
}

/** Several parts as one. */
export function sumPhases(phases: readonly Phase[]): Phase {
  const sum = (of: (phase: Phase) => number) => phases.reduce((total, phase) => total + of(phase), 0)
  const most = (of: (phase: Phase) => number) => Math.max(0, ...phases.map(of))
  return {
    seconds: sum(({ seconds }) => seconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    stallMs: most(({ stallMs }) => stallMs),
    stallCpuMs: most(({ stallCpuMs }) => stallCpuMs),
    peakRssMb: most(({ peakRssMb }) => peakRssMb),
  }
}
