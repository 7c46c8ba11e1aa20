/** The words of another program in one line, cut where nobody would read on. */
export function shorten(text = '', longest = 300): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
