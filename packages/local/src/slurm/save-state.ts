import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { untilTrue } from '../machine/until.ts'
import type { Daemons } from './daemons.ts'

const TIMEOUT_MS = 60_000

/** Make slurmctld write down all it knows. By itself it lets some seconds pass, and a crash loses what happened in them. */
export async function saveState(daemons: Daemons): Promise<void> {
  // More than once, if need be: slurmctld starts anew to do this, and once in many times its answer is lost on the way.
  await untilTrue('slurmctld to say that it saves its state', () => reconfigure(daemons), { timeoutMs: TIMEOUT_MS })
  await daemons.untilReady('slurmctld')
}

/**
 * The same after the very first start, because a crash before that cannot be made good: slurmctld with accounting never
 * starts again for want of one file, and forgets dynamic nodes, which do not register again by themselves.
 */
export async function saveFirstState(daemons: Daemons, accounting: boolean): Promise<void> {
  const wanted = join(daemons.box('slurmctld').folder, 'upper/var/lib/slurm/slurmctld/assoc_usage')
  await saveState(daemons)
  await untilTrue('slurmctld to save its state', () => !accounting || existsSync(wanted), { timeoutMs: TIMEOUT_MS })
}

async function reconfigure(daemons: Daemons): Promise<true> {
  daemons.expectStart('slurmctld')
  await daemons.runIn('slurmctld', ['scontrol', 'reconfigure'], { timeoutMs: TIMEOUT_MS })
  return true
}
