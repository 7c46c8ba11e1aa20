/**
 * How many calls to make at once: one, and twice as many after every batch without a failure. If the first call fails,
 * the other thousand are never made.
 *
 * @param count how many calls there are in all
 */
export function slowStart(count: number): number[] {
  const batches: number[] = []
  for (let left = count, size = 1; left > 0; left -= size, size *= 2) batches.push(Math.min(size, left))
  return batches
}
