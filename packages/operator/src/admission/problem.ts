import type { Problem } from '@slurm-operator/api'

/** An error: the request is refused. The problem goes on after "it", the advice is a whole sentence. */
export function refuse(path: string, problem: string, advice: string): Problem {
  return { path, problem: `it ${problem}`, advice, severity: 'error' }
}

/** A warning: legal, but its author should know. */
export function warn(path: string, problem: string, advice: string): Problem {
  return { path, problem: `it ${problem}`, advice, severity: 'warning' }
}

/** A list with this problem if there is one: rules put such lists together. */
export function when(isWrong: boolean, problem: () => Problem): readonly Problem[] {
  return isWrong ? [problem()] : []
}

/** A value as people wrote it, short enough for a sentence. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
