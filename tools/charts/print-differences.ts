/** An entry of the list of differences that are wanted; only what the page tells. */
interface Allowance {
  readonly case?: string
  readonly object?: string
  readonly path?: string
  readonly reason: string
}

/** Where the reason stands in the specification; readers of the page do not have it. */
const CHAPTER = / \([a-z]+ \d+\)$/

const HEAD = `# What our charts render differently

Made from \`compat/allow-charts.json\`. Every recorded case of the reference charts (release 1.3.0-rc1) is rendered with ours
and compared field by field; what is not in this table is the same.
`

/** The page that tells, from the list of allowed differences. */
export function printDifferences(allowList: string): string {
  const { allow } = JSON.parse(allowList) as { readonly allow: readonly Allowance[] }
  const reasons = [...new Set(allow.map(({ reason }) => reason))]
  const rows = reasons.map((reason) =>
    printRow(
      reason,
      allow.filter((one) => one.reason === reason),
    ),
  )
  return [HEAD, '| what is different, and why | where |', '|---|---|', ...rows, ''].join('\n')
}

function printRow(reason: string, entries: readonly Allowance[]): string {
  const places = new Set(
    entries.map(({ object = '*', path = '' }) => `\`${path === '' ? object : `${object} ${path}`}\``),
  )
  return `| ${reason.replace(CHAPTER, '')} | ${[...places].join('<br>')} |`
}
