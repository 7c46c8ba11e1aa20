import type { ObjectKey } from '@slurm-operator/kube'
import { createRandomSource, createVirtualClock } from '@slurm-operator/testkit'
import { createLogger } from '../logging/logger.ts'
import type { Life } from '../manager/component.ts'
import type { Verdict } from './judge-pass.ts'
import { Loop, type LoopOptions } from './loop.ts'
import { keyText } from './key-text.ts'
import type { Reconcile } from './pass.ts'

/** A life of a component, and the hands that end it. */
export function createLife() {
  const stop = new AbortController()
  const abort = new AbortController()
  const state = { isReady: false }
  const life: Life = { stop: stop.signal, abort: abort.signal, ready: () => (state.isReady = true) }
  return { life, state, stop: () => stop.abort(), abort: () => abort.abort() }
}

/** A loop in virtual time that checks that no key is ever in two passes. */
export function startLoop(reconcile: Reconcile, options: Partial<LoopOptions> = {}) {
  const clock = createVirtualClock()
  const { life, ...hands } = createLife()
  const lines: Record<string, unknown>[] = []
  const verdicts: Verdict[] = []
  const accidents: string[] = []
  const inside = new Set<string>()
  const watched: Reconcile = async (key, pass) => {
    const text = keyText(key)
    if (inside.has(text)) accidents.push(`two passes over ${text}`)
    inside.add(text)
    try {
      return await reconcile(key, pass)
    } finally {
      inside.delete(text)
    }
  }
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const loop = new Loop({
    name: 'thing',
    sources: [],
    clock,
    random: createRandomSource(1).next,
    log: createLogger({ clock, write }),
    observer: { ended: (verdict) => verdicts.push(verdict) },
    ...options,
    reconcile: watched,
  })
  const ended = loop.run(life)
  return { clock, loop, lines, verdicts, accidents, ended, inside, ...hands }
}

export const key = (name: string): ObjectKey => ({ namespace: 'a', name })
