import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { annotationKeys } from '@slurm-operator/api'
import { describe, expect, test } from 'vitest'
import { CHARTS } from './chart-files.ts'
import { everythingOn, renderChart, type Values } from './gen.ts'
import { findHelm, runHelm } from './helm.ts'
import { readRendered, type Rendered } from './read-rendered.ts'

const helm = await findHelm()

interface Resource extends Rendered {
  readonly spec: {
    readonly extraConf?: string
    readonly slurmd?: { readonly volumeMounts: readonly object[] }
    readonly template?: { readonly metadata: object; readonly spec: { readonly volumes?: readonly object[] } }
  }
}

function readResources(text: string): Resource[] {
  return readRendered(text) as Resource[]
}

function rendered(values: Values): Resource[] {
  const { ok, stdout, stderr } = renderChart(helm, 'slurm', values)
  if (!ok) throw new Error(stderr)
  return readResources(stdout)
}

const one = (values: Values, kind: string, name = 'rel-slurm') =>
  rendered(values).find((object) => object.kind === kind && object.metadata.name === name)

describe('the operator makes keys', () => {
  const rows = [
    { name: 'never', values: {}, keys: 'true' },
    { name: 'also those that others bring', values: { jwtKey: { create: false } }, keys: 'slurm' },
    { name: 'only together with the other one', values: { slurmKey: { create: false } }, keys: 'jwt' },
    { name: 'in spite of the user', values: { slurmKey: { create: false }, jwtKey: { create: false } } },
    { name: 'that a slurmctld outside does not have', values: { controller: { external: true } } },
    { name: 'that a slurmdbd outside does not have', values: { accounting: { enabled: true, external: true } } },
    { name: 'unless accounting that is off is external', values: { accounting: { external: true } }, keys: 'true' },
  ]
  test.for(rows)('$name', ({ values, keys }) => {
    const annotations = one(values, 'Controller')?.metadata.annotations
    expect(annotations?.['slinky.slurm.net/generate-keys']).toBe(keys)
  })
})

test('a switch of a NodeSet is lost, or replaces all its workers', () => {
  const { drainOnDelete, protectUntilDrained } = annotationKeys
  const switches = { [drainOnDelete]: 'true', [protectUntilDrained]: 'true' }
  const nodeSet = (annotations: object) =>
    one({ nodesets: { one: { metadata: { annotations } } } }, 'NodeSet', 'rel-slurm-worker-one')
  expect(nodeSet(switches)?.metadata.annotations).toEqual(switches)
  expect(nodeSet(switches)?.spec).toEqual(nodeSet({})?.spec)
  expect(nodeSet({ ...switches, mine: 1 })?.spec).toEqual(nodeSet({ mine: 1 })?.spec)
  expect(nodeSet({ mine: 1 })?.spec.template?.metadata).toMatchObject({ annotations: { mine: '1' } })
})

test('a new version of the chart restarts workers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'next-chart-'))
  try {
    cpSync(join(CHARTS, 'slurm'), folder, { recursive: true })
    const chart = readFileSync(join(folder, 'Chart.yaml'), 'utf8')
    writeFileSync(join(folder, 'Chart.yaml'), chart.replace(/^version: .*$/m, 'version: 99.0.0'))
    const words = ['--namespace', 'ns', '--kube-version', '1.36.0', '--set', 'nodesets.one.replicas=1']
    const [now, next] = [join(CHARTS, 'slurm'), folder].map((path) =>
      readResources(runHelm(helm, ['template', 'rel', path, ...words]).stdout).map(({ kind, spec }) => ({
        kind,
        spec,
      })),
    )
    expect(now?.map(({ kind }) => kind)).toContain('NodeSet')
    expect(next).toEqual(now)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('partitions', () => {
  const nodesets = { cpu: {}, gpu: { podSpec: { hostname: 'fast-' } }, off: { enabled: false } }
  const rows = [
    { name: 'name a set that Slurm does not know', list: ['gpu', 'cpu'], line: 'PartitionName=p Nodes=cpu,fast' },
    { name: 'do not know ALL', list: ['ALL'], line: 'PartitionName=p Nodes=ALL' },
  ]
  test.for(rows)('$name', ({ list, line }) => {
    const partitions = { p: { enabled: true, nodesets: list } }
    expect(one({ nodesets, partitions }, 'Controller')?.spec.extraConf).toBe(line)
  })

  test('over nothing are made in silence', () => {
    const answers = [['off'], ['none'], []].map((list) =>
      renderChart(helm, 'slurm', { nodesets, partitions: { p: { enabled: true, nodesets: list } } }),
    )
    for (const { ok, stderr } of answers) {
      expect(ok).toBe(false)
      expect(stderr).toContain('Cannot make partition p')
    }
  })
})

describe('hardware', () => {
  const networks = Array.from({ length: 9 }, (_, index) => `net${index}`)
  const google = (machine: string) => ({
    google: { [machine]: [{ targetNodeSet: 'one', nodePool: 'pool', networks }] },
  })

  test('GPUs that a machine brings are not seen by the DCGM exporter', () => {
    const vendor = { ...google('a3ultra'), nvidia: { dcgm: { enabled: true } } }
    const set = one({ nodesets: { one: {} }, vendor }, 'NodeSet', 'rel-slurm-worker-one')
    expect(set?.spec.slurmd?.volumeMounts).toContainEqual(expect.objectContaining({ name: 'dcgm-job-mapping' }))
    expect(set?.spec.template?.spec.volumes?.length).toBe(3)
    expect(set?.spec.extraConf).toBe('Gres=gpu:nvidia_h200:8')
    expect(JSON.stringify(set?.metadata.annotations)).toContain('eth9')
  })

  test.for(['a3mega', 'a3ultra'])('own configuration of a set hides the GPUs of %s', (machine) => {
    const values = { nodesets: { one: { extraConf: 'Weight=2' } }, vendor: google(machine) }
    expect(one(values, 'NodeSet', 'rel-slurm-worker-one')?.spec.extraConf).toMatch(/^Weight=2 Gres=gpu:\w+:8$/)
  })

  test('a mount of the user is lost when ours is added', () => {
    const slurmd = {
      resources: { limits: { 'nvidia.com/gpu': 1 } },
      volumeMounts: [{ name: 'own', mountPath: '/own' }],
    }
    const values = { nodesets: { one: { slurmd } }, vendor: { nvidia: { dcgm: { enabled: true } } } }
    const set = one(values, 'NodeSet', 'rel-slurm-worker-one')
    expect(set?.spec.slurmd?.volumeMounts.map((mount) => (mount as { name: string }).name)).toEqual([
      'own',
      'dcgm-job-mapping',
    ])
  })
})

test('an empty block in a values file takes the image away', () => {
  const empty = { slurmd: null, logfile: null, podSpec: null, ssh: null, metadata: null, updateStrategy: null }
  expect(one({ nodesets: { one: empty } }, 'NodeSet', 'rel-slurm-worker-one')?.spec).toEqual(
    one({ nodesets: { one: {} } }, 'NodeSet', 'rel-slurm-worker-one')?.spec,
  )
})

test('the kinds do not come with the operator when asked for', () => {
  const { stdout } = renderChart(helm, 'slurm-operator', { crds: { enabled: true } })
  const kinds = readResources(stdout).filter(({ kind }) => kind === 'CustomResourceDefinition')
  expect(kinds.length).toBe(7)
  for (const { metadata } of kinds) expect(metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' })
})

test('something random is rendered', () => {
  const all = Object.entries(everythingOn).map(([chart, values]) => renderChart(helm, chart, values).stdout)
  expect(all.join('\n')).not.toMatch(/BEGIN (CERTIFICATE|.*PRIVATE KEY)|caBundle/)
})
