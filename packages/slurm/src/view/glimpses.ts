/**
 * Quick looks at single nodes between two lists that take long. A list of 10,000 nodes takes two seconds, a look at one
 * of them milliseconds; so whoever waits for a few nodes and names them hears of a change within a second all the same.
 *
 * A look wakes and shows; it does not decide. slurmctld answers it without counting what is in use, so a node whose
 * state has changed is unknown until the next list (`glimpseEffect`). A node whose look says something else than the
 * list that follows it is not looked at for a while, or it would never be known.
 *
 * @module
 */
import type { Clock } from '../client/clock.ts'
import type { SlurmNode } from '../model/node.ts'
import { glimpseEffect, isSameAtAGlance } from './node-kind.ts'
import type { WatchedList } from './watched-list.ts'

/** The numbers: at most 48 looks a second, of three milliseconds each, so a sixth of slurmrestd's time. */
export interface GlimpsePace {
  readonly glimpseEveryMs: number
  readonly glimpsesAtOnce: number
  /** How long a node is left alone whose look was contradicted by a list. */
  readonly distrustMs: number
}

/** See the fields. */
export const glimpsePace: GlimpsePace = { glimpseEveryMs: 500, glimpsesAtOnce: 24, distrustMs: 60_000 }

/** What it needs. */
export interface GlimpseOptions {
  readonly nodes: WatchedList<SlurmNode>
  readonly find: (name: string) => Promise<SlurmNode | undefined>
  readonly clock: Clock
  readonly pace: GlimpsePace
}

/** See the module. */
export class Glimpses {
  private readonly options: GlimpseOptions
  /** Until when each name is waited for; the one that waits longest for a look is first. */
  private readonly wanted = new Map<string, number>()
  private readonly distrustedUntilMs = new Map<string, number>()
  /** What the last look has shown, until a list has said the same. */
  private readonly shown = new Map<string, SlurmNode>()
  private roundAtMs = 0
  private stopTimer: (() => void) | undefined
  private phase: 'idle' | 'waiting' | 'looking' | 'closed' = 'idle'

  constructor(options: GlimpseOptions) {
    this.options = options
  }

  /** Somebody waits for these. */
  want(names: readonly string[], forMs: number): void {
    const untilMs = this.options.clock.now() + forMs
    for (const name of names) this.wanted.set(name, Math.max(untilMs, this.wanted.get(name) ?? 0))
    if (this.phase === 'idle') this.schedule()
  }

  /** Stop for good. */
  close(): void {
    this.phase = 'closed'
    this.stopTimer?.()
  }

  private schedule(): void {
    this.phase = this.wanted.size > 0 ? 'waiting' : 'idle'
    if (this.phase === 'idle') return
    const { clock, pace } = this.options
    const leftMs = this.roundAtMs + pace.glimpseEveryMs - clock.now()
    this.stopTimer = clock.schedule(Math.max(0, leftMs), () => void this.round())
  }

  /** Look at the next few. Never rejects. */
  private async round(): Promise<void> {
    this.phase = 'looking'
    this.roundAtMs = this.options.clock.now()
    const names = this.options.nodes.isSlow ? this.nextNames() : this.forgetOverdue()
    await Promise.all(names.map((name) => this.look(name)))
    if (!this.isClosed()) this.schedule()
  }

  private isClosed(): boolean {
    return this.phase === 'closed'
  }

  private forgetOverdue(): readonly string[] {
    const nowMs = this.options.clock.now()
    for (const [name, untilMs] of this.wanted) if (untilMs <= nowMs) this.forget(name)
    return []
  }

  private forget(name: string): void {
    this.wanted.delete(name)
    this.shown.delete(name)
    this.distrustedUntilMs.delete(name)
  }

  private nextNames(): readonly string[] {
    this.forgetOverdue()
    const nowMs = this.options.clock.now()
    const trusted = [...this.wanted].filter(([name]) => (this.distrustedUntilMs.get(name) ?? 0) <= nowMs)
    const next = trusted.slice(0, this.options.pace.glimpsesAtOnce)
    for (const [name, untilMs] of next) {
      this.wanted.delete(name) // to the end of the queue
      this.wanted.set(name, untilMs)
    }
    return next.map(([name]) => name)
  }

  private async look(name: string): Promise<void> {
    const { nodes } = this.options
    if (this.isContradicted(name)) return
    const beganAt = nodes.beginLook()
    try {
      const found = await this.options.find(name)
      if (this.isClosed()) return
      const isNews = nodes.noteLook({ name, beganAt, found, effectOn: (listed) => glimpseEffect(listed, found) })
      if (isNews && found) this.shown.set(name, found)
    } catch {
      // The list finds out what is wrong, and tells.
    }
  }

  /** A list has come since the last look and says something else. */
  private isContradicted(name: string): boolean {
    const { nodes, clock, pace } = this.options
    const shown = this.shown.get(name)
    if (!shown || nodes.isOpen(name)) return false
    this.shown.delete(name)
    const listed = nodes.told.entries.get(name)
    if (!listed || isSameAtAGlance(listed, shown)) return false
    this.distrustedUntilMs.set(name, clock.now() + pace.distrustMs)
    return true
  }
}
