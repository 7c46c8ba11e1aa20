import { printMicroTime, shortenName, type EventsEvent, type Random } from '@slurm-operator/kube'
import { cutText } from './cut-text.ts'
import { referenceTo, type Happening } from './happening.ts'

/** The server counts bytes, whatever its messages say. */
const MOST_NOTE_BYTES = 1024
const MOST_WORD_BYTES = 128
const LONGEST_NAME = 253

/** Who reports, and when. */
export interface Report {
  readonly controller: string
  readonly instance: string
  readonly atMs: number
  readonly random: Random
}

/** The Event for something that happened for the first time. Whatever is too long is cut: a short Event beats none. */
export function buildEvent({ regarding, related, type, reason, action, note }: Happening, report: Report): EventsEvent {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: {
      name: eventName(regarding.metadata.name, report),
      namespace: regarding.metadata.namespace ?? 'default', // where the server wants those about objects without one
    },
    eventTime: printMicroTime(report.atMs),
    type,
    reason: cutText(reason, MOST_WORD_BYTES),
    action: cutText(action === '' ? reason : action, MOST_WORD_BYTES),
    note: cutText(note, MOST_NOTE_BYTES),
    regarding: referenceTo(regarding),
    ...(related !== undefined && { related: referenceTo(related) }),
    reportingController: report.controller,
    reportingInstance: cutText(report.instance, MOST_WORD_BYTES),
  }
}

/** The name of the object, the moment and chance. Some kinds allow more characters in names than Events do. */
function eventName(about: string, { atMs, random }: Report): string {
  const moment = Math.round(atMs * 1000).toString(16)
  const chance = Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
  const ending = `.${moment}${chance}`
  const plain = about
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  const parts = plain
    .split('.')
    .map((part) => part.replaceAll(/^-+|-+$/g, ''))
    .filter((part) => part !== '')
  return shortenName(parts.join('.') || 'x', LONGEST_NAME - ending.length) + ending
}
