import { KubeError } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { createVirtualClock } from '../clock/virtual-clock.ts'
import { BytePipe, type PipeOptions } from './byte-pipe.ts'

const make = (options: Partial<PipeOptions> = {}) =>
  new BytePipe({ clock: createVirtualClock(), purpose: 'watch things', ...options })

async function readAll(pipe: BytePipe): Promise<string[]> {
  const texts: string[] = []
  for await (const chunk of pipe) texts.push(Buffer.from(chunk).toString())
  return texts
}

describe('a stream in one process prevents that', () => {
  test('what was sent before the end is lost', async () => {
    const pipe = make()
    pipe.push('one')
    pipe.push('two')
    pipe.end()
    pipe.push('too late')
    expect(await readAll(pipe)).toEqual(['one', 'two'])
  })

  test('an error overtakes what was sent before', async () => {
    const pipe = make()
    pipe.push('one')
    pipe.fail(new KubeError({ reason: 'Unreachable', request: 'watch', detail: 'broke' }))
    const reader = pipe[Symbol.asyncIterator]()
    expect((await reader.next()).value?.toString()).toBe('one')
    await expect(reader.next()).rejects.toThrow('broke')
  })

  test('a reader that gives up still gets something', async () => {
    const leaving = new AbortController()
    let isClosed = false
    const pipe = make({ signal: leaving.signal, closed: () => (isClosed = true) })
    pipe.push('unread')
    leaving.abort()
    await expect(pipe[Symbol.asyncIterator]().next()).rejects.toMatchObject({ reason: 'Aborted' })
    expect([pipe.isOpen, isClosed]).toEqual([false, true])
  })

  test('a reader that leaves its loop keeps the sender going', async () => {
    let closings = 0
    const pipe = make({ closed: () => closings++ })
    pipe.push('one')
    for await (const _ of pipe) break
    expect([pipe.isOpen, closings]).toEqual([false, 1])
  })

  test('silence is taken for peace, or slowness of the reader for silence', async () => {
    const clock = createVirtualClock()
    const pipe = make({ clock, idleMs: 1000 })
    pipe.push('one')
    const reader = pipe[Symbol.asyncIterator]()
    await clock.advance(5000) // nobody listens
    expect((await reader.next()).value?.toString()).toBe('one')
    const waiting = reader.next()
    waiting.catch(() => {})
    await clock.advance(999)
    expect(pipe.isOpen).toBe(true)
    await clock.advance(1)
    await expect(waiting).rejects.toMatchObject({ reason: 'Unreachable' })
  })
})
