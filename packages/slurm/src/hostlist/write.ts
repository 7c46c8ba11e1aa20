import { expandHostlist, HostlistError, LARGEST_RANGE, readHostlist } from './expand.ts'
import { cutHostName, type HostName } from './hostname.ts'
import { compareNaturally } from './natural-order.ts'

/** Names with the same prefix that follow each other in the list: `gpu-[001-003,7]`. */
interface Group {
  readonly prefix: string
  /** The digits of the first and last name of each range; none for a name that does not end in digits. */
  readonly ranges: [first: string, last: string][]
  lastValue: number
}

/** Write names as `scontrol show hostlist` does: order and repetitions kept, neighbours folded into ranges. */
export function writeHostlist(names: Iterable<string>): string {
  const hosts: HostName[] = []
  for (const name of names) hosts.push(cutHostName(checked(name)))
  return writeHosts(hosts)
}

/**
 * Write a set of names as `scontrol show hostlistsorted` does. Where widths are mixed (`7` and `007`), Slurm's text also
 * depends on the order it met the names in; ours does not: the same set always gives the same text.
 */
export function writeSortedHostlist(names: Iterable<string>): string {
  return writeHostlist(sortHostNames(new Set(names)))
}

/** The order Slurm sorts names in: `n2`, `n10`, `n002`. */
export function sortHostNames(names: Iterable<string>): string[] {
  const hosts: HostName[] = []
  for (const name of names) hosts.push(cutHostName(name))
  return hosts.sort(compareHosts).map(({ prefix, digits }) => prefix + digits)
}

/** The same hosts, whatever the form of the lists. False when one of them cannot be read. */
export function sameHosts(one: string, other: string): boolean {
  const [left, right] = [readHostlist(one), readHostlist(other)]
  if (left.kind === 'unreadable' || right.kind === 'unreadable') return false
  const names = new Set(left.names)
  const others = new Set(right.names)
  return names.size === others.size && names.isSubsetOf(others)
}

/** A hostlist in the one form that all writings of the same set have: sorted, each name once. */
export function normalizeHostlist(text: string): string {
  return writeSortedHostlist(expandHostlist(text))
}

function writeHosts(hosts: readonly HostName[]): string {
  const groups: Group[] = []
  for (const host of hosts) {
    const group = groups.at(-1)
    if (group !== undefined && host.digits !== '' && group.prefix === host.prefix && group.ranges.length > 0) {
      addToGroup(group, host)
    } else groups.push(newGroup(host))
  }
  return groups.map(writeGroup).join(',')
}

function newGroup({ prefix, digits, value }: HostName): Group {
  return { prefix, ranges: digits === '' ? [] : [[digits, digits]], lastValue: value }
}

/** A number goes on with a range if it is the next one, written as the padding of the range's first would have it. */
function addToGroup(group: Group, { digits, value }: HostName): void {
  const range = group.ranges.at(-1)
  const isNext = value === group.lastValue + 1
  if (range && isNext && isWrittenLike(digits, range[0], value) && hasRoom(range[0], value)) range[1] = digits
  else group.ranges.push([digits, digits])
  group.lastValue = value
}

function isWrittenLike(digits: string, first: string, value: number): boolean {
  return digits.length === first.length || (digits.length > first.length && digits.length === String(value).length)
}

/** Slurm refuses to read a longer range, so none is written. */
function hasRoom(first: string, value: number): boolean {
  return value - Number(first) < LARGEST_RANGE
}

function writeGroup({ prefix, ranges }: Group): string {
  const written = ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`))
  const [only] = ranges
  if (ranges.length <= 1 && only?.[0] === only?.[1]) return prefix + (only?.[0] ?? '')
  return `${prefix}[${written.join(',')}]`
}

/** Slurm's order: naturally by prefix, names without a number first; then by width, so that `7` comes before `007`; then by value. */
function compareHosts(one: HostName, other: HostName): number {
  if (one.prefix !== other.prefix) return compareNaturally(one.prefix, other.prefix)
  return one.digits.length - other.digits.length || one.value - other.value
}

function checked(name: string): string {
  if (name !== '' && !/[\s,[\]]/.test(name)) return name
  throw new HostlistError(
    `Cannot write a hostlist: "${name}" is no host name. Names have no blanks, commas or brackets.`,
  )
}
