import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { levels } from '../levels.ts'
import { findTestFiles, getLevel, selectTests } from './selection.ts'

const testFiles = {
  unit: ['packages/kube/src/deep/er/patch.test.ts', 'tools/check/a.test.ts'],
  sim: ['packages/operator/src/world.sim.test.ts'],
  api: ['packages/kube/src/client.api.test.ts'],
  e2e: ['packages/local/src/nodes.e2e.test.ts'],
}
const others = ['packages/kube/src/test.ts', 'packages/kube/node_modules/x/src/a.test.ts', 'docs/a.test.ts']

describe('the level of a test file', () => {
  const root = mkdtempSync(join(tmpdir(), 'levels-'))
  beforeAll(() => {
    for (const path of [...Object.values(testFiles).flat(), ...others]) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), '')
    }
  })
  afterAll(() => rmSync(root, { recursive: true }))

  for (const { name } of levels) {
    test(`is ${name} by its name alone, and no other`, () => {
      expect(findTestFiles(getLevel(name), root)).toEqual(testFiles[name])
    })
  }
})

describe('a bare word', () => {
  const files = ['packages/local/src/nodes.e2e.test.ts', 'packages/local/src/volumes.e2e.test.ts']

  test('selects files whose name contains it', () => {
    expect(selectTests(['volumes'], files)).toEqual({ parameters: ['volumes'], filteredByName: false })
  })

  test('selects tests by name if no file is called so', () => {
    expect(selectTests(['power cut'], files)).toMatchObject({ filteredByName: true })
    expect(selectTests(['power cut'], files).parameters.join(' ')).toMatch(/^--testNamePattern=.*ower.*cut$/)
  })

  test('is no pattern: a dot means a dot', () => {
    expect(selectTests(['a.b'], files).parameters[0]).toContain(String.raw`\.`)
  })

  test('combines with others: these tests in those files', () => {
    expect(selectTests(['volumes', 'survives'], files).parameters).toHaveLength(2)
  })
})
