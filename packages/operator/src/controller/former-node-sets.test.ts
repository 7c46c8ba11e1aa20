import type { ControllerSpec } from '@slurm-operator/api'
import type { ConfigMap } from '@slurm-operator/kube'
import { seen, unknown, type Knowledge, type SlurmConnection, type SlurmJob } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { findFormerNodeSets, type FormerPicture } from './former-node-sets.ts'
import { aController, anObject, aPod, aStatefulSet, child, keys, NOW, pass } from './gen.ts'
import { judgeController } from './judge.ts'

type Jobs = Knowledge<readonly SlurmJob[]>
const jobsIn = (...partitions: readonly string[]): Jobs =>
  seen(
    partitions.map((partition) => ({ partition, states: ['RUNNING'] }) as unknown as SlurmJob),
    NOW,
  )
const silence: Jobs = unknown('unreachable')

describe('what is read back from slurm.conf prevents that', () => {
  const written = [
    'NodeSet=cpu Feature=cpu',
    'PartitionName=cpu Nodes=cpu State=UP MaxTime=1',
    'NodeSet=gpu Feature=gpu',
    'PartitionName=gpu Nodes=gpu ',
    'NodeSet=plain Feature=plain',
    'PartitionName=gpu-long Nodes=gpu State=UP',
  ].join('\n')
  const former = (jobs: Jobs, more: Partial<FormerPicture> = {}) =>
    findFormerNodeSets({ written, present: [], extraConf: undefined, jobs, ...more }).lines
  const names = (...given: Parameters<typeof former>) => former(...given).map(({ slurmName }) => slurmName)

  test('slurmctld meets a job in a partition that is gone', () => {
    expect(names(jobsIn('cpu', 'all'))).toEqual(['cpu'])
    expect(names(jobsIn('all,gpu'))).toEqual(['gpu'])
  })

  test('its partition stays for ever', () => expect(names(jobsIn())).toEqual([]))

  test.each(['unreachable', 'no-client', 'not-listed-yet'] as const)('silence is taken for an answer (%s)', (why) =>
    expect(names(unknown(why, []))).toEqual(['cpu', 'gpu']),
  )

  test('a NodeSet that is there is written twice', () =>
    expect(names(silence, { present: ['cpu', 'gpu'] })).toEqual([]))

  test('the settings of the partition are lost', () => {
    const [cpu] = former(silence, { present: ['gpu'] })
    expect(cpu).toEqual({ name: 'cpu', slurmName: 'cpu', partition: { config: 'State=UP MaxTime=1' } })
  })

  test('a partition of others that has its nodes is left out, with all its jobs', () =>
    expect(former(jobsIn('gpu-long'))).toEqual([{ name: 'gpu', slurmName: 'gpu' }]))
})

describe('a deleted NodeSet prevents that', () => {
  const sidecar: Partial<ControllerSpec> = { inplaceReconfigure: true, reconfigure: { image: 'slurmctld:1' } }
  const slurmThatSays = (jobs: Jobs) =>
    ({
      health: () => ({ state: 'reachable', sinceMs: NOW, controllers: [] }),
      view: { nodes: () => unknown('unreachable'), jobs: () => jobs },
    }) as unknown as Partial<SlurmConnection>
  const aNodeSet = (name: string, config = 'State=UP', hostname?: string) =>
    anObject('NodeSet', name, {
      spec: {
        controllerRef: { name: 'prod' },
        partition: { enabled: true, config },
        template: { spec: { hostname } },
      },
    })
  const cpuPartition = 'PartitionName=cpu Nodes=cpu State=UP\n'

  /** What comes of a pass. `jobs`: undefined for no connection. */
  async function after(jobs: Jobs | undefined, objects: readonly object[], extraConf?: string) {
    const controller = aController({ ...sidecar, ...(extraConf !== undefined && { extraConf }) })
    const all = [...keys, aStatefulSet(), aPod(), ...objects]
    const still = await pass(controller, all, { nowMs: NOW, connection: jobs && slurmThatSays(jobs) })
    const config = child<ConfigMap>(still.wish.children, 'ConfigMap', 'prod-config')
    still.put(config)
    const { state, conditions = [] } = judgeController(still.at, still.facts)
    const applied = conditions.find(({ type }) => type === 'ConfigurationApplied')
    return { config, slurmConf: config.data?.['slurm.conf'] ?? '', state, applied }
  }
  const configWith = async (nodeSets: readonly object[], extraConf?: string) =>
    (await after(jobsIn(), nodeSets, extraConf)).config

  test('slurmctld ends, since a job names a partition that is gone, and nobody reads why another one stays', async () => {
    const { slurmConf, state, applied } = await after(jobsIn('cpu'), [await configWith([aNodeSet('cpu')])])
    expect(slurmConf).toContain(`NodeSet=cpu Feature=cpu\n${cpuPartition}`)
    expect(applied).toMatchObject({ status: 'True', reason: 'LeftToSidecar' })
    expect(applied?.message).toBe(
      'slurm.conf keeps deleted NodeSets and their partitions, which jobs still name: cpu. ' +
        'The reconfigure container tells slurmctld of every change.',
    )
    expect(state).toMatchObject({ kind: 'ready' })
    expect(state.because).not.toContain('cpu')
  })

  test('its partition stays when no job record names it any more', async () => {
    const kept = await after(jobsIn('cpu'), [await configWith([aNodeSet('cpu')])])
    const { slurmConf, applied } = await after(jobsIn('all'), [kept.config])
    expect(slurmConf).not.toContain('cpu')
    expect(applied?.message).toBe('The reconfigure container tells slurmctld of every change.')
  })

  test.each([
    { name: 'a restarted operator, which has no connection yet, drops it', jobs: undefined },
    {
      name: 'an operator that waits for the first list drops it',
      jobs: unknown<readonly SlurmJob[]>('not-listed-yet'),
    },
    { name: 'a silent Slurm makes us drop it, since it had no jobs before', jobs: unknown('unreachable', []) },
  ])('$name', async ({ jobs }) => {
    const before = await configWith([aNodeSet('cpu')])
    const { config, slurmConf, state, applied } = await after(jobs, [before])
    expect(slurmConf).toContain(cpuPartition)
    expect(applied?.message).toContain(
      'NodeSets and their partitions until Slurm tells whether jobs still name them: cpu.',
    )
    expect(state).toMatchObject({ kind: 'ready' })
    const answered = await after(jobsIn('cpu'), [config])
    expect(answered.config.data).toEqual(before.data)
  })

  test('without a RestApi nobody can ever take it out', async () => {
    const { data = {}, ...config } = await configWith([aNodeSet('cpu')])
    const edited = data['slurm.conf']?.replace('NodeSet=cpu Feature=cpu\n', '').replace(cpuPartition, '')
    const { slurmConf } = await after(undefined, [{ ...config, data: { ...data, 'slurm.conf': edited } }])
    expect(slurmConf).not.toContain('cpu')
  })

  test('the memory of it goes with a ConfigMap that somebody deletes', async () => {
    const { data } = await configWith([aNodeSet('cpu')])
    const lastGood = anObject('ConfigMap', 'prod-config-last-good', { data })
    expect((await after(jobsIn('cpu'), [lastGood])).slurmConf).toContain(cpuPartition)
  })

  test('the status is written for every job, or is as long as the list of NodeSets', async () => {
    const names = ['g', 'c', 'a', 'f', 'b', 'e', 'd']
    const config = await configWith(names.map((name, index) => aNodeSet(`node-set-${index}`, '', name)))
    const one = await after(jobsIn(...names), [config])
    const other = await after(jobsIn(...names, ...names.toReversed()), [config])
    expect(one.applied?.message).toContain(': a, b, c, d, e and 2 more.')
    expect(other.applied).toEqual(one.applied)
  })

  test('its partition goes at once, since it has nodes of its own choice', async () => {
    const own = await configWith([aNodeSet('cpu', 'AllocNodes=cpu State=UP Nodes=cpu,gpu'), aNodeSet('gpu')])
    const { slurmConf } = await after(jobsIn('cpu'), [own])
    expect(slurmConf).toContain('PartitionName=cpu AllocNodes=cpu State=UP Nodes=cpu,gpu\n')
    expect(slurmConf).not.toContain('PartitionName=gpu')
  })

  test('a partition of all in extraConf is left out while it has jobs', async () => {
    const all = 'PartitionName=shared Nodes=cpu,gpu'
    const config = await configWith([aNodeSet('cpu'), aNodeSet('gpu')], all)
    const kept = await after(jobsIn('shared'), [config, aNodeSet('gpu')], all)
    expect(kept.slurmConf).toContain(`\n${all}\n`)
    expect(kept.applied).toMatchObject({ reason: 'LeftToSidecar', message: expect.stringContaining('name: cpu. ') })
    const idle = await after(jobsIn(), [kept.config, aNodeSet('gpu')], all)
    expect(idle.applied).toMatchObject({ reason: 'LeftOut', message: expect.stringContaining('names cpu, but') })
  })

  const theirOwn = 'NodeSet=cpu Feature=cpu\nPartitionName=cpu Nodes=cpu'
  const inItsPlace = 'PartitionName=cpu Nodes=ALL'
  test.each([
    {
      name: 'lines of the user are written twice',
      before: theirOwn,
      after: theirOwn,
      left: ['PartitionName=cpu Nodes=cpu'],
    },
    { name: 'lines that the user takes away stay', before: theirOwn, after: '', left: null },
    {
      name: 'a partition that the user writes in its place is refused',
      nodeSets: [aNodeSet('cpu')],
      after: inItsPlace,
      left: [inItsPlace],
    },
    {
      name: 'a NodeSet that the user writes in its place is there twice',
      nodeSets: [aNodeSet('cpu')],
      after: theirOwn,
      left: ['PartitionName=cpu Nodes=cpu'],
    },
  ])('$name', async ({ nodeSets = [], before, after: extraConf, left }) => {
    const { slurmConf, applied } = await after(jobsIn('cpu'), [await configWith(nodeSets, before)], extraConf)
    expect(slurmConf.match(/^PartitionName=.*$/gm)).toEqual(left)
    expect(slurmConf.match(/^NodeSet=/gm)?.length ?? 0).toBe(extraConf === theirOwn ? 1 : 0)
    expect(applied).toMatchObject({ status: 'True', reason: 'LeftToSidecar' })
  })
})
