/** The longest reason we write, in code points: enough for a sentence, short enough for every tool that shows it. */
export const MAXIMUM_REASON_LENGTH = 256

/** What stands there when nothing is left of a reason. */
const EMPTY_REASON = 'unknown'

/**
 * A text that is safe to store in Slurm as one line: tabs and line breaks become spaces, other control characters go,
 * blanks at the ends go, and what is too long is cut between two characters.
 */
export function cleanReason(text: string): string {
  const oneLine = text
    .toWellFormed()
    .replaceAll(/[\t\n\r]/g, ' ')
    .replaceAll(/\p{Cc}/gu, '')
  return cutToCodePoints(oneLine.trim(), MAXIMUM_REASON_LENGTH).trim()
}

/** A reason as we store it: signed, cleaned and never empty. */
export function buildReason(prefix: string, text: string): string {
  const cleaned = cleanReason(text)
  return `${prefix}${cleaned === '' ? EMPTY_REASON : cleaned}`
}

function cutToCodePoints(text: string, length: number): string {
  if (text.length <= length) return text
  return Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('')
    .toWellFormed()
}
