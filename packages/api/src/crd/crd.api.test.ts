import { describe, expect, test } from 'vitest'
import { customResourceDefinitionResource } from '@slurm-operator/kube'
import { kinds, type OurKind } from '../kinds/all.ts'
import { readAllRecorded, readCase, whyNoCompat } from './gen-compat.ts'
import { accepted, refused } from './gen-rules.ts'
import { objectsOf, startServerWithCrds, tryCreate } from './gen.ts'

const client = await startServerWithCrds()

describe('the server refuses what could only fail later', () => {
  for (const [index, { kind, why, spec, name, says }] of refused.entries()) {
    test(`${kind}: ${why}`, async () => {
      const answer = await tryCreate(client, kind, { name: name ?? `refused-${index}`, spec })
      expect(answer).toEqual(expect.stringMatching(says))
    })
  }
})

describe('the server accepts what is right, also at the edges', () => {
  for (const [index, { kind, why, spec, name, stored = {} }] of accepted.entries()) {
    test(`${kind}: ${why}`, async () => {
      const answer = await tryCreate(client, kind, { name: name ?? `accepted-${index}`, spec })
      expect(answer).toMatchObject({ spec: stored })
    })
  }
})

describe('recorded cases of the reference', () => {
  const allowed = new Map([
    ['Controller/external-without-port', 'the port has a default (spec/api.md 13)'],
    ['NodeSet/ssh-without-sssd', 'sssd.conf is needed only when SSH is on (spec/api.md 13)'],
  ])
  test('what the reference refuses is refused, but for what we allow on purpose', async ({ skip }) => {
    skip(whyNoCompat !== undefined, whyNoCompat)
    const unexpected: string[] = []
    for (const { kind, metadata, spec } of readCase('schema-refusals', 'input.yaml')) {
      const name = metadata.name ?? ''
      const answer = await tryCreate(client, kind as OurKind, { name, spec })
      if ((typeof answer === 'string') === allowed.has(`${kind}/${name}`)) unexpected.push(`${kind}/${name}`)
    }
    expect(unexpected).toEqual([])
  })

  test('every object of every case and chart is accepted, but for what can never work', async ({ skip }) => {
    skip(whyNoCompat !== undefined, whyNoCompat)
    const unexpected: string[] = []
    for (const { file, object } of readAllRecorded().filter((one) => !one.file.includes('schema-refusals'))) {
      const metadata = { ...object.metadata, namespace: 'default' }
      const created = objectsOf(client, object.kind as OurKind).create({ ...object, metadata }, { dryRun: true })
      await created.catch((error: unknown) => unexpected.push(`${file}: ${String(error)}`))
    }
    // Both are accepted by the reference and can never work (spec/api.md 13).
    expect(unexpected).toEqual([
      expect.stringMatching(/^cases\/accounting-no-storage\/.*storageConfig is missing/),
      expect.stringMatching(/^cases\/restapi-negative\/.*spec.replicas/),
    ])
  })

  test('defaults are stored as the reference stores them', async ({ skip }) => {
    skip(whyNoCompat !== undefined, whyNoCompat)
    const expected = readCase('schema-defaults', 'expected.yaml')
    for (const { kind, metadata, spec } of readCase('schema-defaults', 'input.yaml')) {
      const wanted = expected.find((one) => one.kind === kind && one.metadata?.name === metadata.name)
      const answer = await tryCreate(client, kind as OurKind, { name: metadata.name ?? '', spec })
      expect(answer).toHaveProperty('spec', wanted?.spec)
    }
  })
})

test('a fresh status may say no more than that nobody has looked yet', async () => {
  for (const kind of Object.keys(kinds) as OurKind[]) {
    const { spec = {} } = accepted.find((row) => row.kind === kind) ?? {}
    const name = 'fresh'
    await tryCreate(client, kind, { name, spec })
    const conditions = [
      { type: 'Ready', status: 'Unknown', reason: 'NotLookedYet', message: '', lastTransitionTime: TIME },
    ]
    const patch = { type: 'merge', body: { status: { observedGeneration: 1, conditions } } } as const
    const written = await objectsOf(client, kind).status.patch({ namespace: 'default', name }, patch)
    expect(written.status).toEqual({ observedGeneration: 1, conditions })
  }
})

const TIME = '2026-01-01T00:00:00Z'

test('kubectl get prints what is worth knowing', async () => {
  const names: Record<string, readonly string[]> = {}
  for (const { kind, plural } of Object.values(kinds)) {
    const { text } = await client.raw({
      method: 'GET',
      path: `/apis/slinky.slurm.net/v1beta1/${plural}`,
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    })
    const { columnDefinitions } = JSON.parse(text) as { columnDefinitions: { name: string; priority: number }[] }
    names[kind] = columnDefinitions.map(({ name, priority }) => (priority > 0 ? `(${name})` : name))
  }
  expect(names).toEqual({
    Accounting: ['Name', 'READY', 'REASON', 'AGE'],
    Cluster: ['Name', 'READY', 'REASON', 'VERSION', 'NODES(A/I/O/T)', 'RUNNING', 'PENDING', 'LAST CONTACT', 'AGE'],
    Controller: [
      ...['Name', 'READY', 'REASON', 'VERSION', 'NODES(A/I/O/T)'],
      ...['(RUNNING)', '(PENDING)', '(LAST CONTACT)', 'AGE'],
    ],
    LoginSet: ['Name', 'REPLICAS', 'READY', 'REASON', 'AGE'],
    NodeSet: [
      ...['Name', 'DESIRED', 'REPLICAS', 'UPDATED', 'READY', '(IDLE)', '(ALLOCATED)', '(DOWN)', '(DRAIN)'],
      ...['NODES(A/I/O/T)', 'REASON', 'AGE'],
    ],
    RestApi: ['Name', 'READY', 'REASON', 'REPLICAS', 'AGE'],
    Token: ['Name', 'USER', 'IAT', 'READY', 'REASON', '(EXPIRES)', 'AGE'],
  })
})

test('the cells of a ready Cluster are filled', async () => {
  const key = { namespace: 'default', name: 'printed' }
  await tryCreate(client, 'Cluster', { name: key.name, spec: { controllerRef: { name: 'slurm' } } })
  const slurm = {
    version: '26.05.0',
    lastContactTime: TIME,
    nodes: { summary: '1/2/0/3' },
    jobs: { running: 1, pending: 0 },
  }
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Answering', message: '', lastTransitionTime: TIME }]
  await objectsOf(client, 'Cluster').status.patch(key, {
    type: 'merge',
    body: { status: { isReady: true, conditions, slurm } },
  })
  const { text } = await client.raw({
    method: 'GET',
    path: `/apis/slinky.slurm.net/v1beta1/namespaces/default/clusters/${key.name}`,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  })
  const { rows } = JSON.parse(text) as { rows: { cells: unknown[] }[] }
  expect(rows[0]?.cells.slice(0, 7)).toEqual(['printed', true, 'Answering', '26.05.0', '1/2/0/3', 1, 0])
})

test('the server has nothing to complain about in our schemas', async () => {
  const { items } = await client.resource(customResourceDefinitionResource).list()
  const complaints = items
    .flatMap(({ status }) => status?.conditions ?? [])
    .filter(({ type }) => type === 'NonStructuralSchema')
  expect(complaints).toEqual([])
})
