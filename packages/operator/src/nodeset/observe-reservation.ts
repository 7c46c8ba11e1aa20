import { RESERVATION_FINALIZER, reservationName } from '@slurm-operator/api'
import {
  absent,
  seen,
  unknown,
  type Knowledge,
  type SlurmConnection,
  type SlurmReservation,
} from '@slurm-operator/slurm'
import type { Before, Wanted } from './picture.ts'

/** Reservations are not part of the view: there is one for each NodeSet at most, and hardly anybody has any. */
const FRESH_MS = 20_000

interface Asked {
  readonly answer: Knowledge<SlurmReservation>
  readonly atMs: number
}

const asked = new WeakMap<SlurmConnection, Map<string, Asked>>()

/** The reservation of a NodeSet. Slurm is asked only where one is wanted or may be left, and not in every pass. */
export async function observeReservation(
  connection: SlurmConnection | undefined,
  { name, updateStrategy, finalizers }: Wanted,
  { reservationStartsAtMs }: Pick<Before, 'reservationStartsAtMs'>,
  nowMs: number,
): Promise<Knowledge<SlurmReservation>> {
  const matters = updateStrategy.type === 'ScheduledUpdate' || finalizers.includes(RESERVATION_FINALIZER)
  if (!matters && reservationStartsAtMs === undefined) return unknown('not-listed-yet')
  if (connection === undefined) return unknown('no-client')
  const answers = asked.get(connection) ?? new Map<string, Asked>()
  asked.set(connection, answers)
  const before = answers.get(name)
  if (before !== undefined && Math.abs(nowMs - before.atMs) < FRESH_MS) return before.answer // the clock may be set back
  const answer = await ask(connection, reservationName(name), nowMs)
  answers.set(name, { answer, atMs: nowMs })
  return answer
}

/** Something was written: what we know is out of date. */
export function forgetReservation(connection: SlurmConnection, nodeSetName: string): void {
  asked.get(connection)?.delete(nodeSetName)
}

async function ask(connection: SlurmConnection, name: string, nowMs: number): Promise<Knowledge<SlurmReservation>> {
  try {
    const found = await connection.client.findReservation(name)
    return found === undefined ? absent(nowMs) : seen(found, nowMs)
  } catch {
    return unknown('unreachable') // the health of the connection says why
  }
}
