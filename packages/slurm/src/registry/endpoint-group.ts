/**
 * Several slurmrestd of one Slurm cluster as one caller: goes on with another when one is silent, leaves the silent one
 * alone, and comes back to it when a ping is answered again.
 *
 * @module
 */
import { afterCall, beginProbe, permission, type Breaker, type CallOutcome } from '../breaker/breaker.ts'
import type { Clock, Random } from '../client/clock.ts'
import type { Endpoint } from '../client/endpoint.ts'
import { pingRequest } from '../client/ping-request.ts'
import { requestName, type Caller, type RecordReader, type Reply, type SlurmRequest } from '../client/request.ts'
import { withDeadline } from '../client/with-deadline.ts'
import { asSlurmError, SlurmError } from '../errors.ts'
import { mappings } from '../model/mappings.ts'
import type { SlurmPing } from '../model/ping.ts'
import { mayAskAnother, outcomeOf } from './call-outcome.ts'
import { afterAnswer, afterFailure, afterPings, startingHealth } from './health.ts'
import type { ConnectionHealth, HealthFacts } from './health.ts'
import { requireController } from './require-controller.ts'

/** What a group needs. */
export interface EndpointGroupOptions {
  /** In the order of preference. */
  readonly endpoints: readonly Endpoint[]
  readonly clock: Clock
  readonly random: Random
  /** Called when the state or what we know of the daemons becomes another one. */
  readonly onHealth: (health: ConnectionHealth) => void
}

/** One slurmrestd and what we think of it. */
interface Member {
  readonly endpoint: Endpoint
  breaker: Breaker
  /** The ping that decides whether it may be used again. Never rejects. */
  probe: Promise<SlurmError | undefined> | undefined
}

/** The pause is over before it began: the first thing to do is a ping, which does not take 11 seconds to fail. */
const unknownYet: Breaker = { kind: 'open', untilMs: 0, pauses: 0, cause: 'silence' }
const CALL_TIMEOUT_MS = 15_000
/** With several slurmctld one may take over from another without a failure that we would see. */
const PING_EVERY_MS = 30_000
/** With less than this left there is no use in asking another one. */
const LEAST_TIME_MS = 200

/** See the module. */
export class EndpointGroup implements Caller {
  private readonly options: EndpointGroupOptions
  private readonly members: readonly Member[]
  private facts: HealthFacts
  private pingedAtMs = 0

  constructor(options: EndpointGroupOptions) {
    this.options = options
    this.members = options.endpoints.map((endpoint) => ({ endpoint, breaker: unknownYet, probe: undefined }))
    this.facts = startingHealth(options.clock.now())
  }

  /** Ask the preferred one that is not silent. Throws `SlurmError`; at once if all are known to be silent. */
  async call<T = never>(request: SlurmRequest, reader?: RecordReader<T>): Promise<Reply<T>> {
    const { clock } = this.options
    const endMs = clock.now() + (request.timeoutMs ?? CALL_TIMEOUT_MS)
    let failed: SlurmError | undefined
    for (const member of this.candidates()) {
      const timeoutMs = endMs - clock.now()
      if (failed && timeoutMs < LEAST_TIME_MS) break
      const silence = await this.probeResult(member, timeoutMs, request)
      if (silence) failed = silence
      else {
        const result = await this.callMember(member, { ...request, timeoutMs: endMs - clock.now() }, reader)
        if (!(result instanceof SlurmError)) return result
        failed = result
        if (!mayAskAnother(result, request)) break
      }
    }
    throw failed ?? this.leftAloneError(request)
  }

  /** Something changed that may end a refusal: try again at once. */
  reset(): void {
    for (const member of this.members) member.breaker = unknownYet
  }

  /** How it stands. */
  health(): ConnectionHealth {
    return {
      ...this.facts,
      endpoints: this.members.map(({ endpoint, breaker }) => ({
        url: endpoint.url,
        breaker: breaker.kind,
        nextTryMs: breaker.kind === 'open' ? breaker.untilMs : undefined,
      })),
    }
  }

  /** Close all of them; calls under way fail. */
  async close(): Promise<void> {
    await Promise.all(this.members.map(({ endpoint }) => endpoint.close()))
  }

  /** Those that work, in order; only if there are none, those that may work again. */
  private candidates(): readonly Member[] {
    const nowMs = this.options.clock.now()
    for (const member of this.members) {
      if (permission(member.breaker, nowMs) === 'probe') member.probe = this.probe(member)
    }
    const working = this.members.filter(({ breaker }) => breaker.kind === 'closed')
    return working.length > 0 ? working : this.members.filter(({ probe }) => probe !== undefined)
  }

  /** Why the ping that goes before the first call failed; undefined if there is none or it succeeded. */
  private async probeResult(
    { probe, breaker }: Member,
    timeoutMs: number,
    request: SlurmRequest,
  ): Promise<SlurmError | undefined> {
    if (!probe || breaker.kind === 'closed') return undefined
    try {
      return await withDeadline(this.options.clock, timeoutMs, () => probe)
    } catch (error) {
      return asSlurmError(error, requestName(request))
    }
  }

  /** Meet it again: which version it speaks, and whether slurmctld answers behind it. */
  private async probe(member: Member): Promise<SlurmError | undefined> {
    member.breaker = beginProbe(member.breaker)
    try {
      const daemon = await member.endpoint.meet()
      this.notePings(daemon.pings)
      await requireController(member.endpoint, daemon)
      this.settle(member, 'answered', { byController: true })
      return undefined
    } catch (error) {
      const failure = asSlurmError(error, requestName(pingRequest))
      const outcome = failure.failure === 'refused' ? 'refused-token' : outcomeOf(failure, pingRequest)
      this.settle(member, outcome, { failure })
      return failure
    } finally {
      member.probe = undefined
    }
  }

  private async callMember<T>(
    member: Member,
    request: SlurmRequest,
    reader?: RecordReader<T>,
  ): Promise<Reply<T> | SlurmError> {
    try {
      const reply = await member.endpoint.call(request, reader)
      const isPing = request.path === pingRequest.path
      const byController = !isPing && request.plugin !== 'slurmdb'
      this.settle(member, 'answered', { byController })
      if (isPing && request.plugin !== 'slurmdb') this.notePings(pingsIn(reply))
      if (byController) this.pingIfDue(member)
      return reply
    } catch (error) {
      const failure = asSlurmError(error, requestName(request))
      this.settle(member, outcomeOf(failure, request), { failure })
      return failure
    }
  }

  /** Nobody waits for it, and what goes wrong is found out by others. */
  private pingIfDue({ endpoint }: Member): void {
    const nowMs = this.options.clock.now()
    if (this.facts.controllers.length < 2 || nowMs - this.pingedAtMs < PING_EVERY_MS) return
    this.pingedAtMs = nowMs
    endpoint.call(pingRequest).then(
      (reply) => this.notePings(pingsIn(reply)),
      () => {},
    )
  }

  /** One bad answer of one of several is not yet a bad connection. */
  private settle(member: Member, outcome: CallOutcome, { failure, byController = false }: CallFacts): void {
    const { clock, random } = this.options
    const nowMs = clock.now()
    member.breaker = afterCall(member.breaker, outcome, { nowMs, random })
    if (outcome === 'answered') this.setFacts(afterAnswer(this.facts, member.endpoint.daemon, { nowMs, byController }))
    else if (failure && !this.members.some((other) => other !== member && other.breaker.kind === 'closed')) {
      this.setFacts(afterFailure(this.facts, failure, nowMs))
    }
  }

  private notePings(pings: readonly SlurmPing[]): void {
    this.pingedAtMs = this.options.clock.now()
    this.setFacts(afterPings(this.facts, pings, this.pingedAtMs))
  }

  private setFacts(facts: HealthFacts): void {
    const before = this.facts
    this.facts = facts
    const told = ['state', 'slurmVersion', 'apiVersion', 'clusterName', 'activeController'] as const
    const isNews = told.some((field) => before[field] !== facts[field]) || whoResponds(before) !== whoResponds(facts)
    if (isNews) this.options.onHealth(this.health())
  }

  private leftAloneError(request: SlurmRequest): SlurmError {
    const name = requestName(request)
    if (this.members.length === 0)
      return new SlurmError('unavailable', name, 'no slurmrestd is configured', { neverSent: true })
    const why = this.facts.lastError?.message ?? 'slurmrestd does not answer'
    const failure = this.facts.state === 'refused' ? 'unauthorized' : 'unavailable'
    return new SlurmError(failure, name, `left alone for a while after: ${why}`, { neverSent: true })
  }
}

/** What is known of a call that has ended. */
interface CallFacts {
  readonly failure?: SlurmError
  /** slurmctld itself answered, not slurmrestd or slurmdbd for it. */
  readonly byController?: boolean
}

/** With one slurmctld the state says it all. */
function whoResponds({ controllers }: HealthFacts): string {
  if (controllers.length < 2) return ''
  return controllers.flatMap(({ hostname, responding }) => (responding ? [hostname] : [])).join(' ')
}

function pingsIn({ body, version }: Reply<unknown>): readonly SlurmPing[] {
  return mappings[version].pings(body).records
}
