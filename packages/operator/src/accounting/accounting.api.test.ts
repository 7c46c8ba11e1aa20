import { accountingResource, type Accounting } from '@slurm-operator/api'
import { secretResource, serviceResource, statefulSetResource } from '@slurm-operator/kube'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createComponentPass } from '../component/reconcile-component.ts'
import { createComponentLoop } from '../programs/create-loop.ts'
import { startBed, type Bed } from '../testing/bed.ts'
import { createNamespace, eventually, type RunningOperator } from '../testing/gen.ts'
import { startPod } from '../testing/start-pod.ts'
import { stillPass } from '../testing/still-world.ts'
import { untilReason } from '../testing/until-reason.ts'
import { accountingRoom } from './room.ts'
import { accountingSources } from './watch.ts'

let bed: Bed
let operator: RunningOperator
let count = 0

beforeAll(async () => {
  bed = await startBed({ controllers: ['statefulset-controller'] })
  operator = await bed.run((world) => [createComponentLoop(world, accountingRoom, accountingSources(world))])
})
afterAll(async () => {
  await bed?.[Symbol.asyncDispose]()
})

const accountings = () => bed.client.resource(accountingResource)
const secrets = () => bed.client.resource(secretResource)
const sets = () => bed.client.resource(statefulSetResource)

const accounting = (namespace: string): Accounting => ({
  apiVersion: 'slinky.slurm.net/v1beta1',
  kind: 'Accounting',
  metadata: { name: 'books', namespace, annotations: { 'slinky.slurm.net/generate-keys': 'true' } },
  spec: {
    slurmKeyRef: { name: 'slurm-key', key: 'k' },
    jwtKeyRef: { name: 'jwt-key', key: 'k' },
    slurmdbd: { image: 'slurmdbd:1' },
    storageConfig: { host: 'mariadb', username: 'slurm', passwordKeyRef: { name: 'db', key: 'password' } },
  },
})

const setPassword = (namespace: string, password: string) =>
  secrets().apply(
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db', namespace }, stringData: { password } },
    { fieldManager: 'test', force: true },
  )
async function prepare(): Promise<string> {
  const namespace = await createNamespace(bed.client, `accounting-${++count}`)
  await accountings().create(accounting(namespace))
  return namespace
}
const says = (namespace: string, reason: string) => untilReason(accountings(), { namespace, name: 'books' }, reason)
const conf = async (namespace: string) => {
  const text = (await secrets().find({ namespace, name: 'books-accounting' }))?.data?.['slurmdbd.conf'] ?? ''
  return Buffer.from(text, 'base64').toString('utf8')
}
const confHash = async (namespace: string) =>
  (await sets().find({ namespace, name: 'books-accounting' }))?.spec?.template.metadata?.annotations?.[
    'slinky.slurm.net/slurmdbd-conf-hash'
  ]

describe('Accountings on a real API server prevent that', () => {
  test('the password is missing or new, and nobody notices', async () => {
    const namespace = await prepare()
    expect((await says(namespace, 'WaitingForReference')).message).toContain('Secret db with the entry password')
    await setPassword(namespace, 'first')
    const before = await eventually('slurmdbd', () => confHash(namespace))
    await setPassword(namespace, 'second')
    await eventually(
      'the new password',
      async () => (await conf(namespace)).includes('StoragePass=second') || undefined,
    )
    await eventually('another pod template', async () => ((await confHash(namespace)) === before ? undefined : true))
  })

  test('a password that cannot be written breaks the file', async () => {
    const namespace = await prepare()
    await setPassword(namespace, 'first')
    const before = await eventually('slurmdbd', () => confHash(namespace))
    await setPassword(namespace, 'a\nb')
    expect((await says(namespace, 'InvalidSpec')).message).not.toContain('a\nb')
    expect(await confHash(namespace)).toBe(before)
    expect(await conf(namespace)).toContain('StoragePass=first')
  })

  test('pods, a Service and a password stay when slurmdbd has moved out', async () => {
    const namespace = await prepare()
    await setPassword(namespace, 'first')
    await eventually('slurmdbd', () => confHash(namespace))
    const body = { spec: { external: true, externalConfig: { host: 'dbd.example.com', port: 6819 } } }
    await accountings().patch({ namespace, name: 'books' }, { type: 'merge', body })
    await says(namespace, 'External')
    await eventually('nothing', async () => {
      const key = { namespace, name: 'books-accounting' }
      const left = [
        await sets().find(key),
        await secrets().find(key),
        await bed.client.resource(serviceResource).find(key),
      ]
      return left.every((object) => object === undefined) || undefined
    })
    expect(await secrets().find({ namespace, name: 'slurm-key' })).toBeDefined()
  })

  test('at rest something is written, or a ready slurmdbd is not called ready', async () => {
    const namespace = await prepare()
    await setPassword(namespace, 'first')
    await startPod(bed.client, { namespace, name: 'books-accounting-0' })
    await says(namespace, 'Ready')
    const versions = async () =>
      [
        await accountings().get({ namespace, name: 'books' }),
        ...(await secrets().list({ namespace })).items,
        ...(await sets().list({ namespace })).items,
      ].map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)
    const reconcile = createComponentPass(accountingRoom, operator.world)
    await reconcile({ namespace, name: 'books' }, stillPass)
    const before = await versions()
    for (let pass = 0; pass < 3; pass++) await reconcile({ namespace, name: 'books' }, stillPass)
    expect(await versions()).toEqual(before)
  })
})
