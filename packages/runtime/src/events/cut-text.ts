const ELLIPSIS = '…'

/** The beginning of a text that has at most so many bytes, cut between two characters. What was cut shows. */
export function cutText(text: string, mostBytes: number): string {
  const whole = text.toWellFormed()
  if (Buffer.byteLength(whole) <= mostBytes) return whole
  const room = mostBytes - Buffer.byteLength(ELLIPSIS)
  if (room < 0) return ''
  const bytes = Buffer.from(whole)
  let end = room
  while (end > 0 && isContinuation(bytes[end])) end--
  return bytes.toString('utf8', 0, end) + ELLIPSIS
}

/** Bytes in the middle of a character look like 10xxxxxx. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
}
