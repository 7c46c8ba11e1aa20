/** A host name cut before its last digits, the only part that Slurm folds into ranges. */
export interface HostName {
  readonly prefix: string
  /** The digits as they are written, zeros in front included; empty when the name does not end in digits. */
  readonly digits: string
  readonly value: number
}

/** Cut a name. A number too large for exact arithmetic is left in the prefix: it takes part in no range. */
export function cutHostName(name: string): HostName {
  let start = name.length
  while (start > 0 && isDigit(name.charCodeAt(start - 1))) start--
  const digits = name.slice(start)
  const value = Number(digits)
  if (digits === '' || !Number.isSafeInteger(value)) return { prefix: name, digits: '', value: 0 }
  return { prefix: name.slice(0, start), digits, value }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}
