import {
  discover,
  findKind,
  podResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  type StatefulSet,
} from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { failureOf, useBench } from './bench.ts'
import { pod } from './objects.ts'
import type { GetServer } from './server-under-test.ts'

const NAMESPACE = 'builtin'

/** What single kinds do beyond what all kinds do, as far as an operator meets it. */
export function builtInContract(getServer: GetServer): void {
  describe('a built-in kind', () => {
    const bench = useBench(getServer, NAMESPACE)
    const key = (name: string) => ({ namespace: NAMESPACE, name })

    test('gets the defaults of its kind: a pod', async () => {
      const made = await bench().client.resource(podResource).create(pod(NAMESPACE, 'filled'))
      expect(made).toMatchObject({
        metadata: { generation: 1 },
        spec: {
          restartPolicy: 'Always',
          terminationGracePeriodSeconds: 30,
          dnsPolicy: 'ClusterFirst',
          containers: [
            {
              imagePullPolicy: 'IfNotPresent',
              terminationMessagePolicy: 'File',
              ports: [{ containerPort: 80, protocol: 'TCP' }],
            },
          ],
        },
        status: { phase: 'Pending', qosClass: 'BestEffort' },
      })
      expect(made.spec?.tolerations?.map(({ key }) => key)).toEqual([
        'node.kubernetes.io/not-ready',
        'node.kubernetes.io/unreachable',
      ])
    })

    test('gets the defaults of its probes, also where a zero or an empty text is sent', async () => {
      const wanted = pod(NAMESPACE, 'probed')
      const [main] = wanted.spec?.containers ?? []
      const livenessProbe = { httpGet: { port: 80, path: '' }, periodSeconds: 0, timeoutSeconds: 7 }
      const containers = [{ ...main, name: 'main', livenessProbe, readinessProbe: { tcpSocket: { port: 80 } } }]
      const { spec } = await bench()
        .client.resource(podResource)
        .create({ ...wanted, spec: { containers } })
      const usual = { periodSeconds: 10, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3 }
      expect(spec?.containers[0]).toMatchObject({
        livenessProbe: { ...usual, timeoutSeconds: 7, httpGet: { port: 80, path: '/', scheme: 'HTTP' } },
        readinessProbe: { ...usual, tcpSocket: { port: 80 } },
      })
    })

    test('keeps most of a pod from changing', async () => {
      const pods = bench().client.resource(podResource)
      await pods.create(pod(NAMESPACE, 'fixed'))
      const error = await failureOf(pods.patch(key('fixed'), { type: 'merge', body: { spec: { hostname: 'other' } } }))
      expect(error.message).toContain('pod updates may not change fields other than')
      const changed = await pods.patch(key('fixed'), {
        type: 'strategic',
        body: { spec: { containers: [{ name: 'main', image: 'image:2' }] } },
      })
      expect([changed.spec?.containers[0]?.image, changed.metadata.generation]).toEqual(['image:2', 2])
    })

    test('binds a pod to one node, for good', async () => {
      const pods = bench().client.resource(podResource)
      await pods.create(pod(NAMESPACE, 'bound'))
      const bind = (node: string) =>
        pods.binding.create(key('bound'), {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { ...key('bound'), annotations: { from: 'binding' } },
          target: { kind: 'Node', name: node },
        })
      await bind('node-a')
      expect(await failureOf(bind('node-b'))).toMatchObject({ reason: 'Conflict' })
      const bound = await pods.get(key('bound'))
      expect(bound.spec?.nodeName).toBe('node-a')
      expect(bound.metadata).toMatchObject({ annotations: { from: 'binding' }, generation: 1 })
      expect(bound.status?.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }])
    })

    test('takes plain texts of a Secret', async () => {
      const secrets = bench().client.resource(secretResource)
      const made = await secrets.create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: key('texts'),
        stringData: { a: 'hello' },
      })
      expect([made.type, made.data, made.stringData]).toEqual(['Opaque', { a: 'aGVsbG8=' }, undefined])
    })

    test('refuses a Service whose ports cannot be told apart by their names', async () => {
      const services = bench().client.resource(serviceResource)
      const refusal = async (...ports: readonly { readonly name?: string; readonly port: number }[]) => {
        const named = { apiVersion: 'v1', kind: 'Service', metadata: key('clash'), spec: { ports } } as const
        const { causes } = await failureOf(services.create(named))
        return causes.map(({ reason, field }) => `${reason} ${field}`)
      }
      expect(await refusal({ name: 'a', port: 80 }, { name: 'a', port: 81 })).toEqual([
        'FieldValueDuplicate spec.ports[1].name',
      ])
      expect(await refusal({ name: 'a', port: 80 }, { port: 81 })).toEqual(['FieldValueRequired spec.ports[1].name'])
    })

    test('gives a Service an address, or none if it wants none', async () => {
      const services = bench().client.resource(serviceResource)
      const make = (name: string, spec: object) =>
        services.create({
          apiVersion: 'v1',
          kind: 'Service',
          metadata: key(name),
          spec: { ports: [{ port: 80 }], ...spec },
        })
      const [made, headless] = [await make('addressed', {}), await make('headless', { clusterIP: 'None' })]
      expect(made.spec).toMatchObject({
        type: 'ClusterIP',
        clusterIP: expect.stringMatching(/^10\.96\./) as string,
        ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
      })
      expect(headless.spec).toMatchObject({ clusterIP: 'None', clusterIPs: ['None'] })
      const { clusterIP: _one, clusterIPs: _all, ...rest } = made.spec ?? {}
      expect((await services.update({ ...made, spec: rest })).spec?.clusterIP).toBe(made.spec?.clusterIP)
    })

    test('keeps most of a StatefulSet from changing', async () => {
      const sets = bench().client.resource(statefulSetResource)
      const labels = { app: 'set' }
      const set: StatefulSet = {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: key('set'),
        spec: {
          serviceName: 'set',
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'image:1' }] } },
        },
      }
      expect((await sets.create(set)).spec).toMatchObject({
        replicas: 1,
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      })
      expect(
        await failureOf(sets.patch(key('set'), { type: 'merge', body: { spec: { serviceName: 'other' } } })),
      ).toMatchObject({ reason: 'Invalid' })
      expect(await sets.scale.get(key('set'))).toMatchObject({ spec: { replicas: 1 }, status: { selector: 'app=set' } })
    })

    test('is found by discovery, as custom kinds are', async () => {
      const { client } = bench()
      const groups = await discover(client)
      expect(findKind(groups, { group: '', kind: 'Pod' })).toMatchObject({ plural: 'pods', namespaced: true })
      expect(findKind(groups, { group: 'contract.test', kind: 'Widget' })).toMatchObject({
        plural: 'widgets',
        shortNames: ['wdg'],
      })
    })
  })
}
