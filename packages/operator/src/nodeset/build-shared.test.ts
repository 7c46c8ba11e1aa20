import { withNodeSetDefaults } from '@slurm-operator/api'
import { describe, expect, test } from 'vitest'
import type { Kept } from '../world/trim.ts'
import { buildSharedObjects } from './build-shared.ts'

const nodeSet = (name: string, controller: string, more: object = {}) =>
  withNodeSetDefaults({
    apiVersion: 'slinky.slurm.net/v1beta1',
    kind: 'NodeSet',
    metadata: { name, namespace: 'n', uid: name, resourceVersion: '1', creationTimestamp: '' },
    spec: { controllerRef: { name: controller }, ...more },
  } as Kept<never>)
const ssh = { ssh: { enabled: true, sssdConfRef: { name: 'sssd', key: 'sssd.conf' } } }

describe('the objects that NodeSets share prevent that', () => {
  test('one NodeSet takes the Service of the others with it', () => {
    const [a, b] = [nodeSet('a', 'slurm'), nodeSet('b', 'slurm')]
    const owners = buildSharedObjects(b, [b, a]).map(({ metadata }) =>
      metadata.ownerReferences?.map(({ name }) => name),
    )
    expect(owners).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
    expect(buildSharedObjects(a, [a, b])).toEqual(buildSharedObjects(b, [b, a]))
  })

  test('a NodeSet that names no Controller leaves objects behind that nobody owns', () => {
    expect(buildSharedObjects(nodeSet('a', ''), [])).toEqual([])
    expect(buildSharedObjects(nodeSet('a', '', ssh), []).map(({ kind }) => kind)).toEqual(['ConfigMap'])
  })

  test('the configuration of sshd cannot be found by its Slurm cluster', () => {
    const one = nodeSet('a', 'slurm', ssh)
    const config = buildSharedObjects(one, [one]).find(({ kind }) => kind === 'ConfigMap')
    expect(config?.metadata.labels).toMatchObject({ 'slinky.slurm.net/cluster': 'slurm' })
  })
})
