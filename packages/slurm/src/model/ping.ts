/** What slurmrestd found out about one slurmctld (or slurmdbd). Listed in the order of `SlurmctldHost`. */
export interface SlurmPing {
  readonly hostname: string
  /** The only field to decide on: it exists in every version and is false for a refused token, too. */
  readonly responding: boolean
  readonly primary: boolean
  readonly latencyInMicroseconds: number | undefined
  /** What went wrong, in Slurm's words (v0.0.45), or `UP` and `DOWN` (older); empty when nothing was said. */
  readonly status: string
}
