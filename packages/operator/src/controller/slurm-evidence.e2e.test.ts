import { systemClock } from '@slurm-operator/kube'
import { startSlurm, whyNotHere, type Slurm } from '@slurm-operator/local'
import { connect, Secret, type SlurmConnection } from '@slurm-operator/slurm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { provesNewFiles, readReported } from './slurm-evidence.ts'

const inTheWay = whyNotHere()
const CONF = '/etc/slurm/slurm.conf'

describe('what a real slurmctld makes of a reconfigure', () => {
  beforeEach(({ skip }) => skip(inTheWay.length > 0, inTheWay.join()))
  let slurm: Slurm
  let connection: SlurmConnection
  beforeAll(async () => {
    if (inTheWay.length > 0) return
    slurm = await startSlurm({ workers: 1, accounting: false })
    connection = connect({
      endpoints: [slurm.url],
      token: { kind: 'given', token: new Secret(slurm.token()) },
    })
  })
  afterAll(async () => {
    await connection?.close()
    await slurm?.stop()
  })

  async function isProved(line: string): Promise<boolean> {
    const before = await readReported(connection.client, systemClock)
    await slurm.run(['sh', '-c', `echo "${line}" >> ${CONF}`])
    await connection.client.reconfigure()
    return provesNewFiles(before, await readReported(connection.client, systemClock))
  }

  test('a comment is taken for a change, or a new partition and a new setting are not', async () => {
    expect(await isProved('# nothing')).toBe(false)
    expect(await isProved('PartitionName=extra Nodes=ALL State=UP')).toBe(true)
    expect(await isProved('KillWait=77')).toBe(true)
  })

  test('it says yes to a bad line and ends, and somebody still believes its answer', async () => {
    await slurm.run(['cp', CONF, '/tmp/good'])
    expect(await isProved('Nonsense=1')).toBe(false)
    await slurm.run(['cp', '/tmp/good', CONF])
    await slurm.restartDaemon('slurmctld')
  })
})
