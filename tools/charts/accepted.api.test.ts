import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, loadSettings, type Client } from '@slurm-operator/kube'
import { startApiServer } from '@slurm-operator/local'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../project.ts'
import { CHARTS } from './chart-files.ts'
import { everythingOn, mergeValues, otherValue, renderChart, silent, valueAt, type Values } from './gen.ts'
import { findHelm } from './helm.ts'
import { certManagerKinds, createApply, namespace, type Apply } from './on-server.ts'
import { readRendered, type Rendered } from './read-rendered.ts'
import { everyNode, readValues } from './read-values.ts'

const helm = await findHelm()
const server = await startApiServer()
const client: Client = createClient(await loadSettings({ kubeconfig: server.kubeconfig }))
afterAll(async () => {
  client.close()
  await server.stop()
})

let apply: Apply

function rendered(chart: string, values: Values): Rendered[] {
  const { ok, stdout, stderr } = renderChart(helm, chart, values)
  if (!ok) throw new Error(stderr)
  return readRendered(stdout)
}

/** What the server refuses, in its words; nothing is stored. */
async function findRefused(objects: readonly Rendered[]): Promise<string[]> {
  const answers = await Promise.all(objects.map((object) => apply(object, { dryRun: true })))
  return answers.flatMap((answer) => (answer === 'accepted' ? [] : [answer]))
}

beforeAll(async () => {
  const first = await createApply(client)
  for (const crd of [...rendered('slurm-operator-crds', {}), ...certManagerKinds]) await first(crd)
  apply = await createApply(client, { 'slinky.slurm.net': 7, 'cert-manager.io': 2 })
  await apply(namespace('ns', { 'pod-security.kubernetes.io/enforce': 'restricted' }))
  for (const name of ['a', 'b', 'slinky', 'slurm']) await apply(namespace(name))
})

const operators: readonly { readonly name: string; readonly values: Values; readonly pods?: number }[] = [
  { name: 'as it comes', values: {} },
  { name: 'in one Deployment', values: { webhook: { ownDeployment: false } }, pods: 2 },
  {
    name: 'in one Deployment with cert-manager',
    values: { webhook: { ownDeployment: false }, certManager: { enabled: true } },
    pods: 2,
  },
  { name: 'with everything on', values: everythingOn['slurm-operator'] ?? {} },
  { name: 'with cert-manager', values: { certManager: { enabled: true }, webhook: { podsBinding: true } } },
  { name: 'for two namespaces', values: { operator: { namespaces: 'a,b' }, webhook: { namespaces: 'a, b' } } },
  { name: 'with secure metrics', values: { operator: { metricsSecure: true } } },
]

describe('the operator', () => {
  test.for(operators)('$name is refused by the server', async ({ values }) => {
    expect(await findRefused(rendered('slurm-operator', values))).toEqual([])
  })

  test.for(operators)('$name has pods that the restricted standard refuses', async ({ values, pods: count = 4 }) => {
    const objects = rendered('slurm-operator', values)
    for (const account of objects.filter(({ kind }) => kind === 'ServiceAccount')) await apply(account)
    const pods = objects.flatMap((object) => podsOf(object))
    expect(pods.length).toBe(count) // each program has a test
    expect(await findRefused(pods)).toEqual([])
  })

  test('the check does not see a pod that is too powerful', async () => {
    const tooPowerful = { operator: { podSecurityContext: { runAsNonRoot: false, runAsUser: 0 } } }
    const pods = rendered('slurm-operator', tooPowerful).flatMap((object) => podsOf(object))
    expect((await findRefused(pods)).join()).toContain('violates PodSecurity "restricted')
  })
})

describe('a Slurm cluster', () => {
  test('as it comes is refused by the server', async () => {
    expect(await findRefused(rendered('slurm', {}))).toEqual([])
  })

  test('with everything on is refused by the server', async () => {
    expect(await findRefused(rendered('slurm', everythingOn['slurm'] ?? {}))).toEqual([])
  })

  test('with every value changed at once is refused by the server', async () => {
    const base = everythingOn['slurm'] ?? {}
    const leaves = everyNode(readValues(readFileSync(join(CHARTS, 'slurm', 'values.yaml'), 'utf8'))).filter(
      ({ children, path }) => children.length === 0 && !(path in silent) && !path.endsWith('verride'),
    )
    const others = leaves.map((leaf) => valueAt(leaf.path, otherValue(leaf, {})))
    const switches = {
      controller: { external: false, persistence: { enabled: true } },
      accounting: { external: false },
      restapi: { enabled: true },
    }
    const on = { loginsetDefaults: { enabled: true }, nodesetDefaults: { enabled: true } }
    const objects = rendered('slurm', mergeValues(...others, base, switches, on))
    expect(objects.length).toBeGreaterThan(20)
    expect(await findRefused(objects)).toEqual([])
  })

  test('outside of Kubernetes is refused by the server', async () => {
    expect(await findRefused(rendered('slurm', { controller: { external: true } }))).toEqual([])
    expect(await findRefused(rendered('slurm', { accounting: { enabled: true, external: true } }))).toEqual([])
  })
})

describe('plain manifests', () => {
  test.for(['operator.yaml', 'slurm-cluster.yaml'])('%s is refused by the server', async (file) => {
    const text = readFileSync(join(ROOT, 'examples', 'install', file), 'utf8')
    expect(await findRefused(readRendered(text))).toEqual([])
  })
})

/** Pods themselves, and those that a Deployment would make. */
function podsOf(object: Rendered): Rendered[] {
  if (object.kind === 'Pod') return [object]
  if (object.kind !== 'Deployment') return []
  const { template } = object['spec'] as { readonly template: object }
  const { name, namespace = '' } = object.metadata
  return [{ ...template, apiVersion: 'v1', kind: 'Pod', metadata: { name: `${name}-pod`, namespace } }]
}
