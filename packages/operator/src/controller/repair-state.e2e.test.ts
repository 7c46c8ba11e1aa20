import { startSlurm, whyNotHere, type Slurm } from '@slurm-operator/local'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { repairScript } from './repair-script.ts'

const inTheWay = whyNotHere()
const STATE = '/var/lib/slurm/slurmctld'

describe('slurmctld that was killed before its first save', () => {
  beforeEach(({ skip }) => skip(inTheWay.length > 0, inTheWay.join()))
  let slurm: Slurm
  beforeAll(async () => {
    if (inTheWay.length > 0) return
    slurm = await startSlurm({ workers: 2 })
  })
  afterAll(() => slurm?.stop())

  test('never starts again, or forgets its nodes', async () => {
    await slurm.killDaemon('slurmctld')
    await slurm.run(['rm', '-f', `${STATE}/assoc_usage`, `${STATE}/assoc_usage.old`])
    await expect(slurm.restartDaemon('slurmctld')).rejects.toThrow(/No Assoc usage file/)
    await slurm.run(['env', `STATE=${STATE}`, 'POD=prod-controller-0', 'sh', '-c', repairScript])
    await slurm.restartDaemon('slurmctld')
    const { stdout } = await slurm.run(['sinfo', '--noheader', '--format=%D'])
    expect(stdout.trim()).toBe('2')
  })
})
