/** Who answered: on every JSON answer of slurmrestd, also on refusals. */
export interface SlurmIdentity {
  /** The release of slurmrestd, such as `26.05.5`. */
  readonly release: string
  /** The Slurm cluster's name; empty when slurmrestd does not know it. */
  readonly clusterName: string
  /** The REST version that wrote the answer, such as `v0.0.45`. */
  readonly apiVersion: string
}

/** The running configuration of slurmctld (`GET /conf`, from v0.0.45). */
export interface SlurmConfiguration {
  readonly clusterName: string
  readonly version: string
  readonly lastUpdatedAtMs: number | undefined
  readonly bootedAtMs: number | undefined
  /** Every line under its own name in slurm.conf, as Slurm typed it. */
  readonly values: Readonly<Record<string, unknown>>
}

/** A Slurm cluster as slurmdbd knows it. */
export interface AccountingCluster {
  readonly name: string
  readonly controllerHost: string
  readonly controllerPort: number | undefined
  readonly nodes: string
  readonly rpcVersion: number | undefined
}
