import { fileURLToPath } from 'node:url'
import { nodeSetResource } from '@slurm-operator/api'
import { leaseResource, podResource, secretResource, type Live, type Pod } from '@slurm-operator/kube'
import { OPERATOR_NAMESPACE, runHelm, silentProgress, untilReady, untilTrue } from '@slurm-operator/local'
import { describe, expect, test } from 'vitest'
import {
  endJob,
  FAT,
  fateOf,
  installExample,
  isReady,
  killProcesses,
  namespace,
  operatorLogs,
  operatorPods,
  patchNodeSet,
  patient,
  productForSuite,
  readNodeSet,
  readPod,
  refusals,
  startJob,
  timed,
  untilNodeSetReady,
} from './gen.ts'

const product = productForSuite({ operator: ['operator.replicas=2', 'webhook.replicas=2'] })

const chart = (name: string) => fileURLToPath(new URL(`../../../../charts/${name}`, import.meta.url))
const kubectl = (...words: readonly string[]) => product().cluster.kubectl(words)
const helm = (...words: readonly string[]) => runHelm(product().cluster, silentProgress, words)

describe('two replicas of the operator', () => {
  const leader = async () => {
    const lease = { namespace: OPERATOR_NAMESPACE, name: 'slurm-operator' }
    const { spec } = await product().client.resource(leaseResource).get(lease)
    return spec?.holderIdentity ?? ''
  }

  test('the leader is killed, and nobody takes over', async () => {
    const [first, pods] = [await leader(), await operatorPods(product())]
    const pod = pods.find(({ metadata }) => first.startsWith(`${metadata.name}_`))
    if (pod === undefined || pods.length !== 2)
      throw new Error(`Cannot kill the leader: ${pods.length} operators, ${first} leads`)
    await killProcesses(product(), pod)
    await patchNodeSet(product(), FAT, { replicas: 2 })
    // Mostly the other pod. The killed one may be back early enough to see the last renewal before the other does.
    await timed('leader killed with -9 → another leader', () =>
      untilTrue('another leader', async () => ![first, ''].includes(await leader()), patient),
    )
    await timed('→ its first deed', () =>
      untilTrue('the worker', async () => (await readPod(product(), `${FAT}-1`)) !== undefined, patient),
    )
    await patchNodeSet(product(), FAT, { replicas: 1 })
    await untilNodeSetReady(product(), FAT)
  })
})

describe('a constant stream of changes', () => {
  const nodeSets = () => product().client.resource(nodeSetResource)

  test('is refused while the webhook is rolled', async () => {
    const refused: string[] = []
    const rolled = new AbortController()
    let count = 0
    const change = async () => {
      const body = { metadata: { annotations: { 'example.com/change': `${(count += 1)}` } } }
      await nodeSets()
        .patch({ namespace, name: FAT }, { type: 'merge', body })
        .catch((error: unknown) => refused.push(String(error)))
    }
    const stream = (async () => {
      while (!rolled.signal.aborted) await change()
    })()
    try {
      await timed('webhook rolled', async () => {
        await kubectl('rollout', 'restart', '-n', OPERATOR_NAMESPACE, 'deployment/slurm-operator-webhook')
        const flags = ['-n', OPERATOR_NAMESPACE, '--timeout=100s']
        await kubectl('rollout', 'status', ...flags, 'deployment/slurm-operator-webhook')
        await untilTrue('the old ones to be gone', async () => (await webhooks()).length === 2, patient)
      })
    } finally {
      rolled.abort()
      await stream
    }
    console.log(`${count} changes, ${refused.length} refused`)
    expect(refused).toEqual([])
  })

  async function webhooks(): Promise<readonly Live<Pod>[]> {
    const labelSelector = 'app.kubernetes.io/name=slurm-operator-webhook'
    const which = { namespace: OPERATOR_NAMESPACE, labelSelector }
    return (await product().client.resource(podResource).list(which)).items
  }
})

describe('charts change while a job runs, and', () => {
  const workers = async () => {
    const which = { namespace, labelSelector: 'app.kubernetes.io/name=slurmd' }
    const { items } = await product().client.resource(podResource).list(which)
    return items.map(({ metadata, status }) => ({
      uid: metadata.uid,
      restarts: status?.containerStatuses?.map(({ restartCount }) => restartCount),
    }))
  }
  const upgrade = (release: string, where: string, ...values: readonly string[]) =>
    helm(
      'upgrade',
      release,
      chart(release),
      '--namespace',
      where,
      '--reuse-values',
      ...values.flatMap((value) => ['--set', value]),
    )
  const allReady = () => untilReady(product().cluster.kubectl, { namespace, progress: silentProgress, ...patient })

  test('an upgrade or a rollback restarts a worker', async () => {
    const job = await startJob(product(), `${FAT}-0`)
    const before = await workers()
    await timed('upgrade of both charts, until Ready', async () => {
      await upgrade('slurm-operator', OPERATOR_NAMESPACE, 'operator.logLevel=debug')
      await upgrade('slurm', namespace, 'restapi.replicas=2', 'partitions.all.configMap.MaxTime=1-00:00:00')
      await kubectl('rollout', 'status', '-n', OPERATOR_NAMESPACE, '--timeout=100s', 'deployment/slurm-operator')
      await allReady()
    })
    await timed('rollback of both charts, until Ready', async () => {
      await helm('rollback', 'slurm-operator', '--namespace', OPERATOR_NAMESPACE)
      await helm('rollback', 'slurm', '--namespace', namespace)
      await kubectl('rollout', 'status', '-n', OPERATOR_NAMESPACE, '--timeout=100s', 'deployment/slurm-operator')
      await allReady()
    })
    expect(await workers()).toEqual(before)
    await endJob(product(), job)
    expect(await fateOf(product(), job)).toBe('COMPLETED')
    expect(isReady(await readNodeSet(product(), FAT))).toBe(true)
  })
})

test('the example cannot be installed again after somebody has scaled it', async () => {
  await kubectl('scale', '--namespace', namespace, `nodesets.slinky.slurm.net/${FAT}`, '--replicas=2')
  await installExample(product())
  expect((await readNodeSet(product(), FAT)).spec.replicas).toBe(1)
})

describe('what the operator says', () => {
  const SHORTEST_SECRET = 12

  test('holds a secret', async () => {
    const said = { logs: await operatorLogs(product()), metrics: await metrics(), ...(await kubernetesSays()) }
    const known = await secretTexts()
    expect(known.length).toBeGreaterThan(10)
    for (const [where, text] of Object.entries(said)) {
      expect(text.length, where).toBeGreaterThan(100)
      expect(known.filter(({ value }) => text.includes(value)).map(({ name }) => `${name} in ${where}`)).toEqual([])
      expect(/eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/.exec(text)?.[0], `a token in ${where}`).toBeUndefined()
    }
  })

  async function kubernetesSays() {
    const events = await kubectl('get', 'events', '-A', '-o', 'json')
    const status = await kubectl('get', 'slurm', '-A', '-o', 'json')
    return { events, status }
  }

  async function metrics(): Promise<string> {
    const pods = (await operatorPods(product())).filter(isReady)
    const texts = pods.map(async ({ status }) => {
      await using port = await product().cluster.forward(status?.podIP ?? '', 8080)
      const answer = await fetch(`http://127.0.0.1:${port.port}/metrics`, { signal: AbortSignal.timeout(10_000) })
      return await answer.text()
    })
    return (await Promise.all(texts)).join('\n')
  }

  /** Every value of every Secret, as it is and in the forms in which it might be printed. */
  async function secretTexts(): Promise<readonly { name: string; value: string }[]> {
    const lists = [namespace, OPERATOR_NAMESPACE].map((where) =>
      product().client.resource(secretResource).list({ namespace: where }),
    )
    const secrets = (await Promise.all(lists)).flatMap(({ items }) => items)
    return secrets
      .filter(({ type }) => type !== 'helm.sh/release.v1')
      .flatMap(({ metadata, data = {} }) =>
        Object.entries(data)
          .filter(([key]) => !/\.pub$|\.crt$|^ca$/.test(key))
          .flatMap(([key, value]) => formsOf(value).map((form) => ({ name: `${metadata.name}/${key}`, value: form }))),
      )
  }

  function formsOf(base64: string): readonly string[] {
    const bytes = Buffer.from(base64, 'base64')
    const forms = [
      base64,
      bytes.toString('utf8'),
      bytes.toString('hex'),
      JSON.stringify(bytes.toString('utf8')).slice(1, -1),
    ]
    return [...new Set(forms)].filter(({ length }) => length >= SHORTEST_SECRET)
  }

  test('is that it lacks a right', async () => {
    expect(await refusals(product())).toEqual([])
  })
})
