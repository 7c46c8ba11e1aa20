/** A table in Markdown. */
export function printTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, titles.map(() => '---'), ...rows.map((row) => row.map(escaped))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** What would end a cell or a line. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')
}
