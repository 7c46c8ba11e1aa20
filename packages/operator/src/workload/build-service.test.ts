import { describe, expect, test } from 'vitest'
import { buildService, type UserService } from './build-service.ts'

const build = (user?: UserService, isHeadless = false) =>
  buildService({
    metadata: { name: 'slurm-controller', namespace: 'hpc' },
    selector: { app: 'slurmctld' },
    portName: 'slurmctld',
    defaultPort: 6817,
    user,
    isHeadless,
  })

const ourPort = { name: 'slurmctld', protocol: 'TCP', port: 6817, targetPort: 'slurmctld' }

describe('a Service', () => {
  test('has our port and selector', () => {
    expect(build().value.spec).toEqual({ ports: [ourPort], selector: { app: 'slurmctld' } })
    expect(build({ spec: {}, port: 0, nodePort: null }).value.spec?.ports).toEqual([ourPort])
  })

  test('keeps what the user said, but neither addresses of others nor a wrong selector', () => {
    const metrics = { name: 'metrics', port: 9100 }
    const spec = {
      type: 'NodePort',
      externalIPs: ['192.0.2.1'],
      ports: [metrics],
      selector: { app: 'wrong', extra: 'label' },
    }
    const { value, problems } = build({ spec, port: 16817, nodePort: 31817 })
    expect(problems).toEqual([])
    expect(value.spec).toEqual({
      type: 'NodePort',
      ports: [metrics, { ...ourPort, port: 16817, nodePort: 31817 }],
      selector: { app: 'slurmctld', extra: 'label' },
    })
  })

  test('that is headless gives names to pods that are not ready', () => {
    expect(build(undefined, true).value.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true })
  })
})

describe('what the API server would refuse is told in words', () => {
  const refusals: readonly { name: string; user: UserService; path: string; problem: RegExp }[] = [
    {
      name: 'the same number',
      user: { spec: { ports: [{ name: 'mine', port: 6817 }] } },
      path: 'spec.service.spec.ports',
      problem: /6817\/TCP twice/,
    },
    {
      name: 'the same name',
      user: { spec: { ports: [{ name: 'slurmctld', port: 1 }] } },
      path: 'spec.service.spec.ports',
      problem: /name slurmctld twice/,
    },
    {
      name: 'no name beside ours',
      user: { spec: { ports: [{ port: 1 }] } },
      path: 'spec.service.spec.ports',
      problem: /no name for 1/,
    },
    { name: 'a node port without nodes', user: { nodePort: 31817 }, path: 'spec.service.nodePort', problem: /type/ },
    { name: 'no object', user: { spec: 'x' }, path: 'spec.service.spec', problem: /must be an object/ },
  ]
  for (const { name, user, path, problem } of refusals) {
    test(name, () => expect(build(user).problems).toEqual([{ path, problem: expect.stringMatching(problem) }]))
  }
  test('one number for two protocols is no clash', () => {
    expect(build({ spec: { ports: [{ name: 'udp', port: 6817, protocol: 'UDP' }] } }).problems).toEqual([])
  })
})
