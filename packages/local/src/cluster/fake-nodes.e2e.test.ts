import { expect, test } from 'vitest'
import { untilTrue } from '../machine/until.ts'
import { clusterForSuite } from '../testing/cluster-suite.ts'
import { fakeNodeSelector, fakeNodeTaint } from './fake-nodes.ts'
import { SHELL_IMAGE } from './images.ts'

const COUNT = 1000
const cluster = clusterForSuite({ nodes: 1, nodeGracePeriodSeconds: 50 })

const labels = { app: 'crowd' }
const crowd = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'crowd' },
  spec: {
    replicas: COUNT,
    serviceName: 'crowd',
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        nodeSelector: fakeNodeSelector,
        tolerations: [{ key: fakeNodeTaint.key, operator: 'Exists' }],
        containers: [{ name: 'pretend', image: SHELL_IMAGE }],
      },
    },
  },
}

test('tests of scale need a thousand machines', async () => {
  await cluster().startFakeNodes(COUNT)
  await cluster().kubectl(['apply', '--server-side', '-f', '-'], { input: JSON.stringify(crowd) })
  const ready = () => cluster().kubectl(['get', 'statefulset', 'crowd', '-o', 'jsonpath={.status.readyReplicas}'])
  await untilTrue(`${COUNT} pretended pods`, async () => Number(await ready()) === COUNT, {
    timeoutMs: 500_000,
    everyMs: 1_000,
  })
  const nodes = await cluster().kubectl(['get', 'pods', '-l', 'app=crowd', '-o', 'jsonpath={.items[*].spec.nodeName}'])
  expect(nodes.split(' ').every((name) => name.startsWith('fake-'))).toBe(true)
})
