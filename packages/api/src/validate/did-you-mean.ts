/** The word that was probably meant, if one is near enough to be sure that the other is a slip. */
export function findNearest(written: string, words: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(written.length / 4))
  let nearest: string | undefined
  let least = limit + 1
  for (const word of words) {
    if (Math.abs(word.length - written.length) > limit) continue
    const distance = countSlips(written.toLowerCase(), word.toLowerCase())
    if (distance < least) [nearest, least] = [word, distance]
  }
  return nearest
}

/** How many letters were left out, added, changed or swapped with their neighbour. */
export function countSlips(one: string, other: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
      )
    }
    ;[beforeLast, last] = [last, current]
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
