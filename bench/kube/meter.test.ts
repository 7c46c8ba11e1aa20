import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { measure } from './meter.ts'

/** Keep the event loop from everything else until the processor has worked for so long. */
function block(cpuMs: number): void {
  const { user } = process.threadCpuUsage()
  while ((process.threadCpuUsage().user - user) / 1000 < cpuMs);
}

test('a stall at the very beginning, in the middle or at the very end is not overlooked', async () => {
  const works = [
    async () => block(150),
    async () => {
      await sleep(30)
      block(150)
      await sleep(30)
    },
    async () => {
      await sleep(30)
      block(150)
    },
  ]
  for (const work of works) {
    const { phase } = await measure(work)
    expect(phase.stallMs).toBeGreaterThan(100)
    expect(phase.stallCpuMs).toBeGreaterThan(100)
    expect(phase.cpuSeconds).toBeGreaterThan(0.1)
  }
})

test('waiting is no stall of the processor, and the answer comes along', async () => {
  const { phase, result } = await measure(async () => {
    await sleep(100)
    return 'done'
  })
  expect(result).toBe('done')
  expect(phase.stallCpuMs).toBeLessThan(phase.seconds * 1000)
  expect(phase.seconds).toBeGreaterThan(0.09)
  expect(phase.peakRssMb).toBeGreaterThan(10)
})
