/**
 * One suite, two Slurms: whatever the suites of this room say must hold for the simulated Slurm and for a real one.
 * Where they differ, the simulated one is wrong.
 *
 * @module
 */
import type { Clock } from '../client/clock.ts'
import type { SlurmConnection } from '../registry/connection.ts'
import type { TokenSettings } from '../registry/settings.ts'

/** A Slurm with two workers, `worker-1` and `worker-2`, and a user `alice`. */
export interface SlurmUnderTest {
  /** Such as `26.05`. */
  readonly release: string
  /** Leave out what takes long and was tried with another release, since it is about us and not about Slurm. */
  readonly isBrief: boolean
  /** The one connection that most tests share. */
  readonly connection: SlurmConnection
  readonly clock: Clock
  /** Another connection; whoever opens it closes it. */
  open(token: TokenSettings): SlurmConnection
  /** The signing key as it is now. */
  signingKey(): Uint8Array
  /** A token of Slurm's own making. */
  token(user: string, seconds: number): string

  /** Wait for something that needs time to pass: real time passes by itself, virtual time is moved. */
  wait<T>(promise: Promise<T>): Promise<T>
  /** Let so much time pass. */
  pass(ms: number): Promise<void>

  /** A new worker, registered when this returns. */
  addWorker(): Promise<string>
  /** End slurmd and start it again; registered when this returns. */
  restartSlurmd(name: string): Promise<void>
  stopSlurmd(name: string): Promise<void>
  /** As an administrator does it: there is no way by REST. */
  suspendJob(id: number): Promise<void>
  resumeJob(id: number): Promise<void>
  endController(how: 'stopped' | 'killed'): Promise<void>
  startController(): Promise<void>
  killRestd(): Promise<void>
  startRestd(): Promise<void>
  /** slurmrestd holds still until the answer is called. */
  stallRestd(): Promise<() => void>
  /** Why slurmrestd cannot be replaced here; undefined: it can. */
  readonly whyNoReplacing: string | undefined
  /** slurmrestd ends, and another release of it takes its place. */
  replaceRestd(release: '24.11' | '26.05'): Promise<void>
  /** Tokens must be signed with this from now on. */
  changeSigningKey(key: string): Promise<void>
}

/** Suites are registered before Slurm runs, so they get a way to it. */
export type GetSlurm = () => SlurmUnderTest
