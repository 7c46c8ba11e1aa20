import type { Lifetime } from '../machine/daemon.ts'
import type { RunResult } from '../machine/run.ts'
import type { Progress } from '../progress/progress.ts'
import type { SlurmRelease } from '../programs/versions.ts'
import type { DaemonName, ServiceName, WorkerName } from './layout.ts'

/** What a test may want to be different. */
export interface SlurmOptions {
  /** How many workers, or what each says about itself: `['CPUs=2 RealMemory=1000 Feature=big']`. */
  readonly workers?: number | readonly string[]
  /** slurmdbd and MariaDB: on unless false, which saves half of the time. */
  readonly accounting?: boolean
  /** Lines for the end of slurm.conf. */
  readonly extraConfig?: string
  /** More flags for slurmrestd. */
  readonly restFlags?: readonly string[]
  /** Ordinary users, who exist on the controller and submit there or by REST. */
  readonly users?: readonly string[]
  /** The newest unless said. */
  readonly release?: SlurmRelease
  /** Another root file system with Slurm and tini in it, to run a release that is not among ours. */
  readonly root?: string
  readonly lifetime?: Lifetime
  readonly progress?: Progress
}

/** How to run a command. */
export interface CommandOptions {
  /** `root` unless given. */
  readonly user?: string
  /** In whose box: that of slurmctld unless given, where all commands of Slurm work. */
  readonly on?: DaemonName
  readonly timeoutMs?: number
  readonly input?: string
}

/** A running Slurm. `await using` stops it at the end of the block. */
export interface Slurm extends AsyncDisposable {
  readonly id: string
  /** Logs are in `BOX/log/*.log` below this folder; boxes are ctl, rest, dbd, db and the workers. */
  readonly folder: string
  /** Such as `26.05`. */
  readonly release: string
  /** Of slurmrestd, on the machine's loopback. Use `fetch`: Node's `http` stumbles over its answers. */
  readonly url: string
  /** What tokens are signed with. */
  readonly jwtKey: Buffer
  /** A token for slurmrestd; `slurm` and `root` may do everything. */
  token(user?: string, seconds?: number): string

  /** A command such as `sinfo`, `srun` or `scontrol`, on the controller. */
  run(command: readonly string[], options?: CommandOptions): Promise<RunResult>

  workers(): WorkerName[]
  /** A new worker, registered when this returns. `conf` is what it says about itself, as in `slurmd --conf`. */
  addWorker(options?: { readonly conf?: string }): Promise<WorkerName>
  /** Take the power from a worker and delete its record. */
  removeWorker(name: WorkerName): Promise<void>

  /** Make slurmctld write down all it knows: a job that was submitted just before a crash is lost otherwise. */
  saveState(): Promise<void>
  /** End a daemon at once, as a crash would; running jobs of a worker stay. */
  killDaemon(name: DaemonName): Promise<void>
  /** Ask a daemon to end. */
  stopDaemon(name: DaemonName): Promise<void>
  /** Cut the power of a daemon's box: everything in it ends at once, its disk stays. */
  cutPower(name: DaemonName): Promise<void>
  /** Start a daemon again on its old disk, whether it was ended or not. It is ready when this returns. */
  restartDaemon(name: DaemonName): Promise<void>
  /**
   * Replace a daemon by that of another release, on its old disk, as an upgrade does. It is ready when this returns.
   * No daemon may be newer than slurmdbd, and only slurmdbd may be newer than slurmctld.
   */
  replaceDaemon(name: ServiceName, release: SlurmRelease): Promise<void>

  stop(): Promise<void>
}
