import type { ConfigMap, KubeObject, PodDisruptionBudget, Service } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { buildSharedObjects } from './build-shared.ts'
import { aNodeSet, type SpecDifferences } from './gen-build.ts'

const nodeSet = (name: string, controller: string, more: SpecDifferences = {}) =>
  aNodeSet({ controllerRef: { name: controller }, ...more }, { name })
const ssh = { ssh: { enabled: true, sssdConfRef: { name: 'sssd', key: 'sssd.conf' } } }
/** The one object of this kind. */
const find = <T extends KubeObject>(kind: T['kind'], objects: readonly KubeObject[]): T | undefined =>
  objects.find((object): object is T => object.kind === kind)

describe('the objects that NodeSets share prevent that', () => {
  test('NS-181: one NodeSet takes the Service of the others with it', () => {
    const [a, b] = [nodeSet('a', 'slurm'), nodeSet('b', 'slurm')]
    const owners = buildSharedObjects(b, [b, a]).map(({ metadata }) =>
      metadata.ownerReferences?.map(({ name }) => name),
    )
    expect(owners).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    expect(buildSharedObjects(a, [a, b])).toEqual(buildSharedObjects(b, [b, a]))
    const references = buildSharedObjects(a, [a, b]).flatMap(({ metadata }) => metadata.ownerReferences ?? [])
    expect(references.filter(({ controller }) => controller === true)).toEqual([])
  })

  test('NS-180: slurmctld cannot resolve a worker that registers', () => {
    const one = nodeSet('gpu-1', 'slurm')
    const service = find<Service>('Service', buildSharedObjects(one, [one]))
    const owner = { apiVersion: 'slinky.slurm.net/v1beta1', kind: 'NodeSet', name: 'gpu-1', uid: 'uid-gpu-1' }
    expect(service?.metadata).toMatchObject({ name: 'slurm-workers-slurm', namespace: 'ns' })
    expect(service?.metadata.ownerReferences).toEqual([{ ...owner, blockOwnerDeletion: true }])
    expect(service?.spec).toEqual({
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { 'app.kubernetes.io/name': 'slurmd', 'slinky.slurm.net/cluster': 'slurm' },
      ports: [{ name: 'slurmd', port: 6818, targetPort: 'slurmd', protocol: 'TCP' }],
    })
  })

  test('NS-183: workers of two namespaces share a Service because their Controllers have one name', () => {
    for (const namespace of ['here', 'there']) {
      const one = aNodeSet({}, { namespace })
      const places = buildSharedObjects(one, [one]).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      expect(places).toEqual([`${namespace}/slurm-workers-slurm`, `${namespace}/slurm-workers-pdb-slurm`])
    }
  })

  test('NS-184: a worker that runs jobs is evicted', () => {
    const one = nodeSet('a', 'slurm')
    const budget = find<PodDisruptionBudget>('PodDisruptionBudget', buildSharedObjects(one, [one]))
    expect(budget?.metadata.name).toBe('slurm-workers-pdb-slurm')
    expect(budget?.spec).toEqual({
      maxUnavailable: 0,
      selector: {
        matchLabels: { 'nodeset.slinky.slurm.net/pod-protect': 'true', 'slinky.slurm.net/cluster': 'slurm' },
      },
    })
  })

  test('a NodeSet that names no Controller leaves objects behind that nobody owns', () => {
    expect(buildSharedObjects(nodeSet('a', ''), [])).toEqual([])
    expect(buildSharedObjects(nodeSet('a', '', ssh), []).map(({ kind }) => kind)).toEqual(['ConfigMap'])
  })

  test('NS-188: there is a configuration of sshd where nobody runs it', () => {
    for (const more of [{}, { ssh: { ...ssh.ssh, enabled: false } }]) {
      const one = nodeSet('a', 'slurm', more)
      expect(find<ConfigMap>('ConfigMap', buildSharedObjects(one, [one]))).toBeUndefined()
    }
  })

  test('NS-189: what the user says to sshd is not heard, or instead of what workers need', () => {
    const one = nodeSet('gpu-1', 'slurm', { ssh: { ...ssh.ssh, extraSshdConfig: 'LoginGraceTime 600' } })
    const config = find<ConfigMap>('ConfigMap', buildSharedObjects(one, [one]))
    expect(config?.metadata).toMatchObject({ name: 'gpu-1-ssh-config', ownerReferences: [{ controller: true }] })
    const lines = (config?.data?.['sshd_config'] ?? '').split('\n').filter((line) => !/^(?:#|$)/.test(line))
    expect(lines).toEqual([
      'Include /etc/ssh/sshd_config.d/*.conf',
      'UsePAM yes',
      'Subsystem sftp internal-sftp',
      'AuthenticationMethods publickey password',
      'LoginGraceTime 600',
    ])
  })

  test('the configuration of sshd cannot be found by its Slurm cluster', () => {
    const one = nodeSet('a', 'slurm', ssh)
    const config = buildSharedObjects(one, [one]).find(({ kind }) => kind === 'ConfigMap')
    expect(config?.metadata.labels).toMatchObject({ 'slinky.slurm.net/cluster': 'slurm' })
  })
})
