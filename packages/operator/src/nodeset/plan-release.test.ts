import {
  absent,
  REASON_PREFIX,
  seen,
  unknown,
  type Knowledge,
  type SlurmJob,
  type SlurmNode,
} from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aJob,
  aPendingWorker,
  aPicture,
  aSlurmNode,
  aWorker,
  inShort,
  NOW,
  settledConditions,
  slurmSays,
  stepsThat,
  workersOf,
} from './gen.ts'
import { RAN_JOBS, REGISTERED_CONDITION } from './picture-keys.ts'
import type { Worker } from './picture.ts'
import { mayGo } from './plan-release.ts'
import { planNodeSet } from './plan.ts'
import type { Plan } from './steps.ts'

/** foo-0 must leave: replicas is 0. */
function condemn(differences: Partial<Worker>, more: Parameters<typeof aPicture>[0] = {}): Plan {
  return planNodeSet(aPicture({ workers: [aWorker('foo-0', differences)], wanted: { replicas: 0 }, ...more }))
}

const outcome = (plan: Plan): string[] =>
  inShort(plan).filter(
    (step) => step.startsWith('drain') || step.startsWith('undrain') || step.startsWith('delete-pod'),
  )
const DRAINED = `${REASON_PREFIX}pod default/foo-0 awaits removal (ScaleIn)`
const says = (states: readonly string[], reason = DRAINED): Partial<Worker> => ({
  slurmNode: slurmSays(states, { reason }),
})

describe('a condemned worker', () => {
  test.each([
    ['NS-290', ['IDLE'], '', ['drain foo-0']],
    ['NS-291', ['ALLOCATED'], '', ['drain foo-0']],
    ['NS-292', ['IDLE', 'DRAIN'], DRAINED, ['delete-pod foo-0']],
    ['NS-293', ['DOWN', 'DRAIN'], DRAINED, ['delete-pod foo-0']],
    ['NS-294', ['IDLE', 'DRAIN', 'COMPLETING'], DRAINED, []],
    ['NS-295', ['MIXED', 'DRAIN'], DRAINED, []],
    ['NS-296', ['IDLE', 'DRAIN', 'UNDRAIN'], DRAINED, ['drain foo-0']],
    ['NS-303, WP-09', ['MIXED', 'DRAIN'], 'admin: bad DIMM', []],
    ['WP-09', ['IDLE', 'DRAIN'], 'admin: bad DIMM', ['delete-pod foo-0']],
    ['WP-02', ['ERROR', 'DRAIN'], DRAINED, []],
  ])('%s: {%s} with the reason "%s"', (_id, states, reason, steps) => {
    expect(outcome(condemn(says(states, reason)))).toEqual(steps)
  })

  test('is said to be drained by somebody else, though it was us, or the other way round', () => {
    const waits = (reason: string) => condemn(says(['MIXED', 'DRAIN'], reason)).waits[0]?.because
    expect(waits('admin: bad DIMM')).toMatch(/foo-0 still runs jobs, drained by somebody else \(admin: bad DIMM\)$/)
    expect(waits(DRAINED)).toMatch(/foo-0 still runs jobs$/)
  })

  describe('whose record vanished', () => {
    const noted = [{ type: REGISTERED_CONDITION, status: 'False', message: RAN_JOBS }]
    const answer = (minutes: number, conditions: Worker['conditions']) => {
      const slurmNode = absent(NOW - minutes * 60_000)
      return mayGo(aWorker('foo-0', { slurmNode, conditions }), {
        nowMs: NOW,
        slurmList: { nodes: 3, atMs: NOW, wholeAtMs: NOW },
      }).answer
    }
    test('while it was idle can never be removed', () => expect(answer(5, settledConditions(['Idle']))).toBe('yes'))
    test.each([
      ['while it ran jobs', settledConditions(['Mixed'])],
      ['while it ran jobs, as the operator before noted,', noted],
    ])('%s is deleted with them after a minute, or never', (_when, conditions) => {
      expect([answer(5, conditions), answer(16, conditions)]).toEqual(['unknown', 'yes'])
    })
  })

  test('is deleted after a minute because those that are on their way out count as others that Slurm knows', () => {
    const vanished = aWorker('foo-0', { slurmNode: absent(NOW - 5 * 60_000) })
    const workers = [vanished, ...workersOf([1, 2], { terminating: true })]
    const facts = { nowMs: NOW, slurmList: { nodes: 3, atMs: NOW, wholeAtMs: NOW }, workers }
    expect(mayGo(vanished, facts).answer).toBe('unknown')
    expect(mayGo(vanished, { ...facts, workers: [vanished, ...workersOf([1, 2])] }).answer).toBe('yes')
  })
  test.each(['Failed', 'Succeeded'] as const)('that has ended (%s) waits for a word of Slurm', (phase) => {
    const ended = { phase, readySinceMs: undefined }
    const words: Knowledge<SlurmNode>[] = [slurmSays(['IDLE']), absent(NOW), unknown('unreachable')]
    for (const slurmNode of words) {
      const [step] = stepsThat(condemn({ ...ended, slurmNode }), 'delete-pod')
      expect(step).toMatchObject({ pod: 'foo-0' })
      expect([step?.drainedAs, step?.unlistedAs]).toEqual([undefined, undefined])
    }
  })
  describe('that is Pending, says the kubelet, which is late,', () => {
    const isPending = {
      phase: 'Pending',
      hasStarted: false,
      runningSinceMs: undefined,
      readySinceMs: undefined,
    } as const
    const createdAtMs = NOW - 60_000
    const started = (agoMs: number) => ({ slurmdStartedAtMs: NOW - agoMs })
    test('is deleted with the job that it got already', () => {
      const slurmNode = slurmSays(['ALLOCATED'], started(5000))
      expect(outcome(condemn({ ...isPending, createdAtMs, slurmNode }))).toEqual(['drain foo-0'])
    })
    test('is deleted with its first job because a list did not show it yet', () => {
      const plan = condemn({ ...isPending, createdAtMs, slurmNode: absent(NOW) })
      expect(stepsThat(plan, 'delete-pod')).toMatchObject([{ unlistedAs: 'foo-0' }])
    })
    test('waits for the record of the slurmd before it, or for Slurm although it has no Kube node', () => {
      const old = { ...isPending, createdAtMs, slurmNode: slurmSays(['ALLOCATED'], started(600_000)) }
      const nowhere = { ...isPending, nodeName: '', slurmNode: slurmSays(['ALLOCATED'], started(5000)) }
      for (const one of [old, nowhere]) {
        const [step] = stepsThat(condemn(one), 'delete-pod')
        expect([step?.pod, step?.drainedAs, step?.unlistedAs]).toEqual(['foo-0', undefined, undefined])
      }
    })
  })

  describe('whose node Slurm calls idle, because its jobs are suspended,', () => {
    const idle = says(['IDLE', 'DRAIN'])
    const isKept = (jobs: Worker['jobs']) => {
      const plan = condemn({ ...idle, jobs })
      return outcome(plan).length === 0 ? plan.waits.map(({ reason }) => reason) : outcome(plan)
    }
    const listed = (state: SlurmJob['states'][number], agoMs = 0) => seen([aJob({ states: [state] })], NOW - agoMs)
    test('loses them', () => {
      expect(isKept(listed('SUSPENDED'))).toEqual(['JobsRunning'])
      expect(isKept(unknown('unreachable', [aJob({ states: ['SUSPENDED'] })]))).toEqual(['JobsRunning'])
    })
    test('loses one that was running when the jobs were listed, and is suspended since', () => {
      expect(isKept(listed('RUNNING', 1000))).toEqual(['JobsRunning'])
      expect(isKept(unknown('unreadable', [aJob({ states: ['RUNNING'] })]))).toEqual(['JobsRunning'])
    })
    test('loses them because the operator has just begun, and no list of jobs has come yet', () => {
      expect(isKept(unknown('not-listed-yet'))).toEqual(['SlurmSilent'])
    })
    test('loses them because Slurm lists its nodes and not its jobs', () => {
      expect(isKept(unknown('unreachable', []))).toEqual(['SlurmSilent'])
      expect([isKept(seen([], NOW - 60_001)), isKept(seen([], NOW - 60_000))]).toEqual([
        ['SlurmSilent'],
        ['delete-pod foo-0'],
      ])
    })
    test('loses one that cannot be read', () => {
      expect(isKept(unknown('unreadable', []))).toEqual(['SlurmSilent'])
    })
    test('stays for ever because of one that only cleans up', () => {
      expect(isKept(listed('COMPLETING'))).toEqual(['delete-pod foo-0']) // the node is asked more often than the jobs
    })
  })

  describe('whose only record is of the slurmd before it', () => {
    const before = { slurmdStartedAtMs: NOW - 3600_000 }
    const silentSince = { type: 'SlurmNodeStateNotResponding', status: 'True', message: '', sinceMs: NOW - 1_200_000 }
    const former = (runningForMs: number): Partial<Worker> => ({
      slurmNode: slurmSays(['DOWN', 'NOT_RESPONDING'], before),
      ...{ readySinceMs: undefined, wasReady: false, runningSinceMs: NOW - runningForMs },
      conditions: [...settledConditions([]), silentSince],
    })
    test('is deleted while it joins, with the job that it gets then', () => {
      expect(outcome(condemn(former(3000)))).toEqual(['drain foo-0'])
    })
    test('is deleted on a list of long ago, without a last look', () => {
      expect(stepsThat(condemn(former(1_200_000)), 'delete-pod')).toMatchObject([{ drainedAs: 'foo-0' }])
    })
  })

  test('NS-297: one that never joined can never be removed', () => {
    const plan = planNodeSet(aPicture({ workers: [aPendingWorker('foo-0')], wanted: { replicas: 0 } }))
    expect(outcome(plan)).toEqual(['delete-pod foo-0'])
  })
  test('NS-298: one on its way out is drained', () => expect(condemn({ terminating: true }).steps).toEqual([]))
  test('NS-300, NS-301: the mark comes before the drain, in one chain, and the deletion only after Slurm’s word', () => {
    const plan = condemn(says(['IDLE'], ''))
    const chained = plan.steps.filter(({ chain }) => chain === 'pod/foo-0').map((step) => step.do)
    expect(chained).toEqual(['patch-pod', 'drain'])
  })
  test.each(['no-client', 'unreachable', 'not-listed-yet', 'vanished', 'unreadable'] as const)(
    'NS-302, NS-304, WP-02: jobs die because Slurm is silent (%s)',
    (why) => {
      const plan = condemn(
        { slurmNode: unknown(why, aSlurmNode({ states: ['IDLE', 'DRAIN'] })) },
        { slurmList: undefined },
      )
      expect(outcome(plan)).toEqual([])
      expect(plan.waits).toMatchObject([{ worker: 'foo-0', reason: 'SlurmSilent' }])
      expect(plan.lookAgainInMs).toBeLessThanOrEqual(30_000)
    },
  )
  test('a drained node that an administrator resumed a minute ago loses its job', () => {
    const node = aSlurmNode({ states: ['IDLE', 'DRAIN'], reason: DRAINED })
    const plan = condemn({ slurmNode: seen(node, NOW - 60_000) })
    expect(outcome(plan)).toEqual([])
    expect(plan.hurrySlurm).toBe(true)
  })
  test('a foreign reason without a drain holds a scale-in for ever, or is replaced', () => {
    const plan = condemn(says(['IDLE'], 'looked at by bob'))
    expect(stepsThat(plan, 'drain')).toMatchObject([{ slurmName: 'foo-0', drainReason: undefined }])
  })
})

describe('a worker that Slurm does not list', () => {
  const list = { slurmList: { nodes: 5, atMs: NOW, wholeAtMs: NOW }, nowMs: NOW }
  const missing = (sinceMs: number): Knowledge<SlurmNode> => absent(NOW - sinceMs)
  const ready = (differences: Partial<Worker>): Worker =>
    aWorker('foo-0', { slurmNode: missing(600_000), ...differences })
  test('WP-03: goes once its record was seen to disappear and nothing runs', () => {
    expect(mayGo(ready({}), list).answer).toBe('yes')
  })
  test('WP-03: stays if it joined under another name', () => {
    expect(mayGo(ready({ joinedAs: 'n1.example.com' }), list).reason).toBe('JoinedElsewhere')
  })
  test('stays while jobs are said to run on it, or nobody tells', () => {
    expect(mayGo(ready({ jobs: seen([aJob()], NOW) }), list).answer).toBe('unknown')
    expect(mayGo(ready({ jobs: unknown('unreachable') }), list).answer).toBe('unknown')
  })
  test('stays while the last list of jobs is from before its record vanished: its last job is not in it', () => {
    expect(mayGo(ready({ jobs: seen([], NOW - 600_001) }), list).reason).toBe('JobsRunning')
    expect(mayGo(ready({ jobs: seen([], NOW - 600_000) }), list).answer).toBe('yes')
  })
  test('stays while it may just be joining', () => {
    const newcomer = { conditions: [], wasReady: false, readySinceMs: undefined, runningSinceMs: NOW - 2000 }
    expect(mayGo(ready(newcomer), list).reason).toBe('MayBeJoining')
    expect(mayGo(ready({ ...newcomer, runningSinceMs: NOW - 120_000 }), list).answer).toBe('yes')
    expect(mayGo(ready({ conditions: [], readySinceMs: NOW - 5000 }), list).reason).toBe('MayBeJoining')
  })
  test('stays for a quarter of an hour if Slurm lists nothing, or has lost most of us', () => {
    const workers = [ready({}), aWorker('foo-1', { slurmNode: missing(600_000) }), aWorker('foo-2')]
    expect(mayGo(ready({}), { ...list, slurmList: { nodes: 0, atMs: NOW, wholeAtMs: NOW } }).answer).toBe('unknown')
    expect(mayGo(ready({}), { ...list, workers }).answer).toBe('unknown')
    expect(mayGo(ready({ slurmNode: missing(900_000) }), { ...list, workers }).answer).toBe('yes')
    expect(mayGo(ready({}), { ...list, workers: [ready({}), aWorker('foo-1')] }).answer).toBe('yes')
    expect(mayGo(ready({}), { ...list, workers, kubeNodes: new Map() }).answer).toBe('yes')
  })
  test('stays if the list is old', () => {
    expect(
      mayGo(ready({}), { ...list, slurmList: { nodes: 5, atMs: NOW - 60_000, wholeAtMs: NOW - 60_000 } }).answer,
    ).toBe('unknown')
    expect(mayGo(ready({}), { ...list, slurmList: undefined }).answer).toBe('unknown')
  })
})

test('section 24: while Slurm is silent, only a pod that has had its time and never worked may go', () => {
  const silent = { slurmList: undefined, nowMs: NOW }
  const broken = {
    slurmNode: unknown<SlurmNode>('no-client'),
    conditions: [],
    wasReady: false,
    readySinceMs: undefined,
    runningSinceMs: undefined,
  }
  expect(mayGo(aWorker('foo-0', broken), silent).answer).toBe('yes')
  expect(mayGo(aWorker('foo-0', { ...broken, createdAtMs: NOW - 1000 }), silent).answer).toBe('unknown')
  expect(mayGo(aWorker('foo-0', { ...broken, wasReady: true }), silent).answer).toBe('unknown')
})

test('a worker whose slurmd runs, and another container does not, is deleted with its jobs while Slurm is silent', () => {
  const broken = { conditions: [], wasReady: false, readySinceMs: undefined, runningSinceMs: NOW - 3600_000 }
  const worker = aWorker('foo-0', { ...broken, slurmNode: unknown('no-client') })
  expect(mayGo(worker, { slurmList: undefined, nowMs: NOW }).answer).toBe('unknown')
})
