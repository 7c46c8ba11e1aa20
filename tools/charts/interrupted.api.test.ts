/** An installation by `npm start` that was killed, and the next one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createClient, deploymentResource, loadSettings, secretResource } from '@slurm-operator/kube'
import { silentProgress, startApiServer, untilTrue, type ApiServer } from '@slurm-operator/local'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureArtefact } from '../../packages/local/src/cache/cache.ts'
import { kubectlFor } from '../../packages/local/src/cluster/kubectl.ts'
import { helmInstall } from '../../packages/local/src/product/install-operator.ts'
import { kube } from '../../packages/local/src/programs/kubernetes.ts'
import { CHARTS } from './chart-files.ts'
import { findHelm } from './helm.ts'

const namespace = 'slinky'
const helm = await findHelm()
const kubectlProgram = join(await ensureArtefact(kube, silentProgress), 'kubectl')
let server: ApiServer

beforeAll(async () => {
  server = await startApiServer()
})
afterAll(() => server?.stop())

test('an installation that was killed can never be repeated', async () => {
  const { kubeconfig } = server
  const kubectl = kubectlFor(kubectlProgram, kubeconfig)
  const target = { kubeconfig, kubectl, importImages: async () => {} }
  const client = createClient(await loadSettings({ kubeconfig }))
  await helmInstall(target, silentProgress, { release: 'slurm-operator-crds', chart: 'slurm-operator-crds' })

  const words = ['install', 'slurm-operator', join(CHARTS, 'slurm-operator'), '--namespace', namespace, '--wait']
  const killed = spawn(helm, [...words, '--kubeconfig', kubeconfig], { stdio: 'ignore' })
  const deployments = async () => (await client.resource(deploymentResource).list({ namespace })).items
  await untilTrue('the Deployments', async () => (await deployments()).length === 2, { timeoutMs: 60_000 })
  killed.kill('SIGKILL') // nobody runs their pods here, so it still waits
  await once(killed, 'exit')

  const flags = ['--set', 'operator.replicas=2']
  await helmInstall(target, silentProgress, { release: 'slurm-operator', chart: 'slurm-operator', namespace, flags })
  const wanted = (await deployments()).map(({ metadata, spec }) => [metadata.name, spec?.replicas])
  expect(wanted).toEqual([
    ['slurm-operator', 2],
    ['slurm-operator-webhook', 1],
  ])
  const labelSelector = 'owner=helm,name=slurm-operator'
  const notes = await client.resource(secretResource).list({ namespace, labelSelector })
  expect(notes.items.map(({ metadata }) => metadata.labels?.['status'])).toEqual(['deployed'])
  client.close()
})
