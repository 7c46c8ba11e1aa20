/**
 * The order that Slurm sorts names in: `n9x` before `n10x`, because runs of digits count as numbers. A run that begins
 * with a zero counts as a fraction instead, so that `n05x` comes before `n1x`.
 */
export function compareNaturally(one: string, other: string): number {
  let [at, there] = [0, 0]
  for (;;) {
    const [left, right] = [one.charCodeAt(at), other.charCodeAt(there)]
    if (isDigit(left) && isDigit(right)) {
      const order = compareRuns(runAt(one, at), runAt(other, there))
      if (order !== 0) return order
    }
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(right)) - Number(Number.isNaN(left))
    if (left !== right) return left - right
    at++
    there++
  }
}

function compareRuns(one: string, other: string): number {
  const isFraction = one.startsWith('0') || other.startsWith('0')
  if (!isFraction && one.length !== other.length) return one.length - other.length
  if (one === other) return 0
  return one < other ? -1 : 1
}

function runAt(text: string, start: number): string {
  let end = start
  while (isDigit(text.charCodeAt(end))) end++
  return text.slice(start, end)
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
