/** The contract on the simulated Slurm, in both releases that it can play. */
import { createSimulatedSlurm, createVirtualClock } from '@slurm-operator/testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import { connect } from '../registry/connection.ts'
import { Secret } from '../tokens/secret.ts'
import { measured } from './bench.ts'
import { contractSuites } from './contract-suites.ts'
import type { SlurmUnderTest } from './slurm-under-test.ts'

const RESTD_AWAY_MS = 500

function startSimulated(release: '24.11' | '26.05'): SlurmUnderTest {
  const clock = createVirtualClock()
  const slurm = createSimulatedSlurm({ clock, release, workers: 2 })
  const open: SlurmUnderTest['open'] = (token) =>
    connect(
      { endpoints: ['http://simulated'], token },
      { clock, random: () => 0.5, openTransport: () => slurm.openTransport() },
    )
  return {
    release,
    isBrief: false,
    clock,
    open,
    connection: open({ kind: 'signing-key', key: new Secret(slurm.signingKey) }),
    signingKey: () => slurm.signingKey,
    token: (user, seconds) => slurm.token(user, seconds),
    wait: clock.drive,
    pass: clock.advance,
    addWorker: async () => slurm.addWorker(),
    restartSlurmd: async (name) => slurm.startSlurmd(name),
    stopSlurmd: async (name) => slurm.stopSlurmd(name),
    suspendJob: async (id) => void slurm.orders.suspendJob(id),
    resumeJob: async (id) => void slurm.orders.resumeJob(id),
    endController: async () => slurm.endController(),
    startController: async () => slurm.startController(),
    killRestd: async () => slurm.endRestd(),
    startRestd: async () => slurm.startRestd(),
    stallRestd: async () => slurm.stallRestd(),
    whyNoReplacing: release === '24.11' ? 'slurmrestd must not be newer than slurmctld' : undefined,
    replaceRestd: async (next) => {
      slurm.endRestd()
      slurm.changeRelease(next)
      await clock.advance(RESTD_AWAY_MS)
      slurm.startRestd()
    },
    changeSigningKey: async (key) => slurm.changeSigningKey(key),
  }
}

describe.each(['26.05', '24.11'] as const)('a simulated Slurm %s', (release) => {
  let slurm: SlurmUnderTest
  beforeAll(() => {
    slurm = startSimulated(release)
    measured.length = 0
  })
  afterAll(async () => {
    await slurm.connection.close()
    console.log(`Simulated Slurm ${release}, in its own time:\n  ${measured.join('\n  ')}`)
  })
  contractSuites(() => slurm)
})
