import { deleteReservation, saveReservation, type ReservationOrder } from '../state/reservations.ts'
import { refusals } from '../state/refusals.ts'
import { bare, payload, wireError, type RestAnswer } from './answer.ts'
import { doneOr, refused, textIn, textsIn, whyNotAsked, whyNotObeyed, type Call, type Complaint } from './call.ts'
import { expanded } from './node-routes.ts'
import { reservationEcho, reservationShape } from './other-shapes.ts'
import { readWireNumber, wireTime } from './values.ts'
import { recordText } from './write-json.ts'

const aboutQuery: Complaint = { description: 'Unable to query reservations', source: 'slurm_load_reservations()' }

/** All reservations. */
export function listReservations(call: Call): RestAnswer {
  const silence = whyNotAsked(call, aboutQuery)
  if (silence) return silence
  const { controller } = call.restd
  const all = [...controller.cluster.reservations.values()]
  const texts = all.map((reservation) => recordText(reservationShape(controller, reservation, call.version)))
  return payload(call.voice, { last_update: wireTime(controller.cluster.wallMs) }, { key: 'reservations', texts })
}

/** One reservation. */
export function getReservation(call: Call): RestAnswer {
  const silence = whyNotAsked(call, aboutQuery)
  if (silence) return silence
  const { controller } = call.restd
  const found = controller.cluster.reservations.get(call.names[0] ?? '')
  if (!found) return bare(call.voice, 200, wireError(refusals.noError, aboutQuery.description, aboutQuery.source))
  const texts = [recordText(reservationShape(controller, found, call.version))]
  return payload(call.voice, { last_update: wireTime(controller.cluster.wallMs) }, { key: 'reservations', texts })
}

/** Create or change the one in the body. */
export function saveOneReservation(call: Call): RestAnswer {
  return saveAll(call, [call.body])
}

/** Create or change all in the body. */
export function saveReservations(call: Call): RestAnswer {
  const orders = call.body['reservations']
  return saveAll(call, Array.isArray(orders) ? orders.map((order) => ({ ...order })) : [])
}

function saveAll(call: Call, orders: readonly Readonly<Record<string, unknown>>[]): RestAnswer {
  for (const order of orders) {
    const name = textIn(order, 'name') ?? ''
    const verb = call.restd.controller.cluster.reservations.has(name) ? 'updating' : 'creating'
    const complaint = { description: `Error ${verb} reservation  ${name}`, source: 'slurm_create_reservation' }
    const obstacle = whyNotObeyed(call, complaint)
    if (obstacle) return obstacle
    const failure = saveReservation(call.restd.controller, readOrder(order, name))
    if (failure) return refused(call, failure, failure.lacks === undefined ? complaint : incomplete(failure.lacks))
  }
  return payload(call.voice, { reservations: orders.map(reservationEcho) })
}

function incomplete(lacks: string): Complaint {
  return { description: `${lacks}  No reservation created.`, source: 'validate_resv_create_desc' }
}

function readOrder(order: Readonly<Record<string, unknown>>, name: string): ReservationOrder {
  const nodes = textsIn(order, 'node_list')
  return {
    name,
    nodes: nodes && expanded(nodes),
    flags: textsIn(order, 'flags'),
    users: textsIn(order, 'users'),
    accounts: textsIn(order, 'accounts'),
    partition: textIn(order, 'partition'),
    startsAtMs: momentIn(order, 'start_time'),
    endsAtMs: momentIn(order, 'end_time'),
    durationInMinutes: finite(readWireNumber(order['duration'])),
  }
}

function momentIn(order: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const seconds = finite(readWireNumber(order[name]))
  return seconds === undefined ? undefined : seconds * 1000
}

const finite = (value: number | 'infinite' | undefined): number | undefined =>
  value === 'infinite' ? undefined : value

/** Take one back. */
export function deleteOneReservation(call: Call): RestAnswer {
  const [name = ''] = call.names
  const complaint = { description: `Error deleting reservation ${name}`, source: 'slurm_delete_reservation' }
  const obstacle = whyNotObeyed(call, complaint)
  return obstacle ?? doneOr(call, deleteReservation(call.restd.controller, name), complaint)
}
