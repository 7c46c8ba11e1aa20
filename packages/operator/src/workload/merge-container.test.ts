import type { Container } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { baseContainer } from './gen.ts'
import { mergeContainer } from './merge-container.ts'

const accidents: readonly { name: string; user: unknown; expected: unknown }[] = [
  {
    name: 'privileged: false is ignored and the daemon stays privileged',
    user: { securityContext: { privileged: false, runAsNonRoot: false, runAsUser: 0 } },
    expected: {
      securityContext: { privileged: false, runAsNonRoot: false, runAsUser: 0, capabilities: { add: ['SYS_ADMIN'] } },
    },
  },
  {
    name: 'an empty text or a zero is taken for nothing',
    user: { image: '', livenessProbe: { failureThreshold: 0 } },
    expected: { image: '', livenessProbe: { ...baseContainer.livenessProbe, failureThreshold: 0 } },
  },
  {
    name: 'a probe of thresholds alone loses its handler',
    user: { livenessProbe: { periodSeconds: 30 } },
    expected: { livenessProbe: { ...baseContainer.livenessProbe, periodSeconds: 30 } },
  },
  {
    name: 'a probe has two handlers',
    user: { livenessProbe: { exec: { command: ['x'] } } },
    expected: { livenessProbe: { exec: { command: ['x'] }, periodSeconds: 10, failureThreshold: 6 } },
  },
  {
    name: 'a hook has two handlers',
    user: { lifecycle: { preStop: { sleep: { seconds: 1 } } } },
    expected: { lifecycle: { preStop: { sleep: { seconds: 1 } } } },
  },
  {
    name: 'a fixed SLINKY_TOPOLOGY makes every worker pod invalid',
    user: { env: [{ name: 'SLINKY_TOPOLOGY', value: '' }] },
    expected: { env: [{ name: 'SLINKY_TOPOLOGY', value: '' }, baseContainer.env?.[1], baseContainer.env?.[2]] },
  },
  {
    name: 'a variable from a Secret keeps our fixed value',
    user: { env: [{ name: 'PLAIN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
    expected: {
      env: [
        baseContainer.env?.[0],
        baseContainer.env?.[1],
        { name: 'PLAIN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      ],
    },
  },
  {
    name: 'SACKD_OPTIONS of the user drops --conf-server and login pods cannot find slurmctld',
    user: { env: [{ name: 'SACKD_OPTIONS', value: '-vv' }] },
    expected: {
      env: [
        baseContainer.env?.[0],
        { name: 'SACKD_OPTIONS', value: '--conf-server slurm:6817 -vv' },
        baseContainer.env?.[2],
      ],
    },
  },
  {
    name: 'users who already repeat --conf-server get it twice',
    user: { env: [{ name: 'SACKD_OPTIONS', value: '-v --conf-server slurm:6817' }] },
    expected: {
      env: [
        baseContainer.env?.[0],
        { name: 'SACKD_OPTIONS', value: '-v --conf-server slurm:6817' },
        baseContainer.env?.[2],
      ],
    },
  },
  { name: 'user arguments replace ours', user: { args: ['-v'] }, expected: { args: ['-Z', '-v'] } },
  {
    name: 'what charts write for nothing clears our values',
    user: { args: [], env: [], volumeMounts: [], ports: null, resources: {}, securityContext: { capabilities: {} } },
    expected: {},
  },
  { name: 'a container is renamed and nothing finds it', user: { name: 'other' }, expected: {} },
  {
    name: 'words of patches in a resource delete our values',
    user: { $patch: 'replace', '$setElementOrder/env': [], env: [{ $patch: 'delete', name: 'PLAIN' }] },
    expected: {},
  },
  {
    name: 'new mounts, ports and variables stand behind ours, unlike in running clusters',
    user: {
      volumeMounts: [{ name: 'extra', mountPath: '/extra' }],
      ports: [{ containerPort: 9999 }],
      env: [{ name: 'ONE', value: '1' }],
    },
    expected: {
      volumeMounts: [{ name: 'extra', mountPath: '/extra' }, ...(baseContainer.volumeMounts ?? [])],
      ports: [{ containerPort: 9999 }, ...(baseContainer.ports ?? [])],
      env: [{ name: 'ONE', value: '1' }, ...(baseContainer.env ?? [])],
    },
  },
  {
    name: 'a keyed entry of both sides becomes two',
    user: { ports: [{ containerPort: 6818, hostPort: 6818 }] },
    expected: { ports: [{ name: 'slurmd', containerPort: 6818, hostPort: 6818, protocol: 'TCP' }] },
  },
]

describe('merging a container prevents that', () => {
  for (const { name, user, expected } of accidents) {
    test(name, () => {
      const { value, problems } = mergeContainer(baseContainer, user, 'spec.slurmd')
      expect(value).toEqual({ ...baseContainer, ...(expected as Partial<Container>) })
      expect(problems).toEqual([])
    })
  }
})

const refusals: readonly { name: string; user: unknown; path: string; problem: RegExp }[] = [
  { name: 'no object', user: 5, path: 'spec.slurmd', problem: /is 5, but must be an object/ },
  { name: 'variables without a name', user: { env: [{ value: 'x' }] }, path: 'spec.slurmd', problem: /no name/ },
  {
    name: 'options from a Secret',
    user: { env: [{ name: 'SACKD_OPTIONS', valueFrom: {} }] },
    path: 'spec.slurmd.env',
    problem: /SACKD_OPTIONS .* fixed value/,
  },
  {
    name: 'a new probe without a handler',
    user: { readinessProbe: { periodSeconds: 3 } },
    path: 'spec.slurmd.readinessProbe',
    problem: /exec, httpGet/,
  },
]

describe('what cannot be merged is told in words, never thrown', () => {
  for (const { name, user, path, problem } of refusals) {
    test(name, () => {
      const { problems } = mergeContainer(baseContainer, user, 'spec.slurmd')
      expect(problems).toEqual([{ path, problem: expect.stringMatching(problem) }])
    })
  }
})
