import { seen, unknown, type SlurmJob } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { findFormerNodeSets } from './former-node-sets.ts'

const written = [
  'NodeSet=cpu Feature=cpu',
  'PartitionName=cpu Nodes=cpu State=UP MaxTime=1',
  'NodeSet=gpu Feature=gpu',
  'PartitionName=gpu Nodes=gpu ',
  'NodeSet=plain Feature=plain',
  'PartitionName=gpu-long Nodes=gpu State=UP',
].join('\n')
const jobIn = (partition: string) => ({ partition }) as SlurmJob
const former = (jobs: Parameters<typeof findFormerNodeSets>[0]['jobs'], present: readonly string[] = []) =>
  findFormerNodeSets({ written, present, jobs }).map(({ slurmName }) => slurmName)

describe('a deleted NodeSet prevents that', () => {
  test('slurmctld meets a job in a partition that is gone', () => {
    expect(former(seen([jobIn('cpu'), jobIn('all')], 0))).toEqual(['cpu'])
    expect(former(seen([jobIn('all,gpu')], 0))).toEqual(['gpu'])
  })

  test('its partition stays for ever', () => {
    expect(former(seen([], 0))).toEqual([])
    expect(former(undefined)).toEqual([])
  })

  test('a silence of Slurm is taken for an answer', () =>
    expect(former(unknown('unreachable'))).toEqual(['cpu', 'gpu']))

  test('a NodeSet that is there is written twice', () =>
    expect(former(unknown('unreachable'), ['cpu', 'gpu'])).toEqual([]))

  test('the settings of the partition are lost', () => {
    const [cpu] = findFormerNodeSets({ written, present: ['gpu'], jobs: unknown('unreachable') })
    expect(cpu).toEqual({ name: 'cpu', slurmName: 'cpu', partition: { config: 'State=UP MaxTime=1' } })
  })
})
