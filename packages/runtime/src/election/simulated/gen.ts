import { createVirtualClock } from '@slurm-operator/testkit'
import type { RandomSource } from '@slurm-operator/testkit'
import { FakeLease, record } from '../gen.ts'
import { Contender, type ContenderWorld } from './contender/gen.ts'

const LONGEST_DELIVERY_MS = 3_500 // less than the 5 s between the end of certainty and the end of the Lease, by bad clocks

/** Processes that contend for one Lease, and the fate that plays with them. */
export class ElectionWorld {
  readonly accidents: string[] = []
  writes = 0
  readonly #clock = createVirtualClock()
  readonly #server = new FakeLease()
  readonly #random: RandomSource
  readonly #whenUncertain: 'end' | 'hold'
  readonly #contenders: Contender[] = []
  readonly #wanted: number
  #started = 0
  #nobodyStartsBeforeMs = 0

  constructor(random: RandomSource, whenUncertain: 'end' | 'hold') {
    this.#random = random
    this.#whenUncertain = whenUncertain
    this.#wanted = 2 + random.below(3)
    this.#fillUp()
  }

  /** Something happens, and some time passes. */
  async step(): Promise<void> {
    if (this.#random.chance(0.5) && this.#living().length > 0) this.#strike(this.#random.pick(this.#living()))
    await this.#clock.advance(this.#random.pick([100, 1_000, 3_000, 9_000, 20_000]) * this.#random.next())
    this.#fillUp()
  }

  #strike(victim: Contender): void {
    const deeds = [
      () => victim.process.freeze(),
      () => victim.suspend(),
      () => victim.wakeUp(),
      () => victim.wakeUp(),
      () => victim.process.kill(),
      () => victim.stop(),
      () => (victim.network = this.#random.pick(['bad', 'gone', 'one-way'])),
      () => (victim.network = 'good'),
      () => (victim.network = 'good'),
      () => victim.setClock((this.#random.next() - 0.5) * 7_200_000),
      () => this.#deleteLease(),
      () => this.#labelLease(),
    ]
    this.#random.pick(deeds)()
  }

  /** From now on, nothing happens any more. Returns those who lead in the end. */
  async calmDown(): Promise<string[]> {
    for (const one of this.#living()) {
      one.wakeUp()
      one.network = 'good'
    }
    for (let n = 0; n < 18; n++) {
      await this.#clock.advance(5_000)
      this.#fillUp()
    }
    const leaders = this.#leaders()
    for (const one of this.#living()) one.process.kill()
    return leaders
  }

  #leaders(): string[] {
    return this.#living()
      .filter(({ election }) => election.gate.mayWrite())
      .map(({ name }) => name)
  }

  #living(): Contender[] {
    return this.#contenders.filter((one) => one.isAlive())
  }

  #fillUp(): void {
    if (this.#clock.monotonic() < this.#nobodyStartsBeforeMs) return
    while (this.#living().length < this.#wanted) this.#contenders.push(this.#start())
  }

  #start(): Contender {
    const world: ContenderWorld = {
      clock: this.#clock,
      server: this.#server,
      random: this.#random,
      whenUncertain: this.#whenUncertain,
      write: (name) => this.#receiveLater(name),
    }
    return new Contender(`p${++this.#started}`, world)
  }

  /** A write that was let through the gate is on its way, whatever becomes of its sender. */
  #receiveLater(name: string): void {
    this.#judge(name, 'sends')
    this.#clock.schedule(this.#random.next() * LONGEST_DELIVERY_MS, () => this.#judge(name, 'has written'))
    this.writes++
  }

  #judge(name: string, what: string): void {
    const { holder } = this.#server
    if (holder === name || holder === undefined) return
    // Whoever gave the Lease back has waited for its own writes before; the simulated ones are not waited for.
    const gaveItBack = this.#contenders.some((one) => one.name === name && one.isStopping)
    if (!gaveItBack || what === 'sends')
      this.accidents.push(`${this.#clock.monotonic()}: ${name} ${what}, ${holder} leads`)
  }

  /** Somebody deletes the Lease by hand. Not while there is, or soon will be, a process that has not seen this one. */
  #deleteLease(): void {
    if (this.#living().some((one) => !one.hasSeenLease)) return
    this.#server.delete()
    for (const one of this.#living()) one.hasSeenLease = false
    this.#nobodyStartsBeforeMs = this.#clock.monotonic() + 30_000
  }

  #labelLease(): void {
    const { lease } = this.#server
    if (lease !== undefined) this.#server.update(record(lease.record), lease.version)
  }
}
