import { systemClock } from '@slurm-operator/kube'
import { describe, expect, test, vi } from 'vitest'
import { look, READ_WITHIN_MS } from './reading.ts'

describe('looking at other objects prevents that', () => {
  test('absent and unknown are mixed up', async () => {
    expect(await look(systemClock, 'a', async () => 5)).toEqual({ kind: 'seen', value: 5 })
    expect(await look(systemClock, 'a', async () => undefined)).toEqual({ kind: 'absent' })
    expect(await look(systemClock, 'a', () => Promise.reject(new Error('no route')))).toEqual({
      kind: 'unknown',
      because: 'no route',
    })
  })

  test('a server that never answers holds up a review for ever', async () => {
    vi.useFakeTimers()
    try {
      const reading = look(systemClock, 'ConfigMap a', () => new Promise<never>(() => {}))
      await vi.advanceTimersByTimeAsync(READ_WITHIN_MS)
      expect(await reading).toEqual({ kind: 'unknown', because: 'Cannot read ConfigMap a: it took longer than 3 s.' })
    } finally {
      vi.useRealTimers()
    }
  })
})
