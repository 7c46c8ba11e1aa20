/** Something about an object that its author should know: what an error says stops the request, a warning does not. */
export interface Problem {
  /** The field, as people write it: `spec.updateStrategy.type`. */
  readonly path: string
  /** What is wrong with it, as the end of the sentence "This field …". */
  readonly problem: string
  /** What to write instead: a whole sentence. */
  readonly advice: string
  readonly severity: 'error' | 'warning'
}

/** An error. */
export function refuse(path: string, problem: string, advice: string): Problem {
  return { path, problem, advice, severity: 'error' }
}

/** A warning. */
export function warn(path: string, problem: string, advice: string): Problem {
  return { path, problem, advice, severity: 'warning' }
}

/** A list with this problem if there is one: rules put such lists together. */
export function when(isWrong: boolean, problem: () => Problem): readonly Problem[] {
  return isWrong ? [problem()] : []
}

/** A problem as people read it. */
export function printProblem({ path, problem, advice }: Problem): string {
  return `${path} ${problem}. ${advice}`
}

/** A value as people wrote it, short enough for a sentence. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
