import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controllerResource } from '@slurm-operator/api'
import { createClient, loadSettings, secretResource } from '@slurm-operator/kube'
import { startApiServer } from '@slurm-operator/local'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { CHARTS } from './chart-files.ts'
import { helmWithValues, misspelt } from './gen.ts'
import { findHelm, runHelm } from './helm.ts'
import { createApply } from './on-server.ts'

const program = await findHelm()
const server = await startApiServer()
const client = createClient(await loadSettings({ kubeconfig: server.kubeconfig }))
const temporary = mkdtempSync(join(tmpdir(), 'former-chart-'))
afterAll(async () => {
  rmSync(temporary, { recursive: true })
  client.close()
  await server.stop()
})

const secrets = client.resource(secretResource)
const controllers = client.resource(controllerResource)
const key = (namespace: string) => ({ namespace, name: 'slurm-auth-slurm' })

function helm(...words: readonly string[]): string {
  const { ok, stdout, stderr } = runHelm(program, words, { KUBECONFIG: server.kubeconfig })
  expect(ok, `helm ${words.join(' ')}: ${stderr}`).toBe(true)
  return stdout
}

/** As much of a chart as former releases had of it: it makes the keys itself. */
function writeFormerChart(): string {
  const folder = join(temporary, 'slurm')
  mkdirSync(join(folder, 'templates'), { recursive: true })
  writeFileSync(join(folder, 'Chart.yaml'), stringify({ apiVersion: 'v2', name: 'slurm', version: '1.3.0-rc1' }))
  const keys = ['slurm', 'jwt'].map((which) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `slurm-auth-${which}` },
    immutable: true,
    type: 'Opaque',
    data: { [`${which}.key`]: Buffer.from(`the ${which} key of a running cluster`).toString('base64') },
  }))
  writeFileSync(join(folder, 'templates', 'keys.yaml'), keys.map((one) => stringify(one)).join('---\n'))
  return folder
}

beforeAll(async () => {
  helm('install', 'crds', join(CHARTS, 'slurm-operator-crds'))
  await createApply(client, { 'slinky.slurm.net': 7 })
})

describe('keys of a cluster', () => {
  test('are deleted by the change from a chart that made them itself', async () => {
    helm('install', 'slurm', writeFormerChart(), '--namespace', 'old', '--create-namespace')
    const before = await secrets.get(key('old'))
    for (const _ of ['change', 'again']) {
      helm('upgrade', 'slurm', join(CHARTS, 'slurm'), '--namespace', 'old')
      const after = await secrets.get(key('old'))
      expect(after.metadata.uid).toBe(before.metadata.uid)
      expect(after.data).toEqual(before.data)
    }
    helm('uninstall', 'slurm', '--namespace', 'old')
    expect((await secrets.get(key('old'))).metadata.uid).toBe(before.metadata.uid)
  })

  test('of a new cluster are rendered, or deleted by an upgrade', async () => {
    const words = [join(CHARTS, 'slurm'), '--namespace', 'new', '--create-namespace']
    expect(helm('install', 'slurm', ...words)).toContain('The operator makes the keys')
    expect(await secrets.find(key('new'))).toBeUndefined()
    const made = await secrets.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: key('new'),
      data: { 'slurm.key': 'a2V5' },
    })
    helm('upgrade', 'slurm', ...words.slice(0, 3))
    expect((await secrets.get(key('new'))).metadata.resourceVersion).toBe(made.metadata.resourceVersion)
  })
})

test('values that do not exist are ignored in silence', () => {
  const words = ['install', 'typos', '--namespace', 'typos', '--create-namespace']
  const { stdout, stderr } = helmWithValues(program, 'slurm', misspelt.values, words, { KUBECONFIG: server.kubeconfig })
  const [, notes = ''] = stdout.split('NOTES:')
  for (const line of misspelt.told) expect(notes, stderr).toContain(`\n  ${line}\n`)
  expect(notes).not.toContain('stdin')
})

describe('kinds', () => {
  test('go away with their chart, and take all clusters with them', async () => {
    const { metadata } = await controllers.get({ namespace: 'new', name: 'slurm' })
    helm('uninstall', 'crds')
    expect((await controllers.get({ namespace: 'new', name: 'slurm' })).metadata.uid).toBe(metadata.uid)
  })

  test('cannot be installed again afterwards', () => {
    helm('install', 'crds', join(CHARTS, 'slurm-operator-crds'), '--take-ownership')
  })
})

test('the operator cannot be installed and upgraded', () => {
  const words = [join(CHARTS, 'slurm-operator'), '--namespace', 'slinky']
  helm('install', 'slurm-operator', ...words, '--create-namespace')
  helm('upgrade', 'slurm-operator', ...words, '--set', 'webhook.podsBinding=true,webhook.replicas=2')
})
