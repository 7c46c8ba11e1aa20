/**
 * One operator after the other on the same API server: each ends at a call of its own, and the next one begins.
 *
 * @module
 */
import { createMetrics } from '@slurm-operator/runtime'
import { until } from '@slurm-operator/local'
import type { RandomSource } from '@slurm-operator/testkit'
import { createLoops } from '../programs/loops.ts'
import { workers, type Bed } from '../testing/bed.ts'
import type { RunningOperator } from '../testing/gen.ts'
import type { World } from '../world/world.ts'
import { calm, RoughRoad, storm, type Weather } from './rough-road.ts'

const QUIET_MS = 3_000
const BREATH_MS = 200

/** See the module. */
export class OperatorLives {
  readonly #bed: Bed
  readonly #random: RandomSource
  #weather: Weather = calm
  #road: RoughRoad
  #operator: RunningOperator | undefined
  #count = 0
  #passes = 0
  #writes = 0

  constructor(bed: Bed, random: RandomSource) {
    this.#bed = bed
    this.#random = random
    this.#road = new RoughRoad(random.next)
  }

  /** Start the first one, or the next one after an end. */
  async beThere(): Promise<void> {
    if (this.#operator !== undefined && !this.#road.isOver) return
    await this.#operator?.stop()
    this.#writes += this.#road.writes.length
    this.#road = new RoughRoad(this.#random.next)
    this.#road.weather = this.#weather
    const road = this.#road
    this.#operator = await this.#bed.run((world) => this.#loops(world), { over: (inner) => road.over(inner) })
    this.#count += 1
  }

  /** Let it do something, if there is something to do. */
  async breathe(): Promise<void> {
    const [passes, untilMs] = [this.#passes, performance.now() + BREATH_MS]
    const hasActed = () => this.#passes > passes || this.#road.isOver || performance.now() > untilMs || undefined
    await until('a pass', hasActed, { timeoutMs: 2 * BREATH_MS, everyMs: 10 })
  }

  /** It ends so many calls from now. */
  endAfter(calls: number): void {
    this.#road.endAfter(calls)
  }

  makeStorm(): void {
    this.#weather = storm
    this.#road.weather = storm
  }

  /** From now on nothing goes wrong; who was to end, has ended. */
  async calmDown(): Promise<void> {
    this.#weather = calm
    this.#road.weather = calm
    this.#road.endAfter(Number.POSITIVE_INFINITY)
    await this.beThere()
  }

  describe(): string {
    return `${this.#count} operators, ${this.#passes} passes, ${this.#writes + this.#road.writes.length} writes`
  }

  /** Wait until it is quiet, and then listen. */
  async rest(ms: number): Promise<{ readonly writes: readonly string[]; readonly passes: number }> {
    let [seen, sinceMs] = [-1, 0]
    await until(
      'the operator to come to rest',
      () => {
        const now = this.#road.writes.length
        if (now !== seen) [seen, sinceMs] = [now, performance.now()]
        return performance.now() - sinceMs > QUIET_MS || undefined
      },
      { timeoutMs: 60_000, everyMs: 100 },
    )
    const [writes, passes] = [this.#road.writes.length, this.#passes]
    await new Promise((resolve) => setTimeout(resolve, ms))
    return { writes: this.#road.writes.slice(writes), passes: this.#passes - passes }
  }

  #loops(world: World) {
    const metrics = createMetrics()
    const ended = () => (this.#passes += 1)
    return createLoops(world, workers, { forLoop: (name) => ({ ...metrics.forLoop(name), observer: { ended } }) })
  }
}
