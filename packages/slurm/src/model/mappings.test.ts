import { describe, expect, test } from 'vitest'
import { apiVersions } from './api-version.ts'
import { recorded, recordedNames } from './gen.ts'
import { mappings } from './mappings.ts'
import { readIdentity } from './read-cluster.ts'

const bodyOf = (name: string): unknown => recorded(name).response.body
const newest = mappings['v0.0.45']

describe('every recorded answer of real Slurm is read whole', () => {
  const kinds = [
    ['nodes', /^(nodes?-(?!.*(update|delete|not-found|304))|slurm-24.11-node(s-idle|-drain))/],
    ['jobs', /^job(s$|-(running|pending|failed|cancelled$|node-fail))/],
    ['partitions', /^partition(s|-get)/],
    ['reservations', /^reservation(s$|s-empty|-get)/],
    ['pings', /^(ping|slurmdb-ping|slurm-24.11-ping)/],
    ['accountingClusters', /^slurmdb-clusters/],
    ['jobStates', /^jobs-state/],
  ] as const
  for (const [kind, pattern] of kinds) {
    for (const name of recordedNames().filter((each) => pattern.test(each))) {
      test(`${kind} of ${name}`, () => {
        const list = Object.values(bodyOf(name) as object)[0] as unknown[]
        const { listed, records, unreadable } = mappings[versionOf(name)][kind](bodyOf(name))
        expect(unreadable).toEqual([])
        expect(listed).toBe(true)
        expect(records).toHaveLength(list.length)
      })
    }
  }

  function versionOf(name: string) {
    const version = apiVersions.find((each) => recorded(name).request.path.includes(each))
    if (version === undefined) throw new Error(`Cannot read ${name}: it is of no version we know.`)
    return version
  }
})

describe('the same idle nodes look the same in every version', () => {
  for (const version of apiVersions) {
    test(version, () => {
      const { records, lastUpdateInSeconds } = mappings[version].nodes(bodyOf(`nodes-idle-${version}`))
      expect(lastUpdateInSeconds).toBeGreaterThan(1_794_770_000)
      expect(records.map(({ name, states }) => [name, ...states])).toContainEqual(['worker-1', 'IDLE', 'DYNAMIC_NORM'])
      const worker = records.find(({ name }) => name === 'worker-1')
      expect(worker).toEqual({
        name: 'worker-1',
        states: ['IDLE', 'DYNAMIC_NORM'],
        reason: '',
        reasonSetBy: '',
        reasonChangedAtMs: undefined,
        comment: '',
        extra: '',
        features: ['ns1'],
        activeFeatures: ['ns1'],
        topology: version === 'v0.0.42' ? undefined : '',
        reservation: '',
        partitions: ['all'],
        address: '10.77.1.1',
        hostname: 'worker-1',
        port: 6818,
        cpus: 2,
        effectiveCpus: 2,
        allocatedCpus: 0,
        memoryMib: 2000,
        allocatedMemoryMib: 0,
        freeMemoryMib: expect.any(Number) as unknown,
        gres: '',
        gresUsed: '',
        tres: expect.stringContaining('cpu=2,mem=2000M') as unknown,
        tresUsed: '',
        weight: 1,
        bootedAtMs: expect.any(Number) as unknown,
        slurmdStartedAtMs: expect.any(Number) as unknown,
        lastBusyAtMs: expect.any(Number) as unknown,
        resumeAfterMs: undefined,
        slurmdVersion: '26.05.5',
        architecture: 'x86_64',
        operatingSystem: expect.stringContaining('Linux') as unknown,
        instanceId: '',
        instanceType: '',
      })
    })
  }
})

describe('nodes', () => {
  test('of 24.11 are read with the oldest mapping', () => {
    const [node] = mappings['v0.0.42'].nodes(bodyOf('slurm-24.11-node-drain')).records
    expect(node).toMatchObject({ states: expect.arrayContaining(['IDLE', 'DRAIN']) as unknown, topology: undefined })
    expect(node?.reason).not.toBe('')
  })

  test('keep who drained them, when and why', () => {
    const [node] = newest.nodes(bodyOf('node-idle-drain')).records
    expect(node).toMatchObject({ states: ['IDLE', 'DRAIN', 'DYNAMIC_NORM'], reasonSetBy: 'slurm' })
    expect(node?.reason).not.toBe('')
    expect(node?.reasonChangedAtMs).toBeGreaterThan(1_794_770_000_000)
  })

  test('that do not exist are not listed at all, which is not an empty list', () => {
    expect(newest.nodes(bodyOf('node-not-found'))).toMatchObject({ listed: false, records: [], unreadable: [] })
    expect(newest.nodes({ nodes: [] })).toMatchObject({ listed: true, records: [] })
  })
})

describe('jobs', () => {
  test('that run', () => {
    const [job] = newest.jobs(bodyOf('job-running')).records
    expect(job).toMatchObject({
      id: 3,
      states: ['RUNNING'],
      nodes: 'worker-1',
      userName: 'daemon',
      partition: 'all',
      timeLimitInMinutes: 'infinite',
      startedAtMs: 1794770268000,
      endsAtMs: 1826306268000,
      arrayJobId: undefined,
      arrayTaskId: undefined,
      nodeCount: 1,
      cpus: 2,
      tresAllocated: 'cpu=2,mem=500M,node=1,billing=2',
      held: false,
      exitCode: 0,
    })
  })

  const table: readonly [recording: string, states: string[], held: boolean][] = [
    ['job-pending', ['PENDING'], false],
    ['job-pending-held', ['PENDING'], true],
    ['job-cancelled', ['CANCELLED', 'COMPLETING'], false],
    ['job-failed', ['FAILED'], false],
    ['job-node-fail', ['NODE_FAIL'], false],
  ]
  for (const [recording, states, held] of table) {
    test(`${recording} is ${states.join()}`, () => {
      expect(newest.jobs(bodyOf(recording)).records).toMatchObject([{ states, held }])
    })
  }

  test('read the same in every version', () => {
    const read = apiVersions.map((version) => mappings[version].jobs(bodyOf('jobs')).records)
    for (const records of read) expect(records).toEqual(read[0])
  })

  test('that have not changed tell no time, so that nobody forgets the last one', () => {
    const list = newest.jobs(bodyOf('jobs-unchanged'))
    expect(list).toEqual({ listed: true, records: [], unreadable: [], lastUpdateInSeconds: undefined })
  })

  test('in short keep their ids as Slurm writes them', () => {
    expect(newest.jobStates({ jobs: [{ job_id: '12_3', state: ['RUNNING'] }] }).records).toEqual([
      { id: '12_3', states: ['RUNNING'] },
    ])
  })
})

describe('partitions', () => {
  const wanted = {
    name: 'all',
    states: ['UP'],
    nodes: 'worker-[1-3]',
    nodeSets: 'ALL',
    nodeCount: 3,
    cpus: 6,
    maximumTimeInMinutes: 'infinite',
    defaultTimeInMinutes: undefined,
    maximumNodes: 'infinite',
    minimumNodes: 0,
    priorityTier: 1,
  }
  test('say from v0.0.45 on which one is the default', () => {
    expect(newest.partitions(bodyOf('partition-get')).records).toMatchObject([
      { ...wanted, isDefault: true, topology: '' },
    ])
  })
  test('do not say so before, and no topology in v0.0.42', () => {
    expect(mappings['v0.0.44'].partitions(bodyOf('partition-get')).records).toMatchObject([
      { ...wanted, isDefault: undefined, topology: '' },
    ])
    expect(mappings['v0.0.42'].partitions(bodyOf('partition-get')).records).toMatchObject([
      { ...wanted, isDefault: undefined, topology: undefined },
    ])
  })
  test('that do not exist are not listed', () => {
    expect(newest.partitions(bodyOf('partition-not-found')).listed).toBe(false)
  })
})

describe('reservations', () => {
  test('have texts in answers where requests have lists', () => {
    expect(newest.reservations(bodyOf('reservations')).records[0]).toEqual({
      name: 'op-maint-1',
      flags: ['MAINT', 'IGNORE_JOBS', 'SPEC_NODES'],
      nodes: 'worker-1',
      users: ['root'],
      accounts: [],
      startsAtMs: 1794773874000,
      endsAtMs: 1794781074000,
      partition: '',
      features: '',
      nodeCount: 1,
      coreCount: 2,
      tres: 'cpu=2',
    })
  })
  test('without times do not end the process', () => {
    expect(newest.reservations({ reservations: [{ name: 'r' }] }).records).toMatchObject([
      { name: 'r', startsAtMs: undefined, endsAtMs: undefined },
    ])
  })
  test('that do not exist are not listed', () => {
    expect(newest.reservations(bodyOf('reservation-not-found')).listed).toBe(false)
    expect(newest.reservations(bodyOf('reservations-empty'))).toMatchObject({ listed: true, records: [] })
  })
})

describe('pings', () => {
  for (const version of apiVersions) {
    test(`are understood in ${version}`, () => {
      const { records } = mappings[version].pings(bodyOf(`ping-${version}`))
      const status = version === 'v0.0.45' ? 'No error' : 'UP'
      expect(records).toMatchObject([{ hostname: 'ctl', responding: true, primary: true, status }])
    })
  }
  test('with a bad token answer 200 and yet say no', () => {
    expect(newest.pings(bodyOf('ping-bad-token')).records).toMatchObject([
      { responding: false, status: 'Protocol authentication error' },
    ])
    expect(mappings['v0.0.42'].pings(bodyOf('slurm-24.11-ping-bad-token')).records).toMatchObject([
      { responding: false, status: 'DOWN' },
    ])
  })
  test('of slurmctld that is away say no', () => {
    expect(newest.pings(bodyOf('ping-slurmctld-down')).records).toMatchObject([{ responding: false }])
  })
})

describe('the rest', () => {
  test('statistics', () => {
    expect(newest.statistics(bodyOf('diag'))).toMatchObject({
      kind: 'read',
      value: {
        atMs: 1794770261000,
        accountingQueue: 0,
        jobs: { submitted: 1, started: 1, completed: 1, failed: 0 },
        scheduler: { lastInMicroseconds: 6, maximumInMicroseconds: 22 },
        backfill: { active: false },
      },
    })
  })
  test('configuration', () => {
    const conf = newest.configuration(bodyOf('conf'))
    expect(conf).toMatchObject({
      kind: 'read',
      value: { clusterName: 'lab', version: '26.05.5', bootedAtMs: 1794770195000 },
    })
    expect(conf.kind === 'read' && conf.value.values['SlurmdTimeout']).toBe(10)
    expect(newest.configuration({})).toEqual({ kind: 'unreadable', because: 'it has no slurm_conf' })
  })
  test('accounting', () => {
    expect(newest.accountingClusters(bodyOf('slurmdb-clusters')).records).toEqual([
      { name: 'lab', controllerHost: '10.77.0.10', controllerPort: 6817, nodes: 'worker-[1-2]', rpcVersion: 11520 },
    ])
  })
  test('who answered, on good answers and on refusals', () => {
    expect(readIdentity(bodyOf('ping-v0.0.44'))).toEqual({
      release: '26.05.5',
      clusterName: 'lab',
      apiVersion: 'v0.0.44',
    })
    expect(readIdentity(bodyOf('slurm-24.11-bad-state'))).toMatchObject({ release: '24.11.5', apiVersion: 'v0.0.42' })
    expect(readIdentity(bodyOf('error-401-no-token'))).toBeUndefined()
  })
})
