import type { Clock } from '@slurm-operator/kube'
import type { VirtualClock } from '@slurm-operator/testkit'
import type { RandomSource } from '@slurm-operator/testkit'
import { createProcess, type ProcessWithDoor } from '@slurm-operator/testkit'
import { silentLogger } from '../../../logging/logger.ts'
import { createLife } from '../../../loop/gen.ts'
import { Election } from '../../election.ts'
import { failure, storeOn, type FakeLease } from '../../gen.ts'

/** What a contender knows of its world. */
export interface ContenderWorld {
  readonly clock: VirtualClock
  readonly server: FakeLease
  readonly random: RandomSource
  readonly whenUncertain: 'end' | 'hold'
  readonly write: (name: string) => void
}

/** `one-way`: requests arrive, answers do not. */
export type Network = 'good' | 'bad' | 'gone' | 'one-way'

const HEEDED_MS = 4_500

/** A process that contends for the Lease, and writes every now and then if its gate lets it. */
export class Contender {
  readonly name: string
  readonly election: Election
  readonly process: ProcessWithDoor
  network: Network = 'good'
  hasSeenLease = false
  isStopping = false
  readonly #world: ContenderWorld
  readonly #hands: Omit<ReturnType<typeof createLife>, 'life'>
  readonly #rate: number
  /** Machines whose clock is set by hand, and machines that sleep: nothing can be told about one that does both. */
  readonly #isClockSet: boolean
  #wallOffsetMs: number
  #suspended: { readonly atMs: number } | undefined
  #lostMs = 0
  #hasEnded = false

  constructor(name: string, world: ContenderWorld) {
    this.name = name
    this.#world = world
    this.#isClockSet = world.random.chance(0.5)
    this.#rate = 0.95 + world.random.next() * 0.1
    this.#wallOffsetMs = (world.random.next() - 0.5) * 86_400_000
    this.process = createProcess({ name, clock: world.clock, random: world.random, changed: () => {} })
    const { life, ...hands } = createLife()
    this.#hands = hands
    this.election = new Election({
      store: storeOn(world.server, (call) => this.#carry(call)),
      identity: name,
      clock: this.#clock(),
      random: world.random.next,
      log: silentLogger,
      whenUncertain: world.whenUncertain,
    })
    const end = () => (this.#hasEnded = true)
    this.election.run(life).then(end, end)
    this.#writeOn()
  }

  isAlive(): boolean {
    return !this.#hasEnded && this.process.state() !== 'dead'
  }

  stop(): void {
    this.isStopping = true
    this.process.enter(() => this.#hands.stop())
  }

  /** The machine sleeps: as SIGSTOP, but its monotonic clock stands still. Then only the wall clock can tell. */
  suspend(): void {
    if (this.#isClockSet || this.process.state() !== 'running') return
    this.#suspended = { atMs: this.#world.clock.monotonic() }
    this.process.freeze()
  }

  wakeUp(): void {
    if (this.#suspended !== undefined) this.#lostMs += this.#world.clock.monotonic() - this.#suspended.atMs
    this.#suspended = undefined
    this.process.thaw()
  }

  setClock(byMs: number): void {
    if (this.#isClockSet) this.#wallOffsetMs += byMs
  }

  /** Runs a little too fast or too slow, and tells any time of day. */
  #clock(): Clock {
    const { clock } = this.process
    return {
      now: () => clock.now() + this.#wallOffsetMs,
      monotonic: () => (clock.monotonic() - this.#lostMs) * this.#rate,
      schedule: (delayMs, action) => clock.schedule(delayMs / this.#rate, action),
      breathe: clock.breathe,
    }
  }

  #writeOn(): void {
    this.process.clock.schedule(this.#world.random.below(1_500), () => {
      if (this.#hasEnded) return
      if (this.election.gate.mayWrite()) this.#world.write(this.name)
      this.#writeOn()
    })
  }

  /** A call goes to the server and its answer comes back; what happens on the way does not depend on the process. */
  #carry<T>(call: () => T): Promise<T> {
    const { clock, random } = this.#world
    const startMs = clock.monotonic()
    const isBad = () => this.network !== 'good' && random.chance(0.4)
    const delayMs = () => random.next() * (isBad() ? 12_000 : 300)
    const answered = Promise.withResolvers<T>()
    const answer = (give: () => void) => {
      if (this.network !== 'one-way' && !isBad()) clock.schedule(delayMs(), () => this.process.enter(give))
    }
    clock.schedule(delayMs(), () => {
      if (this.network === 'gone' || isBad()) return answer(() => answered.reject(failure('Unreachable')))
      try {
        const result = call()
        answer(() => this.#receive(result, startMs, answered.resolve))
      } catch (error) {
        answer(() => answered.reject(error))
      }
    })
    return answered.promise
  }

  /** An answer that comes too late is not looked at. */
  #receive<T>(result: T, startMs: number, resolve: (result: T) => void): void {
    if (result !== undefined && this.#world.clock.monotonic() - startMs < HEEDED_MS) this.hasSeenLease = true
    resolve(result)
  }
}
