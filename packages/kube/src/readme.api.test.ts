import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { findExamples, runExample } from '@slurm-operator/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const examples = findExamples(readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8'))

let api: ApiServer
beforeAll(async () => {
  api = await startApiServer()
})
afterAll(async () => {
  await api?.stop()
})

describe('what the README promises', () => {
  test('is a handful of examples', () =>
    expect(examples.map(({ title }) => title)).toEqual(['Connecting', 'Writing', 'Watching', 'Errors']))

  for (const example of examples) {
    test(example.title, async () =>
      expect(await runExample(example, { KUBECONFIG: api.kubeconfig })).toEqual(example.prints),
    )
  }
})
