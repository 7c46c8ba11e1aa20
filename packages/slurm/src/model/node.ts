import type { NodeStateWord } from '../states/node-state-words.ts'

/** A Slurm node as slurmctld described it, the same for every REST version. Times in epoch milliseconds. */
export interface SlurmNode {
  readonly name: string
  /** One base state and any number of flags, in Slurm's order. Ask the words in `states/`, do not compare. */
  readonly states: readonly NodeStateWord[]
  /** Why it is drained or down; empty when nobody said. */
  readonly reason: string
  readonly reasonSetBy: string
  readonly reasonChangedAtMs: number | undefined
  readonly comment: string
  readonly extra: string
  readonly features: readonly string[]
  readonly activeFeatures: readonly string[]
  /** Undefined in v0.0.42, which does not tell it; empty when it has none. */
  readonly topology: string | undefined
  /** The active reservation it belongs to, or empty. */
  readonly reservation: string
  readonly partitions: readonly string[]
  readonly address: string
  readonly hostname: string
  readonly port: number | undefined
  readonly cpus: number | undefined
  readonly effectiveCpus: number | undefined
  /** Right only in an answer about all nodes: a single read shows an old value. */
  readonly allocatedCpus: number | undefined
  readonly memoryMib: number | undefined
  /** Right only in an answer about all nodes: a single read shows an old value. */
  readonly allocatedMemoryMib: number | undefined
  readonly freeMemoryMib: number | undefined
  readonly gres: string
  readonly gresUsed: string
  readonly tres: string
  readonly tresUsed: string
  readonly weight: number | undefined
  readonly bootedAtMs: number | undefined
  readonly slurmdStartedAtMs: number | undefined
  readonly lastBusyAtMs: number | undefined
  readonly resumeAfterMs: number | undefined
  readonly slurmdVersion: string
  readonly architecture: string
  readonly operatingSystem: string
  readonly instanceId: string
  readonly instanceType: string
}
