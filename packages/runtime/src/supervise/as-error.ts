/** Whatever was thrown, as an error. JavaScript lets people throw anything. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  return new Error(typeof thrown === 'string' ? thrown : 'something that is no error was thrown', { cause: thrown })
}

const bugs: ReadonlySet<string> = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'AssertionError',
])

/** Whether an error tells of a mistake in the program rather than of a misfortune: what Go calls a panic. */
export function isBug(error: Error): boolean {
  return bugs.has(error.name)
}
