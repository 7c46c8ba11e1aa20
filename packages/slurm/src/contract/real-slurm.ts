/**
 * A real Slurm as the suites want it.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as passRealTime } from 'node:timers/promises'
import type { Slurm } from '@slurm-operator/local'
import { systemClock } from '../client/clock.ts'
import { connect } from '../registry/connection.ts'
import { Secret } from '../tokens/secret.ts'
import type { SlurmUnderTest } from './slurm-under-test.ts'

type Worker = ReturnType<Slurm['workers']>[number]

/** Processes of this Slurm whose program has this name: their disks are in its folder. */
function processesOf(slurm: Slurm, program: string): number[] {
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return '' // it has ended
    }
  }
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const named = ids.filter((id) => read(`/proc/${id}/comm`).trim() === program)
  return named.filter((id) => read(`/proc/${id}/mountinfo`).includes(slurm.folder)).map(Number)
}

/** SIGSTOP; the answer is SIGCONT. The way into the box stops with what it has started, and must go on as well. */
function holdStill(ids: readonly number[]): () => void {
  if (ids.length === 0) throw new Error('Cannot hold slurmrestd still: no process of that name was found.')
  for (const id of ids) process.kill(id, 'SIGSTOP')
  return () => {
    for (const id of [...ids, ...ids.flatMap(parentOf)]) process.kill(id, 'SIGCONT')
  }
}

function parentOf(id: number): number[] {
  const parent = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]
  return parent === undefined || parent === '0' ? [] : [Number(parent)]
}

async function changeKey(slurm: Slurm, key: string): Promise<void> {
  await slurm.run(['sh', '-c', 'cat > /etc/slurm/jwt_hs256.key'], { input: key })
  await slurm.restartDaemon('slurmctld')
}

/** The hands of the suites on it. */
export function underTest(slurm: Slurm, facts: Pick<SlurmUnderTest, 'isBrief' | 'whyNoReplacing'>): SlurmUnderTest {
  let key: Uint8Array = slurm.jwtKey
  const open: SlurmUnderTest['open'] = (token) => connect({ endpoints: [slurm.url], token })
  return {
    ...facts,
    release: slurm.release,
    clock: systemClock,
    open,
    connection: open({ kind: 'signing-key', key: new Secret(key) }),
    signingKey: () => key,
    token: (user, seconds) => slurm.token(user, seconds),
    wait: (promise) => promise,
    pass: (ms) => passRealTime(ms),
    addWorker: () => slurm.addWorker(),
    restartSlurmd: (name) => slurm.restartDaemon(name as Worker),
    stopSlurmd: (name) => slurm.stopDaemon(name as Worker),
    suspendJob: async (id) => void (await slurm.run(['scontrol', 'suspend', String(id)])),
    resumeJob: async (id) => void (await slurm.run(['scontrol', 'resume', String(id)])),
    endController: async (how) => {
      await slurm.saveState()
      await (how === 'killed' ? slurm.killDaemon('slurmctld') : slurm.stopDaemon('slurmctld'))
    },
    startController: () => slurm.restartDaemon('slurmctld'),
    killRestd: () => slurm.killDaemon('slurmrestd'),
    startRestd: () => slurm.restartDaemon('slurmrestd'),
    stallRestd: async () => holdStill(processesOf(slurm, 'slurmrestd')),
    replaceRestd: (release) => slurm.replaceDaemon('slurmrestd', release),
    changeSigningKey: async (next) => {
      key = Buffer.from(next)
      await changeKey(slurm, next)
    },
  }
}
