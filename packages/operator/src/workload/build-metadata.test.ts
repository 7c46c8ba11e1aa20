import { describe, expect, test } from 'vitest'
import { buildMetadata, type MetadataInput } from './build-metadata.ts'

const input: MetadataInput = {
  on: 'object',
  name: 'slurm-controller',
  namespace: 'hpc',
  component: 'controller',
  instance: 'slurm',
  resource: {
    labels: {
      'app.kubernetes.io/name': 'user',
      'app.kubernetes.io/managed-by': 'Helm',
      'app.kubernetes.io/version': '26.05',
      'helm.sh/chart': 'slurm-1',
      'kustomize.toolkit.fluxcd.io/name': 'hpc',
      'argocd.argoproj.io/instance': 'hpc',
      team: 'physics',
      tier: 'cr',
    },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'argocd.argoproj.io/tracking-id': 'x',
      'meta.helm.sh/release-name': 'hpc',
      'helm.sh/resource-policy': 'keep',
      'kubectl.kubernetes.io/default-container': 'other',
      note: 'mine',
    },
  },
  extra: { labels: { tier: 'template' }, annotations: { note: 'template' } },
}

const ours = {
  'app.kubernetes.io/name': 'slurmctld',
  'app.kubernetes.io/instance': 'slurm',
  'app.kubernetes.io/component': 'controller',
}

describe('metadata of children prevents that', () => {
  test('a kubectl apply of the resource changes, and so restarts, its children', () => {
    expect(buildMetadata(input).annotations).toEqual({
      'kubectl.kubernetes.io/default-container': 'other',
      note: 'template',
    })
  })

  test('GitOps tools take children for theirs and prune them', () => {
    expect(buildMetadata(input).labels).toEqual({
      ...ours,
      'app.kubernetes.io/part-of': 'slurm',
      'app.kubernetes.io/managed-by': 'slurm-operator',
      'app.kubernetes.io/version': '26.05',
      'helm.sh/chart': 'slurm-1',
      team: 'physics',
      tier: 'template',
    })
  })

  test('a chart upgrade, or another operator, restarts pods', () => {
    const { labels } = buildMetadata({ ...input, on: 'pod-template' })
    expect(labels).toEqual({ ...ours, 'app.kubernetes.io/managed-by': 'Helm', team: 'physics', tier: 'template' })
  })

  test('pods that we create ourselves cannot be found', () => {
    const { labels } = buildMetadata({ ...input, on: 'pod', labels: { 'slinky.slurm.net/cluster': 'slurm' } })
    expect(labels).toMatchObject({
      'app.kubernetes.io/managed-by': 'slurm-operator',
      'slinky.slurm.net/cluster': 'slurm',
    })
    expect(labels).not.toHaveProperty('helm.sh/chart')
  })

  test('the whole of which a user says that Slurm is a part is forgotten', () => {
    const { labels } = buildMetadata({ ...input, resource: { labels: { 'app.kubernetes.io/part-of': 'user' } } })
    expect(labels?.['app.kubernetes.io/part-of']).toBe('user')
  })

  test('hashes and the default container can be overwritten by users', () => {
    const hashes = { 'slinky.slurm.net/slurm-key-hash': 'h', note: 'hash' }
    const { annotations } = buildMetadata({ ...input, on: 'pod-template', hashes, defaultContainer: 'slurmctld' })
    expect(annotations).toEqual({ 'kubectl.kubernetes.io/default-container': 'slurmctld', ...hashes })
  })

  test('absent and null metadata makes empty maps', () => {
    const { resource: _resource, ...rest } = input
    const metadata = buildMetadata({ ...rest, resource: undefined, extra: { labels: null, annotations: null } })
    expect(metadata).not.toHaveProperty('annotations')
  })
})
