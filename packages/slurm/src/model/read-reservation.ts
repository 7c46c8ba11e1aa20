import { Fields } from './fields.ts'
import type { SlurmReservation } from './reservation.ts'
import type { Wire } from './wire.ts'

/** A reservation, in any version. The answer to a POST is an echo of the request and is not read with this. */
export function readReservation(raw: unknown): SlurmReservation {
  const fields = new Fields<Wire['reservation']>(raw)
  fields.require('name')
  const shown = fields.forgiving()
  return {
    name: fields.name('name'),
    flags: fields.words('flags'),
    nodes: fields.text('node_list'),
    users: fields.words('users'),
    accounts: fields.words('accounts'),
    startsAtMs: fields.timeMs('start_time'),
    endsAtMs: fields.timeMs('end_time'),
    partition: shown.text('partition'),
    features: shown.text('features'),
    nodeCount: shown.count('node_count'),
    coreCount: shown.count('core_count'),
    tres: shown.text('tres'),
  }
}
