import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildSlurmConf, type ManagedInput } from './build-slurm-conf.ts'
import { cgroupConf } from './cgroup-conf.ts'
import { deriveMaxNodeCount } from './max-node-count.ts'
import type { NodeSetLine } from './partition-lines.ts'
import { readLines, readPairs } from './read-lines.ts'

const prod: ManagedInput = {
  kind: 'managed',
  clusterName: 'hpc_prod',
  hosts: [{ name: 'prod-controller-0', address: 'prod-controller-0.prod-controller-internal.hpc' }],
  address: 'prod-controller.hpc',
}

const workedExample = `#
### GENERAL ###
ClusterName=hpc_prod
SlurmUser=slurm
SlurmctldHost=prod-controller-0(prod-controller-0.prod-controller-internal.hpc)
SlurmctldPort=6817
SlurmctldAddr=prod-controller.hpc
StateSaveLocation=/var/spool/slurmctld/hpc_prod
SlurmdUser=root
SlurmdPort=6818
SlurmdSpoolDir=/var/spool/slurmd
MaxNodeCount=1024
#
### LOGGING ###
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmSchedLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
#
### PLUGINS & PARAMETERS ###
AuthType=auth/slurm
CredType=cred/slurm
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
AuthInfo=use_client_ids
SlurmctldParameters=enable_configless,reconfig_on_restart
#
### ACCOUNTING ###
AccountingStorageType=accounting_storage/none
#
### PROLOG & EPILOG ###
Prolog=prolog-00.sh
#
### NODESET & PARTITION ###
NodeSet=gpu Feature=gpu
PartitionName=gpu Nodes=gpu State=UP
#
### EXTRA CONFIG ###
SlurmctldParameters=idle_on_node_suspend
#
### MERGED CONFIG ###
SlurmctldParameters=enable_configless,idle_on_node_suspend,reconfig_on_restart
`

const gpu: NodeSetLine = { name: 'gpu', slurmName: 'gpu', partition: { config: 'State=UP' } }

test('the worked example comes out byte for byte', () => {
  const input: ManagedInput = {
    ...prod,
    scripts: { prolog: ['prolog-00.sh'] },
    nodeSets: [gpu],
    extraConf: 'SlurmctldParameters=idle_on_node_suspend\n',
  }
  expect(buildSlurmConf(input)).toEqual({ text: workedExample, problems: [] })
})

describe('slurm.conf prevents that', () => {
  test('paths in the options of users lose their capitals', () => {
    const extraConf =
      'authaltparameters=userclaimfield=Sub,JWT_KEY=/tmp/other\nSlurmctldParameters=Power_X=/A,power_x=2'
    const { text } = buildSlurmConf({ ...prod, hasJwks: true, extraConf })
    expect(text.split('### MERGED CONFIG ###\n')[1]).toBe(
      'AuthAltParameters=jwks=/etc/slurm/jwks.json,jwt_key=/etc/slurm/jwt.key,userclaimfield=Sub\n' +
        'SlurmctldParameters=Power_X=/A,enable_configless,reconfig_on_restart\n',
    )
  })

  test('a cluster name with a line break adds a line', () => {
    const { text, problems } = buildSlurmConf({ ...prod, clusterName: 'a\nSlurmUser=root' })
    expect(text).not.toContain('SlurmUser=root')
    expect(problems.map(({ path, severity }) => [path, severity])).toContainEqual(['spec.clusterName', undefined])
  })

  test('large clusters stop at 1024 nodes', () => {
    expect([0, 800, 1000, 5000].map(deriveMaxNodeCount)).toEqual([1024, 1024, 2048, 8192])
    expect(linesOf(buildSlurmConf({ ...prod, wantedWorkers: 1000 }).text)).toContain('MaxNodeCount=2048')
  })

  test('a setting of the user stands twice and Slurm complains in every log', () => {
    const { text, problems } = buildSlurmConf({ ...prod, extraConf: 'maxnodecount=4096' })
    expect(linesOf(text).filter((line) => /maxnodecount/i.test(line))).toEqual(['maxnodecount=4096'])
    expect(problems).toEqual([])
  })

  test('a typo in extraConf takes slurmctld down', () => {
    const { problems } = buildSlurmConf({ ...prod, extraConf: '# fine\nMaxJobCount=1\nDebugFlags\nA=b c\nX=' })
    expect(problems.map(({ problem }) => /line \d/.exec(problem)?.[0])).toEqual(['line 3', 'line 4', 'line 5'])
    expect(problems.every(({ path, severity }) => path === 'spec.extraConf' && severity === undefined)).toBe(true)
    expect(buildSlurmConf({ ...prod, extraConf: 'Include /etc/slurm/more.conf\nA = "b c" # d' }).problems).toEqual([])
  })

  test('an external slurmdbd is not used', () => {
    const { text } = buildSlurmConf({ ...prod, accounting: { host: 'dbd.example.com', port: 7819 } })
    expect(linesOf(text)).toEqual(
      expect.arrayContaining(['AccountingStorageHost=dbd.example.com', 'AccountingStoragePort=7819']),
    )
  })

  test('scripts come in the order of ConfigMaps, not of their names', () => {
    const { text } = buildSlurmConf({ ...prod, scripts: { epilogSlurmctld: ['b', 'a'], prolog: ['z', 'y'] } })
    const scripts = linesOf(text).filter((line) => /^(prolog|epilog)/i.test(line))
    expect(scripts).toEqual(['EpilogSlurmctld=/etc/slurm/a', 'EpilogSlurmctld=/etc/slurm/b', 'Prolog=y', 'Prolog=z'])
  })

  test('metrics are off although they are asked for', () =>
    expect(linesOf(buildSlurmConf({ ...prod, hasMetrics: true }).text)).toContain('MetricsType=metrics/openmetrics'))
})

describe('partitions that would stop slurmctld are left out and reported', () => {
  const bad: readonly { name: string; config: string; why: RegExp }[] = [
    { name: 'a line break', config: 'State=UP\nSlurmUser=root', why: /line break/ },
    { name: 'a backslash that swallows the next line', config: 'State=UP \\', why: /backslash/ },
    { name: 'a word without a value', config: 'State=UP Default', why: /"Default"/ },
    { name: 'another name', config: 'PartitionName=x', why: /another partition/ },
    { name: 'a NodeSet that does not exist', config: 'Nodes=gpu,lost', why: /names lost/ },
  ]
  for (const { name, config, why } of bad) {
    test(name, () => {
      const nodeSets = [{ ...gpu, partition: { config } }]
      const { text, problems } = buildSlurmConf({ ...prod, nodeSets })
      expect(text.split('### NODESET & PARTITION ###\n')[1]).toBe('NodeSet=gpu Feature=gpu\n')
      const path = 'NodeSet/gpu spec.partition.config'
      expect(problems).toEqual([{ path, problem: expect.stringMatching(why), severity: 'warning' }])
    })
  }

  test('two NodeSets with one name in Slurm', () => {
    const nodeSets = [{ ...gpu, name: 'second' }, gpu]
    const { text, problems } = buildSlurmConf({ ...prod, nodeSets })
    expect(linesOf(text).filter((line) => line.includes('=gpu'))).toHaveLength(2)
    expect(problems).toEqual([expect.objectContaining({ path: 'NodeSet/second', severity: 'warning' })])
  })

  const lines: readonly { name: string; extraConf: string; leftOut: readonly string[] }[] = [
    { name: 'all nodes', extraConf: 'PartitionName=a Nodes=ALL', leftOut: [] },
    { name: 'a NodeSet', extraConf: 'PartitionName=a Nodes=gpu Default=YES', leftOut: [] },
    { name: 'a lost NodeSet', extraConf: 'PartitionName=a Nodes=gpu,lost \\\n State=UP\nA=1', leftOut: ['a'] },
    { name: 'a single worker', extraConf: 'PartitionName=a Nodes=gpu-0', leftOut: ['a'] },
    { name: 'a range of workers', extraConf: 'PartitionName=a Nodes=gpu-[0,2-3]', leftOut: ['a'] },
    { name: 'the name of a NodeSet partition', extraConf: 'PartitionName=gpu Nodes=ALL', leftOut: ['gpu'] },
    { name: 'the same name', extraConf: 'PartitionName=a Nodes=ALL\nPartitionName=a Nodes=ALL', leftOut: ['a'] },
    { name: 'defaults', extraConf: 'PartitionName=DEFAULT State=UP\nPartitionName=DEFAULT State=UP', leftOut: [] },
    { name: 'own nodeset', extraConf: 'NodeSet=mine Feature=x\nPartitionName=a Nodes=mine', leftOut: [] },
    { name: 'own nodes', extraConf: 'NodeName=n[1-9] CPUs=1\nPartitionName=a Nodes=n[1-2]', leftOut: [] },
    { name: 'other files', extraConf: 'include more.conf\nPartitionName=a Nodes=n', leftOut: [] },
  ]
  for (const { name, extraConf, leftOut } of lines) {
    test(`in extraConf: ${name}`, () => {
      const { text, problems } = buildSlurmConf({ ...prod, nodeSets: [gpu], extraConf })
      expect(problems.map(({ problem }) => /partition (\S+),/.exec(problem)?.[1])).toEqual(leftOut)
      expect(problems.every(({ severity }) => severity === 'warning')).toBe(true)
      const kept = text.split('### EXTRA CONFIG ###\n')[1]?.trimEnd()
      const isVerbatim = kept === extraConf
      expect(isVerbatim).toBe(leftOut.length === 0)
      expect(kept).toContain(leftOut.length === 0 ? '' : '# left out by the operator')
    })
  }
})

test('no input makes a line that was not meant', () => {
  const anyText = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\\', '#', '"', ' ', 'a', '=', '\n', '\r') }))
  const meant = new Set(readLines(workedExample).flatMap(({ content }) => readPairs(content).pairs[0]?.key ?? []))
  fc.assert(
    fc.property(anyText, anyText, anyText, anyText, (clusterName, slurmName, config, script) => {
      const nodeSets = [{ name: 'any', slurmName, partition: { config } }, gpu]
      const { text } = buildSlurmConf({ ...prod, clusterName, nodeSets, scripts: { prolog: [script] } })
      const keys = readLines(text).flatMap(({ content }) => readPairs(content).pairs[0]?.key ?? [])
      expect(keys.filter((key) => !meant.has(key))).toEqual([])
      expect(keys.filter((key) => key === 'PartitionName' || key === 'NodeSet').length).toBeLessThanOrEqual(4)
      expect(keys.filter((key) => key === 'SlurmUser')).toHaveLength(1)
      expect(linesOf(text).slice(-2)).toContain('PartitionName=gpu Nodes=gpu State=UP')
    }),
    { numRuns: 500 },
  )
})

test('a slurmctld outside of Kubernetes gets a small file for slurmrestd', () => {
  expect(buildSlurmConf({ kind: 'external', clusterName: 'far', host: 'ctl.example.com', port: 7817 })).toEqual({
    text: `#
### GENERAL ###
ClusterName=far
SlurmUser=slurm
SlurmctldHost=ctl.example.com
SlurmctldPort=7817
#
### PLUGINS & PARAMETERS ###
AuthType=auth/slurm
CredType=cred/slurm
AuthAltTypes=auth/jwt
#
### ACCOUNTING ###
AccountingStorageType=accounting_storage/none
`,
    problems: [],
  })
})

test('cgroup.conf works without systemd', () => expect(cgroupConf).toBe('CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n'))

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n')
}
