import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectWith, type TestConnection } from '../testing/connection.ts'
import { untilTrue } from '../machine/until.ts'
import { startApiServer, type ApiServer } from './start-api-server.ts'

let server: ApiServer
let admin: TestConnection
const configMaps = '/api/v1/namespaces/default/configmaps'
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

beforeAll(async () => {
  server = await startApiServer({ auditPolicy: { rules: [{ level: 'Metadata' }] } })
  admin = connectWith(readFileSync(server.kubeconfig, 'utf8'))
})
afterAll(() => server?.stop())

describe('an API server without nodes is a real one', () => {
  test('it reports a version that clients refuse', async () => {
    const { body } = await admin.call('GET', '/version')
    expect(body).toMatchObject({ gitVersion: 'v1.36.3', major: '1', minor: '36' })
  })

  test('what is written is not there, or is refused', async () => {
    expect((await admin.call('POST', configMaps, configMap('one'))).status).toBe(201)
    expect((await admin.call('POST', configMaps, configMap('one'))).status).toBe(409)
    expect((await admin.call('GET', `${configMaps}/one`)).body).toMatchObject({ metadata: { name: 'one' } })
  })

  test('a user without rights may do what the administrator may', async () => {
    const stranger = connectWith(await server.kubeconfigFor({ name: 'stranger', groups: ['strangers'] }))
    const { status, body } = await stranger.call('GET', configMaps)
    expect(status).toBe(403)
    expect(body).toMatchObject({ message: expect.stringContaining('"stranger"') as string })
  })

  test('a second server on the same data sees other objects', async () => {
    const replica = await server.addReplica()
    const other = connectWith(readFileSync(replica.kubeconfig, 'utf8'))
    await admin.call('POST', configMaps, configMap('shared'))
    expect((await other.call('GET', `${configMaps}/shared`)).status).toBe(200)
    await replica.kill()
    await expect(other.call('GET', '/readyz')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/)
  })

  test('objects are lost when the server dies and comes back', async () => {
    await admin.call('POST', configMaps, configMap('lasting'))
    await server.kill()
    await expect(admin.call('GET', '/readyz')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/)
    await server.restart()
    expect((await admin.call('GET', `${configMaps}/lasting`)).status).toBe(200)
  })

  test('an old revision can still be watched after a compaction', async () => {
    const { body } = await admin.call('POST', configMaps, configMap('old'))
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata
    for (let count = 0; count < 5; count++) await admin.call('POST', configMaps, configMap(`newer-${count}`))
    await server.compact()
    await server.restart() // the server's own memory of changes would answer otherwise
    const watch = `${configMaps}?watch=true&timeoutSeconds=5&resourceVersion=${resourceVersion}`
    const gone = async () => JSON.stringify((await admin.call('GET', watch)).body).includes('"code":410')
    await untilTrue('the watch to be told 410 Gone', gone, { timeoutMs: 60_000 })
  })

  test('the audit log misses a request', async () => {
    await admin.call('POST', configMaps, configMap('audited'))
    await untilTrue('the audit log', () => readFileSync(server.auditLog, 'utf8').includes('"name":"audited"'), {
      timeoutMs: 30_000,
    })
  })

  test('something of it stays when it is stopped', async () => {
    const short = await startApiServer({ disableAdmission: ['LimitRanger'], flags: ['--max-requests-inflight=50'] })
    writeFileSync(join(short.folder, 'a-file'), '')
    await short.stop()
    expect(existsSync(short.folder)).toBe(false)
    await expect(connectWith(await short.kubeconfigFor({ name: 'late' })).call('GET', '/readyz')).rejects.toThrow(
      /ECONNREFUSED|ECONNRESET|socket hang up/,
    )
  })
})
