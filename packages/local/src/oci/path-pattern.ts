/** Tells whether a path is meant. */
export type PathTest = (path: string) => boolean

/** A test for any of the patterns: `*` and `?` stay within a name, `**` does not; everything else is literal. */
export function matchesAny(patterns: readonly string[]): PathTest {
  const tests = patterns.map(toRegExp)
  return (path) => tests.some((test) => test.test(path))
}

/** Whether a pattern may mean more than one path. */
export function isGlob(pattern: string): boolean {
  return /[*?]/.test(pattern)
}

function toRegExp(pattern: string): RegExp {
  const source = pattern.replace(/\*\*|[*?]|[^*?]+/g, (part) => wildcards[part] ?? RegExp.escape(part))
  return new RegExp(`^${source}$`, 'su')
}

const wildcards: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '[^/]' }
