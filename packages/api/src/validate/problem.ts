/** Something in an object that cannot be as its writer meant it. */
export interface Problem {
  /** Where, such as `spec.slurmctld.image`. */
  readonly path: string
  /** What is wrong. */
  readonly problem: string
  /** What to do about it. */
  readonly advice: string
  /** An error cannot be worked with; a warning is left out and all else goes on. */
  readonly severity: 'error' | 'warning'
}

/** One line for people. */
export function printProblem({ path, problem, advice }: Problem): string {
  return `${path}: ${problem}. ${advice}`
}

/** A path with one step more. */
export function below(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${path}[${JSON.stringify(step)}]`
  return path === '' ? step : `${path}.${step}`
}
