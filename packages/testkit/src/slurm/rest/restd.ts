import type { RandomSource } from '../../random/random-source.ts'
import type { Allocation } from '../state/node-states.ts'
import type { Slurmctld } from '../state/slurmctld.ts'
import type { Release } from './releases.ts'

/** A second slurmctld. It answers pings while it stands by, too; after it has taken over, the first one is away. */
export interface Backup {
  readonly hostname: string
  readonly state: 'standby' | 'active' | 'away'
}

/** One slurmrestd and the Slurm behind it: what the routes work on. */
export interface Restd {
  readonly controller: Slurmctld
  readonly clusterName: string
  readonly accounting: { readonly isConfigured: boolean; isAway: boolean }
  readonly random: RandomSource
  backup: Backup | undefined
  release: Release
  /** Other versions than those of the release, to play a daemon that nobody knows. */
  strangeVersions: readonly string[] | undefined
  /** What slurmctld accepts tokens with. */
  signingKey: Uint8Array
  /**
   * The use of each node as the last list of all nodes counted it. Single nodes are answered from this, which makes
   * them wrong until somebody lists all of them.
   */
  readonly countedUse: Map<string, Allocation>
}

/** Users whom slurmctld obeys. */
export const administrators: readonly string[] = ['slurm', 'root']
