/**
 * Which test shows which numbered case of NodeSets, read from the names of the tests.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'

const PACKAGES = new URL('../../../packages/', import.meta.url)
const CASES = 483

/** A test, or a row of a table of tests. */
interface Shown {
  readonly file: string
  readonly name: string
}

/** The table, and what is not in it. */
export function nodeSetCasesPage(made: string): string {
  const shown = findCases()
  const all = Array.from({ length: CASES }, (_, index) => `NS-${String(index + 1).padStart(3, '0')}`)
  const rows = all.flatMap((id) => {
    const tests = shown.get(id)
    return tests === undefined ? [] : [`| ${id} | ${[...new Set(tests.map(printShown))].sort().join('<br>')} |`]
  })
  const missing = all.filter((id) => !shown.has(id))
  const rest = missing.length === 0 ? 'Every case is shown.' : `No test is named after ${missing.join(', ')}.`
  return `# Cases of NodeSets, and the tests that show them
${made}

What NodeSets must do is written down in ${CASES} cases. Files are in \`packages/\`; a name with \`$\` or \`%\` is that of
a table of tests. ${rest}

| case | shown by |
|---|---|
${rows.join('\n')}`
}

function printShown({ file, name }: Shown): string {
  return name === '' ? `\`${file}\`` : `\`${file}\` “${name.replaceAll('|', String.raw`\|`)}”`
}

function findCases(): Map<string, Shown[]> {
  const found = new Map<string, Shown[]>()
  for (const file of listTestFiles()) {
    for (const { ids, name } of readCases(readFileSync(new URL(file, PACKAGES), 'utf8'))) {
      for (const id of ids) found.set(id, [...(found.get(id) ?? []), { file, name }])
    }
  }
  return found
}

/** Tests, and their tables, which are called `gen…`. */
function listTestFiles(): string[] {
  const sources = readdirSync(PACKAGES).map((name) => `${name}/src`)
  const files = sources.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, PACKAGES), { recursive: true }).map((path) => `${folder}/${String(path)}`),
  )
  return files.filter((path) => /\.test\.ts$|\/gen[^/]*\.ts$/.test(path)).sort()
}

const IDS = String.raw`(?:NS|WP)-\d+(?:, (?:NS|WP)-\d+)*`

/** Texts that begin with numbers of cases. A number alone is in a table, whose tests are called as the title after it says. */
function readCases(text: string): { ids: readonly string[]; name: string }[] {
  const named = new RegExp(`(['"\`])(${IDS})(?:: (.*?))?\\1`, 'g')
  return [...text.matchAll(named)].map(({ index, 2: ids = '', 3: name }) => ({
    ids: ids.match(/NS-\d{3}/g) ?? [],
    name: name ?? titleAfter(text.slice(index)),
  }))
}

function titleAfter(text: string): string {
  return /(['"`])(?:\$id|%s|\$\{id\}):? (.*?)\1/.exec(text)?.[2] ?? ''
}
