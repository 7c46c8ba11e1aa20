/**
 * What the processes of this benchmark are asked for, and what they answer.
 *
 * @module
 */
import type { Phase } from '../kube/side.ts'

/** What the process of the simulated kubelets and the simulated Slurm is asked for. */
export type MachinesOrder =
  | { readonly do: 'start'; readonly kubeconfig: string; readonly nodes: number }
  | { readonly do: 'count' }

/** What it answers. */
export interface MachinesAnswers {
  readonly start: { readonly url: string; readonly token: string; readonly signingKey: string }
  /** The requests to Slurm since the last count, by method and kind; and what this process used. */
  readonly count: {
    readonly slurm: Readonly<Record<string, number>>
    readonly lostJobs: number
    readonly cpuSeconds: number
  }
}

/** What the probe inside of the operator is asked for. */
export type ProbeOrder = { readonly do: 'begin'; readonly watchTurns: boolean } | { readonly do: 'end' }

/** What it answers. */
export interface ProbeAnswers {
  readonly begin: { readonly rssMb: number }
  readonly end: Phase & { readonly rssMb: number }
}
