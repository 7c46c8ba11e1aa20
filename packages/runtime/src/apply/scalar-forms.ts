import { findTime, isPodQuantity, leadsTo, parseQuantity, QuantityError, type FieldNames } from '@slurm-operator/kube'

type Scalar = string | number | boolean | bigint

/** Where amounts stand besides those of pods. Free-form maps such as labels hold plain texts, so nothing in them may match. */
const quantities: readonly FieldNames[] = [
  ['resources', 'capacity', '*'],
  ['spec', 'capacity', '*'],
  ['spec', 'hard', '*'],
]
const bytes: readonly FieldNames[] = [
  ['binaryData', '*'],
  ['clientConfig', 'caBundle'],
]
const times: readonly FieldNames[] = [
  ['spec', 'acquireTime'],
  ['spec', 'renewTime'],
  ['status', '*Time'],
]

/** Whether the server stores both the same way: `1000m` and `1` are one amount, padding does not change bytes. */
export function equalScalars(wanted: Scalar, live: Scalar, at: FieldNames, type: string): boolean {
  if (wanted === live) return true
  if (typeof wanted === 'bigint' || typeof live === 'bigint') return String(wanted) === String(live)
  if (isPodQuantity(at) || isAmong(quantities, at)) return equalQuantities(wanted, live)
  if (typeof wanted !== 'string' || typeof live !== 'string') return false
  if (isAmong(bytes, at) || (type === 'v1 Secret' && at.length === 2 && at[0] === 'data'))
    return equalBytes(wanted, live)
  return isAmong(times, at) && equalTimes(wanted, live)
}

function isAmong(patterns: readonly FieldNames[], at: FieldNames): boolean {
  return patterns.some((pattern) => leadsTo(at, pattern))
}

function equalQuantities(wanted: Scalar, live: Scalar): boolean {
  const [one, other] = [nanosOf(wanted), nanosOf(live)]
  return one !== undefined && one === other
}

/** What is no amount is refused by the server, not by us. */
function nanosOf(value: Scalar): bigint | undefined {
  try {
    return typeof value === 'string' || typeof value === 'number' ? parseQuantity(value).nanos : undefined
  } catch (error) {
    if (error instanceof QuantityError) return undefined
    throw error
  }
}

function equalBytes(wanted: string, live: string): boolean {
  return Buffer.from(wanted, 'base64').equals(Buffer.from(live, 'base64'))
}

function equalTimes(wanted: string, live: string): boolean {
  const atMs = findTime(wanted)
  return atMs !== undefined && atMs === findTime(live)
}
