/** What a JSON value looks like when all its values are masked: one line per place, with the type that is found there. */
export function shapeOf(value: unknown): ReadonlySet<string> {
  const lines = new Set<string>()
  collect(value, '', lines)
  return lines
}

function collect(value: unknown, place: string, lines: Set<string>): void {
  lines.add(`${place}: ${typeOf(value)}`)
  if (Array.isArray(value)) {
    if (value.length === 0) lines.add(`${place}[] may be anything`)
    for (const entry of value) collect(entry, `${place}[]`, lines)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) collect(inner, `${place}.${name}`, lines)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Lines of one shape that the other lacks. What would be inside of an empty list is not known, and never missing. */
export function missingFrom(whole: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  const open = [...other].flatMap((line) =>
    line.endsWith(' may be anything') ? [line.slice(0, line.indexOf(' '))] : [],
  )
  return [...whole].filter(
    (line) => !line.endsWith(' may be anything') && !other.has(line) && !open.some((place) => line.startsWith(place)),
  )
}
