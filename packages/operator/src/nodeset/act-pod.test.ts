import { API_GROUP_VERSION, selectorLabels } from '@slurm-operator/api'
import type { KubeObject, OwnerReference } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { refusal } from '../testing/still-server.ts'
import { startActing } from './gen-acting.ts'

const ours: OwnerReference = {
  ...{ apiVersion: API_GROUP_VERSION, kind: 'NodeSet', name: 'foo', uid: 'uid-of-NodeSet-foo' },
  controller: true,
}
const other: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'notes', uid: 'uid-of-notes' }
const edited = { ...selectorLabels('worker', 'foo'), 'app.kubernetes.io/instance': 'bar' }

/** Our worker, until somebody took its label away. */
const stray: KubeObject = {
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name: 'foo-0', uid: 'uid-of-foo-0', labels: edited, ownerReferences: [other, ours] },
}

describe('letting go of a pod prevents that', () => {
  test('NS-097: it stays ours, or loses its other owners, or another pod of its name loses them', async () => {
    const { pass, server, requests } = startActing({ objects: [stray], spec: { replicas: 0 } })
    await pass()
    const body = { metadata: { uid: 'uid-of-foo-0', ownerReferences: [other] } }
    expect(server.requests).toContainEqual({ text: 'patch Pod foo-0', body })
    expect(server.find('Pod', { name: 'foo-0' })?.metadata).toMatchObject({ labels: edited, ownerReferences: [other] })
    await pass()
    expect(requests('patch Pod')).toHaveLength(1)
  })

  test('NS-097: it counts as a worker', async () => {
    const { workers } = startActing({ objects: [stray] })
    expect(await workers()).toEqual([])
  })

  test.each([
    ['404', refusal('NotFound')],
    ['422', refusal('Invalid', [{ reason: 'Invalid', field: 'metadata.uid', message: 'field is immutable' }])],
  ])('NS-098: %s makes the pass fail, or is told', async (_code, answer) => {
    const refuse = (text: string) => (text === 'patch Pod foo-0' ? answer : undefined)
    const { pass, requests, told } = startActing({ objects: [stray], spec: { replicas: 0 }, refuse })
    expect((await pass()).kind).not.toBe('retry')
    expect([requests('patch Pod'), told.filter(({ type }) => type === 'Warning')]).toEqual([['patch Pod foo-0'], []])
  })
})
