import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { Secret, Toleration } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { buildSharedObjects } from './build-shared.ts'
import { buildWorkerPod } from './build-worker-pod.ts'
import { aController, aNodeSet, slurmdOf, specOf, templateOf, type SpecDifferences } from './gen-build.ts'

const ssh: SpecDifferences = { ssh: { enabled: true, sssdConfRef: { name: 's', key: 'k' } } }
const withPod = (spec: object): SpecDifferences => ({ template: { spec } })
const withSlurmd = (slurmd: object): SpecDifferences => ({ slurmd })
const volumeOf = (name: string, spec?: SpecDifferences) => specOf(spec).volumes?.find((volume) => volume.name === name)
const mountOf = (name: string, spec?: SpecDifferences) =>
  slurmdOf(spec)?.volumeMounts?.find((mount) => mount.name === name)

describe('the arguments of slurmd prevent that', () => {
  test('NS-146: another container is taken for slurmd, or it asks the wrong slurmctld', () => {
    const [first] = specOf(withPod({ containers: [{ name: 'a' }] })).containers
    expect(first?.name).toBe('slurmd')
    expect(first?.args?.slice(0, 4)).toEqual(['-Z', '--conf-server', 'slurm-controller.ns:6817', '--conf'])
    expect(first?.args).toHaveLength(5)
  })

  test('NS-147: a worker asks a Service for a slurmctld that is outside of Kubernetes', () => {
    const controller = aController({ external: true, externalConfig: { host: 'h', port: 7000 } })
    expect(slurmdOf({}, { controller })?.args?.slice(1, 3)).toEqual(['--conf-server', 'h:7000'])
  })

  test('NS-148: an argument of the user takes the place of ours', () => {
    const built = slurmdOf()?.args ?? []
    expect(slurmdOf(withSlurmd({ args: ['-v'] }))?.args).toEqual([...built, '-v'])
  })
})

describe('the environment of slurmd prevents that', () => {
  const small = { cpu: '1', memory: '1Gi' }
  const sizes = [
    { name: 'NS-158: a worker without limits is told a size', pod: {}, own: {}, told: ['0', '0'] },
    { name: 'NS-159: the limits of the pod are not told', pod: small, own: {}, told: ['1', '1024'] },
    { name: 'NS-160: its own limits are not told', pod: {}, own: { cpu: '4', memory: '2Gi' }, told: ['4', '2048'] },
    {
      name: 'NS-161: it promises what its container does not get',
      ...{ pod: { cpu: '4', memory: '2Gi' }, own: small, told: ['1', '1024'] },
    },
    {
      name: 'NS-162: a limit of one kind hides that of the other',
      ...{ pod: { memory: '1Gi' }, own: { cpu: '4' }, told: ['4', '1024'] },
    },
    { name: 'NS-163: half a core is no core', pod: {}, own: { cpu: '1500m' }, told: ['2', '0'] },
  ]
  for (const { name, pod, own, told } of sizes) {
    test(name, () => {
      const spec = { ...withPod({ resources: { limits: pod } }), ...withSlurmd({ resources: { limits: own } }) }
      const env = slurmdOf(spec)?.env ?? []
      const values = ['POD_CPUS', 'POD_MEMORY'].map((key) => env.filter((one) => one.name === key))
      expect(values.map((found) => found.map(({ value }) => value))).toEqual(told.map((value) => [value]))
    })
  }

  test('NS-164: slurmd does not learn where its Kube node stands', () => {
    const fieldRef = { fieldPath: "metadata.annotations['topology.slinky.slurm.net/spec']" }
    expect(slurmdOf()?.env).toContainEqual({ name: 'SLINKY_TOPOLOGY', valueFrom: { fieldRef } })
  })
})

describe('the probes of slurmd prevent that', () => {
  const exec = { command: ['true'] }
  const asked = (path: string) => ({ httpGet: { path, port: 'slurmd' } })

  test('NS-165: a slurmd that is slow for a moment is killed, and its jobs with it', () => {
    const patient = { ...asked('/livez'), failureThreshold: 6, periodSeconds: 10 }
    const { startupProbe, livenessProbe, readinessProbe } = slurmdOf() ?? {}
    expect([startupProbe, livenessProbe]).toEqual([patient, patient])
    expect(readinessProbe).toEqual(asked('/readyz'))
  })

  test('NS-166: a probe of the user has two handlers, or loses its patience', () => {
    const probe = slurmdOf(withSlurmd({ livenessProbe: { exec } }))?.livenessProbe
    expect(probe).toEqual({ exec, failureThreshold: 6, periodSeconds: 10 })
  })

  test('NS-167: the numbers of the user are not heard', () => {
    const livenessProbe = { exec, failureThreshold: 3, periodSeconds: 5 }
    expect(slurmdOf(withSlurmd({ livenessProbe }))?.livenessProbe).toEqual(livenessProbe)
  })
})

describe('the hook before the end of slurmd prevents that', () => {
  test('NS-168: Slurm sends jobs to a worker that has gone', () => {
    const [shell, option, script = ''] = slurmdOf()?.lifecycle?.preStop?.exec?.command ?? []
    expect([shell, option]).toEqual(['/usr/bin/sh', '-c'])
    const orders = `hostname() { echo gpu-0; }; scontrol() { [ "$1" = update ] && printf '%s|' "$@"; }; ${script}`
    const told = execFileSync('sh', ['-c', orders], { encoding: 'utf8' })
    expect(told).toBe('update|nodename=gpu-0|state=down|reason=slurm-operator: Pod is terminating|')
  })
})

describe('SSH in workers prevents that', () => {
  const sshVolumes = ['ssh-config', 'sssd-conf']

  test('NS-169: a door is open that nobody asked for', () => {
    expect(slurmdOf()?.ports).toEqual([{ name: 'slurmd', containerPort: 6818, protocol: 'TCP' }])
    expect(sshVolumes.map((name) => [volumeOf(name), mountOf(name)]).flat()).toEqual(Array(4).fill(undefined))
  })

  test('NS-170: sshd has no configuration, or others can read that of sssd', () => {
    expect(slurmdOf(ssh)?.ports?.[1]).toEqual({ name: 'ssh', containerPort: 22, protocol: 'TCP' })
    const sshdConfig = { key: 'sshd_config', path: 'sshd_config', mode: 0o600 }
    expect(volumeOf('ssh-config', ssh)?.projected).toEqual({
      defaultMode: 0o600,
      sources: [{ configMap: { name: 'gpu-ssh-config', items: [sshdConfig] } }],
    })
    expect(volumeOf('sssd-conf', ssh)?.projected).toEqual({
      defaultMode: 0o600,
      sources: [{ secret: { name: 's', items: [{ key: 'k', path: 'sssd.conf', mode: 0o600 }] } }],
    })
    expect(sshVolumes.map((name) => mountOf(name, ssh))).toEqual([
      { name: 'ssh-config', mountPath: '/etc/ssh/sshd_config', subPath: 'sshd_config', readOnly: true },
      { name: 'sssd-conf', mountPath: '/etc/sssd/sssd.conf', subPath: 'sssd.conf', readOnly: true },
    ])
  })
})

describe('the parts of a worker pod prevent that', () => {
  test('NS-171: slurmd has no key, or others can read or change it', () => {
    const secret = { name: 'auth', items: [{ key: 'the-key', path: 'slurm.key' }] }
    expect(volumeOf('slurm-etc')?.projected).toEqual({ defaultMode: 0o600, sources: [{ secret }] })
    expect(mountOf('slurm-etc')).toEqual({ name: 'slurm-etc', mountPath: '/etc/slurm', readOnly: true })
  })

  test('NS-172: slurmd waits for ever to write its log, because nobody reads it', () => {
    const [logfile, ...others] = specOf().initContainers ?? []
    expect(others).toEqual([])
    expect(logfile).toMatchObject({ name: 'logfile', restartPolicy: 'Always' })
    const mount = { name: 'slurm-logfile', mountPath: '/var/log/slurm' }
    expect([logfile?.volumeMounts, [mountOf('slurm-logfile')]]).toEqual([[mount], [mount]])
    expect(volumeOf('slurm-logfile')).toEqual({ name: 'slurm-logfile', emptyDir: { medium: 'Memory' } })
  })

  test('NS-173: workers do not find each other by the names that Slurm gives them', () => {
    const { subdomain, dnsConfig } = specOf()
    expect(subdomain).toBe('slurm-workers-slurm')
    expect(dnsConfig?.searches).toEqual(['slurm-workers-slurm.ns.svc.cluster.local'])
  })

  test('NS-174: a container of the user replaces slurmd, or comes before it', () => {
    const { containers } = specOf(withPod({ containers: [{ name: 'sidecar', image: 'x' }] }))
    expect(containers.map(({ name }) => name)).toEqual(['slurmd', 'sidecar'])
  })

  test('NS-175, WP-39: a toleration of the user keeps workers off the Kube nodes that are kept for them', () => {
    const own: Toleration = { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }
    const spec = specOf(withPod({ nodeSelector: { disk: 'ssd' }, tolerations: [own] }))
    expect(spec.nodeSelector).toEqual({ disk: 'ssd' })
    const ours = { key: 'nodeset.slinky.slurm.net/worker', operator: 'Equal', effect: 'NoExecute' }
    expect(spec.tolerations).toEqual([own, ours])
    expect(specOf().tolerations).toEqual([ours])
  })

  test('NS-176, WP-39: a worker has privileges that the user took away', () => {
    const { securityContext } = slurmdOf(withSlurmd({ securityContext: { privileged: false } })) ?? {}
    expect(securityContext?.privileged).toBe(false)
  })
})

describe('labels and annotations of workers prevent that', () => {
  test('NS-177: a worker is taken for something else, because a user says so', () => {
    const labels = { 'app.kubernetes.io/component': 'mine', both: 'NodeSet', 'of-node-set': 'x' }
    const template = { metadata: { labels: { 'app.kubernetes.io/component': 'yours', both: 'template' } } }
    expect(templateOf(aNodeSet({ template }, { labels })).metadata.labels).toMatchObject({
      'app.kubernetes.io/component': 'worker',
      both: 'template',
      'of-node-set': 'x',
    })
  })

  const SSHD = 'slinky.slurm.net/sshd-conf-hash'
  const SSSD = 'slinky.slurm.net/sssd-conf-hash'
  const secret = (text: string): Secret => ({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } },
    data: { k: Buffer.from(text).toString('base64') },
  })
  const podWith = (spec: SpecDifferences, sssdConf?: Secret) => {
    const nodeSet = aNodeSet(spec)
    const identity = { ordinalText: '0', name: 'gpu-0', hostname: 'gpu-0', node: undefined, claims: [] }
    return buildWorkerPod(nodeSet, templateOf(nodeSet, { sssdConf }), {
      ...identity,
      revisionHash: 'abc',
      isProtected: false,
    })
  }
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const hashOf = (key: string, ...[spec, sssdConf]: Parameters<typeof podWith>) =>
    podWith(spec, sssdConf).metadata.annotations?.[key]

  test('NS-178: nobody sees which workers have the old sssd.conf, or all are replaced because of a new one', () => {
    expect(['a', 'b'].map((text) => hashOf(SSSD, ssh, secret(text)))).toEqual([sha256('a'), sha256('b')])
    const [one, other] = ['a', 'b'].map((text) => podWith(ssh, secret(text)).metadata.labels)
    expect(one).toEqual(other)
    expect(one).toHaveProperty(['controller.kubernetes.io/hash'], 'abc')
  })

  test('NS-178: nobody sees which workers have the old sshd_config', () => {
    const changed: SpecDifferences = { ssh: { enabled: true, ...ssh.ssh, extraSshdConfig: 'LoginGraceTime 600' } }
    for (const spec of [ssh, changed]) {
      const written = buildSharedObjects(aNodeSet(spec), []) as readonly { data?: Record<string, string> }[]
      expect(hashOf(SSHD, spec)).toBe(sha256(written[0]?.data?.['sshd_config'] ?? ''))
    }
    expect(hashOf(SSHD, ssh)).not.toBe(hashOf(SSHD, changed))
    expect([hashOf(SSHD, {}), hashOf(SSSD, {})]).toEqual([sha256(''), sha256('')])
  })
})
