import { everyNode, type ValueNode } from './read-values.ts'

const BEGIN = '<!-- values: made from values.yaml -->'
const END = '<!-- end of values -->'

/** The README with the table of values put in between its two marks. */
export function withValuesTable(readme: string, nodes: readonly ValueNode[]): string {
  const [before, rest] = readme.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`Cannot put the table of values into the README: it needs the lines "${BEGIN}" and "${END}".`)
  return `${before}${BEGIN}\n${printValuesTable(nodes)}\n${END}${after}`
}

/** A row for each value that can be set by itself. */
export function printValuesTable(nodes: readonly ValueNode[]): string {
  const rows = everyNode(nodes).filter(isWorthARow).map(printRow)
  return ['| value | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

function isWorthARow({ about, children }: ValueNode): boolean {
  return children.length === 0 || about !== ''
}

function printRow({ path, value, about, tags, children }: ValueNode): string {
  const shown = children.length > 0 ? '' : code(value)
  const choices = tags.choices === undefined ? '' : tags.choices.map((one) => `\`${one}\``).join(', ')
  return `| \`${path}\` | ${shown} | ${[about, choices].filter((part) => part !== '').join(' ')} |`
}

function code(value: unknown): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  const [first = ''] = text.split('\n')
  return `\`${first.replaceAll('|', '\\|')}${text.trimEnd().includes('\n') ? ' …' : ''}\``
}
