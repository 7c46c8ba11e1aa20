/**
 * Do something for the numbers from 0 up to, not including, `count`: several at a time, begun in this order, until
 * `goOn` says no. How many it were. After an error nothing new is begun; it is thrown when all that was begun is done.
 */
export async function inParallel(
  {
    count,
    atOnce,
    goOn = () => true,
  }: { readonly count: number; readonly atOnce: number; readonly goOn?: () => boolean },
  work: (number: number) => Promise<unknown>,
): Promise<number> {
  const state = { next: 0, errors: [] as unknown[] }
  const lane = async () => {
    while (state.next < count && state.errors.length === 0 && goOn())
      await work(state.next++).catch((error: unknown) => state.errors.push(error))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane))
  if (state.errors.length > 0) throw state.errors[0]
  return state.next
}
