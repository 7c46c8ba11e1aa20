import { randomBytes } from 'node:crypto'
import { clusterResource, controllerResource } from '@slurm-operator/api'
import { namespaceResource, secretResource } from '@slurm-operator/kube'
import { runHelm, silentProgress, until, untilReady, untilTrue } from '@slurm-operator/local'
import { describe, expect, test } from 'vitest'
import {
  endJob,
  fateOf,
  installExample,
  isReady,
  isStaying,
  namespace,
  onLogin,
  onNode,
  operatorOn,
  patient,
  productForSuite,
  readPod,
  refusals,
  saveState,
  startJob,
  timed,
  untilReplaced,
  type Product,
} from './gen.ts'

const CONTROLLER = { namespace, name: 'slurm' }
const SLURMCTLD = { pod: 'slurm-controller-0', namespace, container: 'slurmctld' }

/** One Kube node is lost in the end: not that of the API server, nor that of the operator. */
const UNLUCKY = 'n2'
const product = productForSuite({ operator: operatorOn('n1'), install: installAndKill })

/** kill -9 as soon as slurmctld has noted that it has run before: it cannot start again by itself. */
async function installAndKill(at: Product): Promise<void> {
  await createJwtKey(at)
  const installing = installExample(at, [onNode('controller.podSpec.nodeSelector', UNLUCKY)])
  const noted = 'test -e /var/spool/slurmctld/slurm_slurm/clustername'
  await until('the first start of slurmctld', () => at.cluster.exec(SLURMCTLD, ['sh', '-c', noted]), patient)
  await killSlurmctld(at)
  await timed('slurmctld killed right after its very first start → all is Ready', () => installing)
}

const newKey = () => ({ 'jwt.key': randomBytes(32).toString('base64') })

/** A key of the user's own: he may change it. One that the operator has made is fixed. */
async function createJwtKey({ client }: Product): Promise<void> {
  const [names, metadata] = [{ apiVersion: 'v1', kind: 'Namespace' } as const, { name: namespace }]
  await client.resource(namespaceResource).create({ ...names, metadata })
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'slurm-auth-jwt', namespace } } as const
  await client.resource(secretResource).create({ ...secret, data: newKey() })
}

async function killSlurmctld(at: Product): Promise<void> {
  const pod = await readPod(at, SLURMCTLD.pod)
  await at.cluster.runInNode(pod?.spec?.nodeName ?? '', ['pkill', '-9', 'slurmctld'])
}

const kubectl = (...words: readonly string[]) => product().cluster.kubectl(words)
const controllers = () => product().client.resource(controllerResource)
const secrets = () => product().client.resource(secretResource)
const allReady = () => untilReady(product().cluster.kubectl, { namespace, progress: silentProgress, ...patient })

const inSlurmctld = (script: string) => product().cluster.exec(SLURMCTLD, ['sh', '-c', script])

/** When the process was started; a reconfigure keeps it. */
const startOfSlurmctld = () => inSlurmctld('ps -o lstart= -p $(pgrep -o slurmctld)')

const patchController = (spec: object) => controllers().patch(CONTROLLER, { type: 'merge', body: { spec } })

async function controllerCondition(type: string) {
  const { status } = await controllers().get(CONTROLLER)
  return status?.conditions?.find((condition) => condition.type === type)
}

async function runsJobs(): Promise<void> {
  await until('a job to run', () => onLogin(product(), 'srun --partition=all --nodes=2 true && echo done'), patient)
}

describe('the very first start', () => {
  test('slurmctld is killed right after it, and never starts again', async () => {
    expect(isReady(await controllers().get(CONTROLLER))).toBe(true)
    await timed('two-node job', runsJobs)
  })
})

describe('a configuration', () => {
  const extraConf = async () => (await controllers().get(CONTROLLER)).spec.extraConf ?? ''

  test('a new partition restarts slurmctld, or does not become active', async () => {
    const [job, startedAt, before] = [
      await startJob(product(), 'slurm-worker-cpu-0'),
      await startOfSlurmctld(),
      await extraConf(),
    ]
    await patchController({ extraConf: `${before}\nPartitionName=night Nodes=ALL MaxTime=60` })
    await timed('new partition in the spec → Slurm has it', () =>
      until('the partition', () => onLogin(product(), 'scontrol show partition night'), patient),
    )
    expect(await startOfSlurmctld()).toBe(startedAt)
    await endJob(product(), job)
    expect(await fateOf(product(), job)).toBe('COMPLETED')
    await timed('→ ConfigurationApplied', () =>
      untilTrue('it', async () => (await controllerCondition('ConfigurationApplied'))?.status === 'True', patient),
    )
  })

  // Slurmctld of the local images runs in the foreground and ends with a bad configuration; with a supervisor it goes on.
  test('a bad one ends jobs, or nobody says what is wrong with it, or a correction does not help', async () => {
    const [job, good] = [await startJob(product(), 'slurm-worker-cpu-0'), await extraConf()]
    await patchController({ extraConf: `${good}\nSelectTypeParameters=CR_Nonsense` })
    const told = await timed('bad setting → the status names it', () =>
      until(
        'the status to name it',
        async () => {
          const conditions = await Promise.all(['Ready', 'ConfigurationApplied'].map(controllerCondition))
          return conditions.find((condition) => condition?.status === 'False' && /CR_Nonsense/.test(condition.message))
        },
        patient,
      ),
    )
    console.log(`${told.reason}: ${told.message}`)
    await patchController({ extraConf: good })
    await timed('taken back → all is Ready', async () => {
      await untilTrue('it', async () => (await controllerCondition('ConfigurationApplied'))?.status === 'True', patient)
      await allReady()
    })
    expect(await isStaying(product(), job.pod)).toBe(true)
    await endJob(product(), job)
    expect(await fateOf(product(), job)).toBe('COMPLETED')
  })
})

describe('secrets change, and', () => {
  const readSecret = (name: string) => secrets().get({ namespace, name })

  test('a new JWT key locks the operator out, or leaves old tokens in use', async () => {
    const job = await startJob(product(), 'slurm-worker-cpu-0')
    const token = await readSecret('slurm-token-root-jwt-root')
    await secrets().patch({ namespace, name: 'slurm-auth-jwt' }, { type: 'merge', body: { data: newKey() } })
    await timed('JWT key changed → another token', () =>
      untilTrue(
        'the new token',
        async () => (await readSecret('slurm-token-root-jwt-root')).data?.['SLURM_JWT'] !== token.data?.['SLURM_JWT'],
        patient,
      ),
    )
    await timed('→ everything is Ready', allReady)
    const url = 'http://slurm-restapi.slurm.svc.cluster.local:6820/slurm/v0.0.44/nodes/'
    const now = Buffer.from(
      (await readSecret('slurm-token-root-jwt-root')).data?.['SLURM_JWT'] ?? '',
      'base64',
    ).toString()
    await timed('→ slurmctld accepts the new token', () =>
      untilTrue('it', async () => (await statusOf(url, now)) === 200, patient),
    )
    const old = Buffer.from(token.data?.['SLURM_JWT'] ?? '', 'base64').toString()
    expect(await statusOf(url, old)).not.toBe(200)
    expect(await isStaying(product(), job.pod)).toBe(true)
    await endJob(product(), job)
    expect(await fateOf(product(), job)).toBe('COMPLETED')
  })

  async function statusOf(url: string, token: string): Promise<number> {
    const { hostname, port, pathname } = new URL(url)
    await using forward = await product().cluster.forward(hostname, Number(port))
    const headers = { 'X-SLURM-USER-TOKEN': token }
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(`http://127.0.0.1:${forward.port}${pathname}`, { headers, signal })
    return answer.status
  }

  test('a new password of the database ends accounting', async () => {
    const password = randomBytes(12).toString('hex')
    const before = await readPod(product(), 'slurm-accounting-0')
    const old = Buffer.from((await readSecret('mariadb-password')).data?.['password'] ?? '', 'base64').toString()
    const sql = `SET PASSWORD = PASSWORD('${password}')`
    const command = ['mariadb', '--host=127.0.0.1', '--user=slurm', `--password=${old}`, '-e', sql]
    await product().cluster.exec({ pod: 'mariadb-0', namespace }, command)
    const body = { stringData: { password } }
    await secrets().patch({ namespace, name: 'mariadb-password' }, { type: 'merge', body })
    await timed('database password changed → a new slurmdbd is Ready', () =>
      untilReplaced(product(), before, 'slurm-accounting-0'),
    )
    const job = await startJob(product(), 'slurm-worker-cpu-0')
    await endJob(product(), job)
    expect(await fateOf(product(), job)).toBe('COMPLETED')
  })
})

describe('a Slurm outside of Kubernetes', () => {
  const place = { namespace: 'elsewhere', name: 'outside' }
  const clusters = () => product().client.resource(clusterResource)
  const condition = async () => (await clusters().get(place)).status?.conditions?.find(({ type }) => type === 'Ready')

  test('a Cluster with a wrong token looks Ready, or never gets better', async () => {
    const { client } = product()
    const { namespace: elsewhere } = place
    await client
      .resource(namespaceResource)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: elsewhere } })
    const token = (text: string) => ({ stringData: { 'auth-token': text } })
    const metadata = { namespace: elsewhere, name: 'outside-token' }
    await secrets().create({ apiVersion: 'v1', kind: 'Secret', metadata, ...token('nonsense') })
    await clusters().create({
      apiVersion: 'slinky.slurm.net/v1beta1',
      kind: 'Cluster',
      metadata: place,
      spec: { server: 'http://slurm-restapi.slurm:6820', token: { secretRef: { name: 'outside-token' } } },
    })
    const refusal = await until(
      'the wrong token to be refused',
      async () => {
        const ready = await condition()
        return ready?.status === 'False' && /token|auth|511|401/i.test(ready.message) ? ready : undefined
      },
      patient,
    )
    console.log(`${refusal.reason}: ${refusal.message}`)
    const right = await secrets().get({ namespace, name: 'slurm-token-root-jwt-root' })
    const text = Buffer.from(right.data?.['SLURM_JWT'] ?? '', 'base64').toString()
    await secrets().patch(metadata, { type: 'merge', body: token(text) })
    await timed('right token → Cluster is Ready', () =>
      untilTrue('it', async () => (await condition())?.status === 'True', patient),
    )
    expect((await clusters().get(place)).status?.slurm).toMatchObject({ version: expect.stringMatching(/^26\.05/) })
    await clusters().delete(place)
  })
})

describe('a Kube node is lost', () => {
  test('with slurmctld on it, nothing comes back with the node', async () => {
    const { cluster } = product()
    const node = UNLUCKY
    const job = await startJob(product(), await workerNotOn(node))
    expect((await readPod(product(), SLURMCTLD.pod))?.spec?.nodeName).toBe(node)
    await saveState(product(), SLURMCTLD.pod)
    await cluster.killNode(node)
    const told = await timed('power cut → the Controller names the lost node', () =>
      until(
        'the Controller to tell',
        async () => {
          const ready = await controllerCondition('Ready')
          return ready?.message.includes(node) === true ? ready : undefined
        },
        patient,
      ),
    )
    console.log(`${told.reason}: ${told.message}`)
    await timed('power is back → the node is Ready', () => cluster.restartNode(node))
    await timed('→ everything is Ready', allReady)
    await endJob(product(), job)
    expect(await fateOf(product(), job)).toBe('COMPLETED')
  })

  async function workerNotOn(node: string): Promise<string> {
    const pods = await Promise.all(
      ['cpu-0', 'cpu-1', 'fat-0'].map((name) => readPod(product(), `slurm-worker-${name}`)),
    )
    const found = pods.find((pod) => pod?.spec?.nodeName !== node)
    if (found === undefined) throw new Error(`Cannot find a worker that is not on ${node}`)
    return found.metadata.name
  }
})

describe('everything is deleted', () => {
  test('something stays that nobody knows of', async () => {
    await runHelm(product().cluster, silentProgress, ['uninstall', 'slurm', '--namespace', namespace])
    const left = () =>
      kubectl('get', 'all,pvc,pdb,secrets,configmaps,controllerrevisions', '-n', namespace, '-o', 'name')
    const ours = async () =>
      (await left())
        .split('\n')
        .filter((name) => !/mariadb|kube-root-ca|^$/.test(name))
        .sort()
    const documented = [
      'persistentvolumeclaim/statesave-slurm-controller-0',
      'secret/slurm-auth-jwt',
      'secret/slurm-auth-slurm',
    ]
    await timed('helm uninstall → only what the docs say is left', () =>
      untilTrue('the rest to go', async () => (await ours()).length <= documented.length, patient),
    ).catch(async (error: unknown) => {
      console.log(await left())
      throw error
    })
    expect(await ours()).toEqual(documented)
  })
})

test('the operator lacks a right that a control plane needs', async () => {
  expect(await refusals(product())).toEqual([])
})
