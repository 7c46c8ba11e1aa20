import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../project.ts'
import { bundleProgram, type Bundle } from './bundle.ts'

const ENTRY = 'packages/operator/src/programs/webhook.ts'
let bundle: Bundle
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  bundle = await bundleProgram(ROOT, ENTRY, process.execPath)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('bundling a program prevents that', () => {
  test('the same sources give other bytes', async () => {
    const again = await bundleProgram(ROOT, ENTRY, process.execPath)
    expect(Buffer.compare(bundle.code, again.code)).toBe(0)
  })

  test('it starts only where the sources or an environment are', () => {
    const file = join(folder, 'webhook')
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(file, bundle.code)
    chmodSync(file, 0o755)
    const { status, stdout } = spawnSync(file, ['--help'], { env: {}, cwd: '/', encoding: 'utf8', timeout: 20_000 })
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Usage of webhook:/) })
  })

  test('its heap is as large as that of a program that has nothing else to do', () => {
    expect(Buffer.from(bundle.code).toString().split('\n')[0]).toBe(`#!${process.execPath} --max-semi-space-size=4`)
  })

  test('a library is in it that the list of contents does not name', () => {
    const names = bundle.libraries.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['prom-client', 'yaml']))
    expect(bundle.libraries.every(({ version, license }) => version !== '' && license !== '')).toBe(true)
    console.log(`the webhook in one file: ${(bundle.code.length / 1e3).toFixed(0)} kB with ${names.join(', ')}`)
  })
})
