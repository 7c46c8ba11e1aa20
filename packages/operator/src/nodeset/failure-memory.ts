import { keyText } from '@slurm-operator/runtime'
import type { Wanted, Worker } from './picture.ts'

/** How long a failure counts. */
const FORGOTTEN_AFTER_MS = 20 * 60_000

interface Failures {
  readonly count: number
  readonly lastMs: number
}

/**
 * How often worker pods in one place have failed lately, so that the next one comes later each time. It is only memory:
 * an operator that starts anew begins with the shortest pause.
 */
export class FailureMemory {
  readonly #known = new Map<string, Failures>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** A pod that had failed was removed. */
  note(of: Pick<Wanted, 'namespace' | 'name'>, worker: InPlace): void {
    const nowMs = this.#nowMs()
    this.#known.set(placeOf(of, worker), { count: this.count(of, worker) + 1, lastMs: nowMs })
    for (const [other, { lastMs }] of this.#known) if (nowMs - lastMs > FORGOTTEN_AFTER_MS) this.#known.delete(other)
  }

  count(of: Pick<Wanted, 'namespace' | 'name'>, worker: InPlace): number {
    const found = this.#known.get(placeOf(of, worker))
    return found === undefined || this.#nowMs() - found.lastMs > FORGOTTEN_AFTER_MS ? 0 : found.count
  }
}

type InPlace = Pick<Worker, 'pod' | 'mode' | 'targetNode'>

/** Where the next one will be: in DaemonSet mode the same Kube node, under another name. */
function placeOf({ namespace, name }: Pick<Wanted, 'namespace' | 'name'>, { pod, mode, targetNode }: InPlace): string {
  return keyText({ namespace, name: `${name}/${mode === 'DaemonSet' ? targetNode : pod}` })
}
