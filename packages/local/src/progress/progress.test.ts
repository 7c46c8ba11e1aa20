import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { progressTo } from './progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a person who waits does not know for what, how far it is or how long it takes', async () => {
  const lines: string[] = []
  const progress = progressTo((line) => lines.push(line))
  const build = progress.step('kube', 240, async () => {
    progress.far('kube', '310 of 1480 packages')
    await new Promise((resolve) => setTimeout(resolve, 16_000))
  })
  await vi.advanceTimersByTimeAsync(16_000)
  await build
  expect(lines.map((line) => line.replace(/^\[.*?\] /, ''))).toEqual([
    'kube: started, usually takes about 4 min 0 s',
    'kube: 310 of 1480 packages, 15 s so far',
    'kube: done in 16 s',
  ])
})

test('a failed step looks like a finished one', async () => {
  const lines: string[] = []
  const step = progressTo((line) => lines.push(line)).step('roots', 60, () => Promise.reject(new Error('no mirror')))
  await expect(step).rejects.toThrow('no mirror')
  expect(lines.at(-1)).toContain('roots: failed after 0.0 s: no mirror')
})
