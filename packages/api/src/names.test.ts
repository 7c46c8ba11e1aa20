import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whyInvalidDnsSubdomain } from '@slurm-operator/kube'
import * as names from './names.ts'

test('names are those that users, charts and dashboards know', () => {
  expect({
    statefulSet: names.controllerStatefulSetName('n'),
    pod: names.controllerPodName('n', 2),
    service: names.controllerServiceName('n'),
    internal: names.controllerInternalServiceName('n'),
    config: names.controllerConfigMapName('n'),
    monitor: names.controllerServiceMonitorName('n'),
    claim: names.controllerClaimName('n'),
    spool: names.slurmctldSpoolPath('b_n'),
    accounting: [
      names.accountingStatefulSetName('n'),
      names.accountingPodName('n'),
      names.accountingServiceName('n'),
      names.accountingConfigSecretName('n'),
    ],
    restApi: [names.restApiDeploymentName('n'), names.restApiServiceName('n')],
    login: [names.loginSetDeploymentName('n'), names.loginSetServiceName('n'), names.sshHostKeysSecretName('n')],
    ssh: names.sshConfigMapName('n'),
    workers: [names.workerServiceName('c'), names.workerDisruptionBudgetName('c')],
    reservation: names.reservationName('n'),
    hosts: [
      names.shortServiceHost('s', 'b'),
      names.fullServiceHost('s', 'b', 'd'),
      names.controllerPodHost('n', 0, 'b'),
    ],
  }).toMatchInlineSnapshot(`
    {
      "accounting": [
        "n-accounting",
        "n-accounting-0",
        "n-accounting",
        "n-accounting",
      ],
      "claim": "statesave-n-controller-0",
      "config": "n-config",
      "hosts": [
        "s.b",
        "s.b.svc.d",
        "n-controller-0.n-controller-internal.b",
      ],
      "internal": "n-controller-internal",
      "login": [
        "n",
        "n",
        "n-ssh-host-keys",
      ],
      "monitor": "n-controller",
      "pod": "n-controller-2",
      "reservation": "SlurmOperatorMaint-n",
      "restApi": [
        "n-restapi",
        "n-restapi",
      ],
      "service": "n-controller",
      "spool": "/var/spool/slurmctld/b_n",
      "ssh": "n-ssh-config",
      "statefulSet": "n-controller",
      "workers": [
        "slurm-workers-c",
        "slurm-workers-pdb-c",
      ],
    }
  `)
})

describe('the name of a Slurm cluster', () => {
  const metadata = { name: 'n', namespace: 'b' }
  test('chosen', () => expect(names.clusterNameOf({ metadata, spec: { clusterName: 'x' } })).toBe('x'))
  test('derived', () => expect(names.clusterNameOf({ metadata, spec: {} })).toBe('b_n'))
  test('left empty by a chart', () => expect(names.clusterNameOf({ metadata, spec: { clusterName: '' } })).toBe('b_n'))
})

describe('what Slurm calls a NodeSet', () => {
  const rows = [
    [undefined, 'own'],
    ['gpu-', 'gpu'],
    ['-gpu-', 'gpu'],
    ['gpu other', 'gpu'],
    ['  gpu', 'gpu'],
    ['   ', 'own'],
    ['', 'own'],
    ['--', 'own'],
    [5, 'own'],
  ] as const
  for (const [hostname, expected] of rows) {
    test(`hostname ${JSON.stringify(hostname)}`, () => {
      const spec = hostname === undefined ? {} : { hostname }
      expect(names.slurmNodeSetName({ metadata: { name: 'own' }, spec: { template: { spec } } })).toBe(expected)
    })
  }
})

describe('the Secret of a Token', () => {
  const token = (username: string, secretRef?: { name?: string; key?: string }) => ({
    metadata: { name: 't' },
    spec: { username, ...(secretRef && { secretRef }) },
  })
  test('has the name and key that were chosen', () => {
    const chosen = token('root', { name: 's', key: 'k' })
    expect([names.tokenSecretName(chosen), names.tokenSecretKey(chosen)]).toEqual(['s', 'k'])
  })
  test('is named after the user', () => {
    expect([names.tokenSecretName(token('root')), names.tokenSecretKey(token('root', { key: '' }))]).toEqual([
      't-jwt-root',
      'SLURM_JWT',
    ])
    expect(names.tokenSecretName(token('jane.doe'))).toBe('t-jwt-jane.doe')
    expect(names.tokenSecretName(token(''))).toBe('t-jwt-nobody')
  })
  test('has a legal name for every user, and two users never share one', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (one, other) => {
        const [first, second] = [names.tokenSecretName(token(one)), names.tokenSecretName(token(other))]
        expect(whyInvalidDnsSubdomain(first)).toBeUndefined()
        expect(first === second).toBe(one === other)
      }),
      {
        examples: [
          ['a_b', 'a-b'],
          ['a..b', 'a.b'],
          ['A', 'a'],
          ['_', '-'],
          ['a.-b', 'a-b'],
          ['x'.repeat(300), 'y'],
        ],
      },
    )
  })
})

describe('the cluster domain', () => {
  const rows = [
    ['nameserver 1.2.3.4\nsearch a.svc.example.org svc.example.org example.org\n', 'example.org'],
    ['search\tb.svc.c  svc.c', 'c'],
    ['# search svc.x', 'cluster.local'],
    ['search example.org', 'cluster.local'],
    ['search svc.', 'cluster.local'],
    ['', 'cluster.local'],
  ] as const
  for (const [text, expected] of rows) {
    test(JSON.stringify(text), () => expect(names.clusterDomainOf(text)).toBe(expected))
  }
})
