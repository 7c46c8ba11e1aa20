import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../project.ts'

interface Chart {
  readonly version: string
  readonly appVersion: string
  readonly dependencies?: readonly { readonly version: string }[]
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { version } = JSON.parse(read('package.json')) as { readonly version: string }
const chart = (name: string) => parse(read(`charts/${name}/Chart.yaml`)) as Chart

test('charts, images and the project have different versions', () => {
  const charts = ['slurm-operator-crds', 'slurm-operator', 'slurm'].map(chart)
  expect(charts.map((one) => one.version)).toEqual([version, version, version])
  expect(chart('slurm-operator').appVersion).toBe(version)
  expect(chart('slurm-operator').dependencies).toMatchObject([{ version }])
  expect((parse(read('charts/slurm/values.yaml')) as { tests: object }).tests).toMatchObject({
    image: expect.stringMatching(new RegExp(`:${version}$`)) as string,
  })
})
