/** The contract on a real Slurm, in the newest and in the oldest release that we work with. */
import { silentProgress, startSlurm, whyNoRelease, whyNotHere, type Slurm } from '@slurm-operator/local'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { measured } from './bench.ts'
import { contractSuites } from './contract-suites.ts'
import { underTest } from './real-slurm.ts'
import type { SlurmUnderTest } from './slurm-under-test.ts'

const inTheWay = whyNotHere()
const whyNoOld = inTheWay.length > 0 ? undefined : await whyNoRelease('24.11', silentProgress)

describe.each(['26.05', '24.11'] as const)('a real Slurm %s', (release) => {
  const isOld = release === '24.11'
  const whyNot = isOld && whyNoOld !== undefined ? [...inTheWay, whyNoOld] : inTheWay
  let real: Slurm | undefined
  let slurm: SlurmUnderTest
  beforeAll(async () => {
    measured.length = 0
    if (whyNot.length > 0) return
    real = await startSlurm({ release, workers: 2, users: ['alice'], progress: silentProgress })
    const whyNoReplacing = isOld ? 'slurmrestd must not be newer than slurmctld' : whyNoOld
    slurm = underTest(real, { isBrief: isOld, whyNoReplacing })
  })
  afterAll(async () => {
    await slurm?.connection.close()
    await real?.stop()
    if (measured.length > 0) console.log(`Measured with Slurm ${release}:\n  ${measured.join('\n  ')}`)
  })
  beforeEach(({ skip }) => skip(whyNot.length > 0, whyNot.join('; ')))
  contractSuites(() => slurm)
})
