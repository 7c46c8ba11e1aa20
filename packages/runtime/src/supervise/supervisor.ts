import { asError } from './as-error.ts'

/** What ended although nobody had asked it to, or failed. */
export interface Collapse {
  readonly what: string
  readonly error: Error
}

/**
 * Looks after promises that nobody awaits. The first that fails is told, once: a program that has lost a part and goes
 * on is worse than one that ends and is started again.
 */
export class Supervisor {
  readonly #collapsed = Promise.withResolvers<Collapse>()

  /** The first failure. It never rejects. */
  get collapsed(): Promise<Collapse> {
    return this.#collapsed.promise
  }

  /** Nobody waits for this work: its failure is a failure of the program. */
  watch(what: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => this.report(what, error))
  }

  /** Something failed beyond repair. */
  report(what: string, error: unknown): void {
    this.#collapsed.resolve({ what, error: asError(error) })
  }
}
