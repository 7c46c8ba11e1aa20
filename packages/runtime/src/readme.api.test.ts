import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApiServer, type ApiServer } from '@slurm-operator/local'

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
const doorOf = (quoted: string) => import.meta.resolve(quoted.slice(1, -1))
const examples = [...readme.matchAll(/^## (.+)\n(?:(?!^## )[\s\S])*?```ts\n([\s\S]*?)```/gm)]
const folder = mkdtempSync(join(tmpdir(), 'runtime-readme-'))

let api: ApiServer
beforeAll(async () => {
  api = await startApiServer()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await api?.stop()
})

describe('what the README promises', () => {
  test('is a handful of examples', () =>
    expect(examples.map(([, title]) => title)).toEqual(['Reading', 'Children', 'One writer']))

  for (const [, title = '', code = ''] of examples) {
    test(title, async () => {
      const file = join(folder, `${title}.ts`)
      writeFileSync(
        file,
        code.replaceAll(/'@slurm-operator\/(?:kube|runtime)'/g, (name) => JSON.stringify(doorOf(name))),
      )
      const env = { ...process.env, KUBECONFIG: api.kubeconfig }
      const { stdout } = await promisify(execFile)(process.execPath, [file], { env, timeout: 30_000 })
      const promised = [...code.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line)
      expect(stdout.trim().split('\n')).toEqual(promised)
    })
  }
})
