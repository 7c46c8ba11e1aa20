/**
 * One slurmrestd: finds out which REST version to speak with it, and gives each call a deadline. What it knows of the
 * daemon it learns again whenever the daemon turns out to be another one.
 *
 * @module
 */
import { SlurmError } from '../errors.ts'
import type { ApiVersion } from '../model/api-version.ts'
import type { TokenSource } from '../tokens/token-source.ts'
import type { Clock } from './clock.ts'
import { exchange, UnknownPathError, type ExchangeOptions } from './exchange.ts'
import { negotiate, type Daemon } from './negotiate.ts'
import { pingRequest } from './ping-request.ts'
import { defaultLimits, type AnswerLimits } from './read-answer.ts'
import { requestName, type Caller, type RecordReader, type Reply, type SlurmRequest } from './request.ts'
import type { Transport } from './transport.ts'
import { DeadlineError, withDeadline } from './with-deadline.ts'

/** What an endpoint needs. */
export interface EndpointOptions {
  /** How it is called in errors and health. */
  readonly url: string
  readonly transport: Transport
  readonly tokens: TokenSource
  readonly clock: Clock
  readonly limits?: AnswerLimits
}

/** Above the 11 seconds that slurmrestd takes to say that slurmctld is away. */
const CALL_TIMEOUT_MS = 15_000
const NEGOTIATION_TIMEOUT_MS = 5000

/** One slurmrestd, ready to be asked. */
export class Endpoint implements Caller {
  readonly url: string
  private readonly clock: Clock
  private readonly options: ExchangeOptions
  private known: Daemon | undefined
  private meeting: Promise<Daemon> | undefined

  constructor(options: EndpointOptions) {
    this.url = options.url
    this.clock = options.clock
    this.options = { ...options, limits: options.limits ?? defaultLimits }
  }

  /** What we found out about it; undefined before the first answer and after it changed. */
  get daemon(): Daemon | undefined {
    return this.known
  }

  /** Ask or order something. Throws `SlurmError`, at the deadline at the latest. */
  async call<T = never>(request: SlurmRequest, reader?: RecordReader<T>): Promise<Reply<T>> {
    const timeoutMs = request.timeoutMs ?? CALL_TIMEOUT_MS
    const reply = await this.inTime(timeoutMs, requestName(request), (signal) =>
      this.callKnown(request, signal, reader),
    )
    this.noticeUpgrade(reply)
    return reply
  }

  /** Find out again who is there; many may ask at the same time, one asks the daemon. */
  meet(): Promise<Daemon> {
    this.meeting ??= this.inTime(NEGOTIATION_TIMEOUT_MS, requestName(pingRequest), (signal) =>
      negotiate((version) => exchange(this.options, { request: pingRequest, version, signal })),
    )
      .then((daemon) => (this.known = daemon))
      .finally(() => (this.meeting = undefined))
    return this.meeting
  }

  /** Drop all connections; calls under way fail. */
  async close(): Promise<void> {
    await this.options.transport.close()
  }

  private async callKnown<T>(request: SlurmRequest, signal: AbortSignal, reader?: RecordReader<T>): Promise<Reply<T>> {
    const before = this.known ?? (await this.meet())
    try {
      return await this.callAs(before, request, signal, reader)
    } catch (error) {
      if (!(error instanceof UnknownPathError)) throw error
      const after = await this.meet() // perhaps it was replaced by one with other versions
      if (after.version === before.version) throw error
      return this.callAs(after, request, signal, reader)
    }
  }

  private async callAs<T>(
    daemon: Daemon,
    request: SlurmRequest,
    signal: AbortSignal,
    reader?: RecordReader<T>,
  ): Promise<Reply<T>> {
    if (request.needs !== undefined && daemon.version < request.needs) throw tooOldError(request, daemon, request.needs)
    return exchange(this.options, { request, version: daemon.version, signal, reader })
  }

  /** Every answer names its release: after an upgrade a newer version may be served. */
  private noticeUpgrade({ identity }: Reply<unknown>): void {
    if (identity && this.known && identity.release !== this.known.release) this.known = undefined
  }

  private async inTime<T>(timeoutMs: number, name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await withDeadline(this.clock, timeoutMs, work)
    } catch (error) {
      if (error instanceof DeadlineError) throw new SlurmError('unavailable', name, error.message, { cause: error })
      throw error
    }
  }
}

function tooOldError(request: SlurmRequest, { release, version }: Daemon, needs: ApiVersion): SlurmError {
  const detail = `slurmrestd ${release} serves ${version} and this needs ${needs}. Upgrade Slurm.`
  return new SlurmError('refused', requestName(request), detail, { neverSent: true })
}
