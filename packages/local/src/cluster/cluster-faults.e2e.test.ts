import { beforeAll, describe, expect, test } from 'vitest'
import { whyNotHere } from '../box/require-boxes.ts'
import { until, untilTrue } from '../machine/until.ts'
import { clusterForSuite } from '../testing/cluster-suite.ts'
import { listOf, webPod } from '../testing/objects.ts'

const cluster = clusterForSuite({ nodes: 2 })
const patient = { timeoutMs: 180_000, everyMs: 200 }

beforeAll(async () => {
  if (whyNotHere().length === 0) await runPods(webPod('steady', 'n1'), webPod('unlucky', 'n2'))
})

async function runPods(...pods: readonly object[]): Promise<void> {
  await cluster().kubectl(['apply', '--server-side', '-f', '-'], { input: listOf(pods) })
  await cluster().kubectl([
    'wait',
    '--for=condition=Ready',
    '--timeout=110s',
    ...pods.map((pod) => `pod/${nameOf(pod)}`),
  ])
}

function nameOf(object: object): string {
  return (object as { metadata: { name: string } }).metadata.name
}

async function isReady(node: string): Promise<boolean> {
  return /^\S+\s+Ready\b/.test(await cluster().kubectl(['get', 'node', node, '--no-headers']))
}

async function addressOf(pod: string): Promise<string> {
  return cluster().kubectl(['get', 'pod', pod, '-o', 'jsonpath={.status.podIP}'])
}

async function read(address: string): Promise<string> {
  await using port = await cluster().forward(address, 8080)
  const response = await fetch(`http://127.0.0.1:${port.port}`, { signal: AbortSignal.timeout(10_000) })
  return await response.text()
}

describe('faults are like real ones', () => {
  test('a node without power stays Ready, or never comes back', async () => {
    await cluster().killNode('n2')
    await untilTrue('n2 to be NotReady', async () => !(await isReady('n2')), patient)
    await expect(cluster().runInNode('n2', ['true'])).rejects.toThrow('Cannot reach node n2')
    await cluster().restartNode('n2')
    expect(await isReady('n2')).toBe(true)
    await runPods(webPod('lucky', 'n2'))
    expect(await read(await addressOf('lucky'))).toBe('lucky\n')
  })

  test('pods stop with the API server, or it forgets them', async () => {
    const address = await addressOf('steady')
    await cluster().killApiServer()
    await expect(cluster().kubectl(['get', 'nodes'], { timeoutMs: 5_000 })).rejects.toThrow('Cannot run')
    expect(await read(address)).toBe('steady\n')
    await cluster().startApiServer()
    expect(await addressOf('steady')).toBe(address)
  })

  test('a power cut of the first node takes the control plane for good', async () => {
    await cluster().killNode('n1')
    await cluster().restartNode('n1')
    await untilTrue(
      'both nodes to be Ready',
      async () => (await Promise.all(cluster().nodes().map(isReady))).every(Boolean),
      patient,
    )
    const answer = async () => read(await addressOf('steady'))
    expect(await until('the pod of the first node to run again', answer, patient)).toBe('steady\n')
  })
})
