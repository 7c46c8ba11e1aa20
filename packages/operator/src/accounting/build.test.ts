import { API_GROUP_VERSION, type Accounting, type AccountingSpec } from '@slurm-operator/api'
import type { Secret, Service, StatefulSet } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { passThrough } from '../testing/build-in-still-world.ts'
import { accountingRoom } from './room.ts'

const NAMESPACE = 'hpc'

const sound: AccountingSpec = {
  slurmKeyRef: { name: 'slurm-key', key: 'k' },
  jwtKeyRef: { name: 'jwt-key', key: 'k' },
  slurmdbd: { image: 'slurmdbd:1' },
  storageConfig: { host: 'mariadb', username: 'slurm', passwordKeyRef: { name: 'db', key: 'password' } },
}

function secret(name: string, key: string, text: string): Secret {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { [key]: Buffer.from(text).toString('base64') } }
}

async function build(spec: Partial<AccountingSpec> = {}, secrets: Readonly<Record<string, string>> = {}) {
  const accounting: Accounting = {
    apiVersion: API_GROUP_VERSION,
    kind: 'Accounting',
    metadata: { name: 'books', namespace: NAMESPACE },
    spec: { ...sound, ...spec },
  }
  const values: Readonly<Record<string, string>> = { 'slurm-key': 'a', 'jwt-key': 'b', db: 'word', ...secrets }
  const objects = Object.entries(values).flatMap(([name, text]) =>
    text === '' ? [] : [secret(name, name === 'db' ? 'password' : 'k', text)],
  )
  const { wish } = await passThrough(accountingRoom, accounting, { objects, namespace: NAMESPACE })
  const find = (kind: string) => wish.children.find((child) => child.kind === kind)
  const conf = (find('Secret') as Secret | undefined)?.data?.['slurmdbd.conf'] ?? ''
  return {
    ...wish,
    conf: Buffer.from(conf, 'base64').toString('utf8'),
    pods: find('StatefulSet') as StatefulSet | undefined,
    service: find('Service') as Service | undefined,
  }
}

describe('the password of the database', () => {
  test('a line break in it writes another setting', async () => {
    const { obstacles, children } = await build({}, { db: 'x\nPrivateData=none' })
    expect(obstacles).toMatchObject([{ reason: 'InvalidSpec', because: expect.stringContaining('passwordKeyRef') }])
    expect(JSON.stringify(obstacles)).not.toContain('PrivateData')
    expect(children.map(({ kind }) => kind)).toEqual(['Service'])
  })

  test('a # in it cuts it off', async () => {
    const { conf, obstacles } = await build({}, { db: 'a#b' })
    expect(obstacles.length > 0 || !conf.includes('StoragePass=a#b\n')).toBe(true)
  })

  test('a new one does not reach slurmdbd', async () => {
    const [before, after] = [await build(), await build({}, { db: 'new-word' })]
    expect(JSON.stringify(before.pods?.spec?.template)).not.toBe(JSON.stringify(after.pods?.spec?.template))
  })

  test('it does not exist, and nobody says so', async () => {
    const { obstacles, children } = await build({}, { db: '' })
    expect(obstacles).toEqual([
      {
        reason: 'WaitingForReference',
        because: 'Secret db with the entry password does not exist, but Accounting books needs it.',
      },
    ])
    expect(children.map(({ kind }) => kind)).toEqual(['Service'])
  })
})

describe('slurmdbd', () => {
  test('hangs for ever', async () => {
    const { pods } = await build()
    const [daemon] = pods?.spec?.template.spec?.containers ?? []
    expect(daemon?.livenessProbe?.tcpSocket?.port).toBe(6819)
    expect(daemon?.startupProbe?.failureThreshold).toBeGreaterThan(60) // converting a big database takes long
    expect(daemon?.terminationMessagePolicy).toBe('FallbackToLogsOnError')
  })

  test('metadata for pods is lost', async () => {
    const { pods } = await build({ template: { metadata: { labels: { team: 'physics' } } } })
    expect(pods?.spec?.template.metadata?.labels).toHaveProperty('team', 'physics')
  })

  test('a changed port of the Service is where nobody listens', async () => {
    const { conf, pods, service } = await build({ service: { port: 7819 } })
    expect(conf).toContain('DbdPort=7819\n')
    expect(pods?.spec?.template.spec?.containers[0]?.ports?.[0]?.containerPort).toBe(7819)
    expect(service?.spec?.ports?.[0]).toMatchObject({ port: 7819, targetPort: 'slurmdbd' })
  })

  test('a key that is gone restarts it with an empty hash', async () => {
    const { obstacles, pods } = await build({}, { 'slurm-key': '' })
    expect(obstacles).toMatchObject([{ because: 'Secret slurm-key does not exist, but Accounting books needs it.' }])
    expect(pods).toBeUndefined()
  })

  test('the keys of others are not there', async () => {
    const { obstacles } = await build({ jwksKeyRef: { name: 'jwks', key: 'a' } })
    expect(obstacles).toMatchObject([{ because: expect.stringContaining('ConfigMap jwks with the entry a') }])
  })
})

test('an Accounting that has moved out leaves its pods behind', async () => {
  const outside = { external: true, externalConfig: { host: 'dbd', port: 6819 } }
  expect(await build(outside)).toMatchObject({ children: [], obstacles: [] })
})
