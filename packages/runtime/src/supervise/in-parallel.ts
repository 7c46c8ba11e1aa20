/** Do the same for all, a few at a time, and return the answers in the order of the items. `work` must not throw. */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const left = items.entries()
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  return results
}
