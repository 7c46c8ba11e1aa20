import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentProgress } from '../progress/progress.ts'
import { ensureArtefact, folderOf, type Artefact } from './cache.ts'

let made = 0

/** An artefact with one program in it, which counts how often it is made. */
function artefact(madeFrom = 'one', fail?: 'halfway'): Artefact {
  return {
    name: 'thing',
    madeFrom: [madeFrom],
    usuallySeconds: 1,
    make: async (folder) => {
      made++
      writeFileSync(join(folder, 'program'), `made from ${madeFrom}`)
      if (fail === 'halfway') throw new Error('the network went away')
    },
  }
}

beforeEach(() => {
  made = 0
  vi.stubEnv('XDG_CACHE_HOME', mkdtempSync(join(tmpdir(), 'cache-')))
})
afterEach(() => {
  rmSync(process.env['XDG_CACHE_HOME'] ?? '', { recursive: true, force: true })
  vi.unstubAllEnvs()
})

describe('the cache', () => {
  test('the same thing is made twice', async () => {
    const folder = await ensureArtefact(artefact(), silentProgress)
    expect(await ensureArtefact(artefact(), silentProgress)).toBe(folder)
    expect(made).toBe(1)
  })

  test('two askers at once make it twice, or one gets it half made', async () => {
    const folders = await Promise.all(Array.from({ length: 4 }, () => ensureArtefact(artefact(), silentProgress)))
    expect([made, new Set(folders).size]).toEqual([1, 1])
  })

  test('it is made before what it needs', async () => {
    const order: string[] = []
    const needed: Artefact = { ...artefact('needed'), name: 'needed', make: async () => void order.push('needed') }
    const make: Artefact['make'] = async (_folder, _progress, [where]) => void order.push(where ?? 'nothing')
    await ensureArtefact({ ...artefact(), needs: [needed], make }, silentProgress)
    expect(order).toEqual(['needed', folderOf(needed)])
  })

  test('a new version meets the old entry', async () => {
    await ensureArtefact(artefact('one'), silentProgress)
    const folder = await ensureArtefact(artefact('two'), silentProgress)
    expect(readFileSync(join(folder, 'program'), 'utf8')).toBe('made from two')
  })

  test('an interrupted build is taken for a finished one', async () => {
    await expect(ensureArtefact(artefact('one', 'halfway'), silentProgress)).rejects.toThrow('the network went away')
    expect(existsSync(folderOf(artefact()))).toBe(false)
    await ensureArtefact(artefact(), silentProgress)
    expect(made).toBe(2)
  })

  const damages: Readonly<Record<string, (program: string) => void>> = {
    'a program that lost its end is run': (program) => appendFileSync(program, 'more'),
    'a program that was removed is not found': (program) => rmSync(program),
    'a program with a flipped bit is run': (program) => {
      writeFileSync(program, 'MADE from one')
      utimesSync(program, new Date(), new Date())
    },
    'an entry without its manifest is trusted': (program) => rmSync(join(program, '..', '.manifest.json')),
  }
  for (const [name, damage] of Object.entries(damages)) {
    test(name, async () => {
      const folder = await ensureArtefact(artefact(), silentProgress)
      damage(join(folder, 'program'))
      await ensureArtefact(artefact(), silentProgress)
      expect(readFileSync(join(folder, 'program'), 'utf8')).toBe('made from one')
      expect(made).toBe(2)
    })
  }

  test('a program that was only touched is made again', async () => {
    const folder = await ensureArtefact(artefact(), silentProgress)
    utimesSync(join(folder, 'program'), new Date(), new Date())
    await ensureArtefact(artefact(), silentProgress)
    expect(made).toBe(1)
  })
})
