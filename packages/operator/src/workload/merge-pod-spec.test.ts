import type { PodSpec } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { baseContainer, basePod, baseToleration } from './gen.ts'
import { mergePodSpec } from './merge-pod-spec.ts'

const path = 'spec.template.spec'
const [configVolume, stateVolume] = basePod.volumes ?? []

const accidents: readonly { name: string; user: unknown; expected: Partial<PodSpec> }[] = [
  {
    name: 'a grace period of zero is ignored',
    user: { terminationGracePeriodSeconds: 0, securityContext: { runAsNonRoot: false, fsGroup: 0 } },
    expected: { terminationGracePeriodSeconds: 0, securityContext: { runAsNonRoot: false, fsGroup: 0 } },
  },
  {
    name: 'what charts write for nothing clears our values',
    user: { tolerations: [], initContainers: [], imagePullSecrets: null, affinity: {}, volumes: [], nodeSelector: {} },
    expected: {},
  },
  {
    name: 'a template container named like ours makes the pod invalid',
    user: { containers: [{ name: 'slurmd', args: ['-v'], image: 'theirs' }] },
    expected: { containers: [{ ...baseContainer, image: 'theirs', args: ['-Z', '-v'] }] },
  },
  {
    name: 'other containers come before ours',
    user: { containers: [{ name: 'beside' }], initContainers: [{ name: 'before' }] },
    expected: {
      containers: [baseContainer, { name: 'beside' }],
      initContainers: [{ name: 'logfile', command: ['sh'] }, { name: 'before' }],
    },
  },
  {
    name: 'a user volume with our name makes two',
    user: { volumes: [{ name: 'statesave', hostPath: { path: '/x' } }] },
    expected: {
      volumes: [configVolume, { name: 'statesave', hostPath: { path: '/x' } }] as PodSpec['volumes'] & object,
    },
  },
  {
    name: 'a user volume stands behind ours, unlike in running clusters',
    user: { volumes: [{ name: 'extra', emptyDir: {} }] },
    expected: {
      volumes: [{ name: 'extra', emptyDir: {} }, configVolume, stateVolume] as PodSpec['volumes'] & object,
    },
  },
  {
    name: 'a user toleration evicts workers from tainted nodes',
    user: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] },
    expected: { tolerations: [{ key: 'dedicated', operator: 'Exists' }, baseToleration] },
  },
  {
    name: 'the toleration of both sides stands twice',
    user: { tolerations: [{ ...baseToleration, value: '', tolerationSeconds: 5 }] },
    expected: { tolerations: [{ ...baseToleration, value: '', tolerationSeconds: 5 }] },
  },
]

describe('merging a pod prevents that', () => {
  for (const { name, user, expected } of accidents) {
    test(name, () => {
      const { value, problems } = mergePodSpec(basePod, user, path)
      expect(value).toEqual({ ...basePod, ...expected })
      expect(problems).toEqual([])
    })
  }

  test('two slurmctld share a node because the user has an anti-affinity, too', () => {
    const ours = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { a: 'b' } } }
    const theirs = { topologyKey: 'zone' }
    const user = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [theirs, ours] } } }
    const { value } = mergePodSpec(basePod, user, path, { apartFrom: ours })
    expect(value.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual([theirs, ours])
    expect(mergePodSpec(basePod, {}, path).value.affinity).toBeUndefined()
  })
})

describe('what cannot be merged is told in words, never thrown', () => {
  const refusals: readonly { name: string; user: unknown; problem: RegExp }[] = [
    { name: 'containers without a name', user: { containers: [{ image: 'x' }, 3] }, problem: /2 without a name/ },
    { name: 'the same name twice', user: { containers: [{ name: 'a' }, { name: 'a' }] }, problem: /two .* named a/ },
    { name: 'a container named like our sidecar', user: { containers: [{ name: 'logfile' }] }, problem: /logfile/ },
    { name: 'containers that are no list', user: { containers: { name: 'a' } }, problem: /must be a list/ },
    { name: 'volumes without a name', user: { volumes: [{ emptyDir: {} }] }, problem: /no name/ },
  ]
  for (const { name, user, problem } of refusals) {
    test(name, () => {
      const { problems } = mergePodSpec(basePod, user, path)
      expect(problems.map((each) => each.problem)).toContainEqual(expect.stringMatching(problem))
      expect(problems.every((each) => each.path.startsWith(path))).toBe(true)
    })
  }
})
