import { planBundlePatch } from './bundle-patch.ts'
import type { BundleStore } from './stores.ts'

/**
 * Make every webhook configuration trust these authorities. Each is tried, whatever becomes of the others. `again`: one
 * is not there yet or has changed under our hands.
 */
export async function tellAuthorities(
  bundles: BundleStore,
  authorities: string,
  signal: AbortSignal,
): Promise<'all' | 'again'> {
  if (authorities === '') return 'all' // whoever keeps the Secret also tells the API server
  const targets = await bundles.read(signal)
  const failures: unknown[] = []
  let missing = Math.max(0, bundles.expected - targets.length)
  for (const target of targets) {
    const patch = planBundlePatch(target, authorities)
    if (patch === undefined) continue
    try {
      if ((await bundles.patch(target, patch, signal)) === 'conflict') missing++
    } catch (error) {
      failures.push(
        new Error(`Cannot write the authorities into ${target.kind} ${target.name}: it will be tried again.`, {
          cause: error,
        }),
      )
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Cannot tell the API server whom to trust.')
  return missing === 0 ? 'all' : 'again'
}
