/**
 * Conditions: typed lines in a status that say what is so, since when and why.
 *
 * @module
 */

/** `Unknown` is an answer, too: nobody could look. */
export type ConditionStatus = 'True' | 'False' | 'Unknown'

/** One line as it stands in `status.conditions`. */
export interface Condition {
  readonly type: string
  readonly status: ConditionStatus
  /** The generation of the spec this line speaks about. */
  readonly observedGeneration?: number
  /** When the status last changed; a new reason or message does not count. */
  readonly lastTransitionTime: string
  /** A stable CamelCase word for programs. */
  readonly reason: string
  /** A sentence for people. */
  readonly message: string
}

/** What a loop wants to say; the time is found out when it is written down. */
export type WantedCondition = Omit<Condition, 'lastTransitionTime'>

const LONGEST_TYPE = 316
const LONGEST_REASON = 1024
const TYPE =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/

/** How many characters a message may have. */
export const LONGEST_MESSAGE = 32_768

/** Why the API server would refuse a condition; undefined if it would not. */
export function whyInvalidCondition({
  type,
  reason,
  message,
  observedGeneration = 0,
}: WantedCondition): string | undefined {
  if (type.length > LONGEST_TYPE || !TYPE.test(type))
    return `${JSON.stringify(type)} is not a condition type such as Ready`
  if (reason.length > LONGEST_REASON || !REASON.test(reason)) {
    return `the reason ${JSON.stringify(reason)} of ${type} is not a word of at most ${LONGEST_REASON} characters`
  }
  if (characters(message) > LONGEST_MESSAGE) return `the message of ${type} has more than ${LONGEST_MESSAGE} characters`
  if (!Number.isSafeInteger(observedGeneration) || observedGeneration < 0)
    return `the generation of ${type} is not a whole number`
  return undefined
}

/** A message that fits. What is too long loses its end: a status that cannot be written says nothing at all. */
export function shortenMessage(message: string): string {
  if (characters(message) <= LONGEST_MESSAGE) return message
  return `${Array.from(message)
    .slice(0, LONGEST_MESSAGE - 1)
    .join('')}…`
}

/** The server counts code points, not UTF-16 units. */
function characters(text: string): number {
  return text.length <= LONGEST_MESSAGE ? text.length : Array.from(text).length
}
