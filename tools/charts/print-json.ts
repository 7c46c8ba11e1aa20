const WIDTH = 120

/** JSON as `npm run format` leaves it: maps on lines of their own, lists on one line if they fit. */
export function printJson(value: unknown): string {
  return `${print(value, '')}\n`
}

function print(value: unknown, indent: string): string {
  const deeper = `${indent}  `
  if (Array.isArray(value)) return printList(value, indent)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const lines = Object.entries(value).map(([name, one]) => `${deeper}${JSON.stringify(name)}: ${print(one, deeper)}`)
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
}

function printList(list: readonly unknown[], indent: string): string {
  const deeper = `${indent}  `
  const flat = `[${list.map((one) => print(one, deeper)).join(', ')}]`
  if (!flat.includes('\n') && indent.length + flat.length < WIDTH - 20) return flat
  return `[\n${list.map((one) => `${deeper}${print(one, deeper)}`).join(',\n')}\n${indent}]`
}
