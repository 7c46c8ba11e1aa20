import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ensureInstalled } from './install.mjs'

let root: string
let node: string
const said: string[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'install-'))
  node = join(root, 'node_modules', 'node')
  writeFileSync(join(root, 'package-lock.json'), '{}')
  said.length = 0
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

const install = () => ensureInstalled(root, node, (line) => void said.push(line))
const installations = () => readFileSync(join(root, 'calls'), 'utf8').trim().split('\n')

/** An npm that notes each call and then does what the test says. */
function useNpm(then: string): void {
  const folder = join(root, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$@" >> "${root}/calls"\n${then}\n`)
  chmodSync(join(folder, 'npm'), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
}

const goodNpm = 'rm -rf node_modules; mkdir node_modules; touch node_modules/node'

test('a fresh clone is installed once, without scripts of packages, and both lines say so', async () => {
  useNpm(goodNpm)
  await install()
  await install()
  expect(installations()).toEqual(['ci --ignore-scripts --loglevel=error'])
  expect(said).toEqual([expect.stringContaining('usually about 10 s'), expect.stringMatching(/^Installed .* in \d/)])
})

test('a changed package-lock.json is installed again', async () => {
  useNpm(goodNpm)
  await install()
  writeFileSync(join(root, 'package-lock.json'), '{"changed":true}')
  await install()
  expect(installations()).toHaveLength(2)
})

test('packages without our Node, as after a copy to another machine, are installed again', async () => {
  useNpm(goodNpm)
  await install()
  rmSync(node)
  await install()
  expect(installations()).toHaveLength(2)
})

test('an installation that broke off is not taken for a whole one', async () => {
  useNpm(`${goodNpm}; test -e second || { touch second; exit 1; }`)
  await expect(install()).rejects.toThrow('Cannot install npm packages: npm ci ended with 1')
  await install()
  expect(installations()).toHaveLength(2)
})

test('two at once install once', async () => {
  useNpm(`sleep 0.2; ${goodNpm}`)
  await Promise.all([install(), install()])
  expect(installations()).toHaveLength(1)
  expect(said).toContain('Waiting for another installation into this folder to end ...')
})

test('an absent npm is told with what to do', async () => {
  vi.stubEnv('PATH', join(root, 'nowhere'))
  await expect(install()).rejects.toThrow(/^Cannot install npm packages: there is no npm on the PATH\. Install Node/)
})

test('an npm that leaves out optional packages is told with what to do', async () => {
  useNpm('mkdir node_modules')
  await expect(install()).rejects.toThrow(/^Cannot find the project's own Node/)
})

test('npm does not run on the Node that it is about to remove', async () => {
  useNpm(`echo "$PATH" > path; ${goodNpm}`)
  vi.stubEnv('PATH', `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}`)
  await install()
  expect(readFileSync(join(root, 'path'), 'utf8')).not.toContain(join(root, 'node_modules'))
})
