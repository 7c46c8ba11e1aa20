/** A member of a heap and what it is sorted by; `sequence` decides between equal ranks, so the order is never chance. */
interface Member {
  readonly key: string
  readonly rank: number
  readonly sequence: number
  place: number
}

/**
 * Keys in the order of their rank. Any of them can be taken out or put elsewhere at once, so what is no longer wanted
 * leaves no trace: a wish for next month that became a wish for today must not occupy memory until next month.
 */
export class KeyedHeap {
  readonly #heap: Member[] = []
  readonly #members = new Map<string, Member>()

  get size(): number {
    return this.#heap.length
  }

  /** Put a key in, or somewhere else if it is in already. */
  set(key: string, rank: number, sequence: number): void {
    const before = this.#members.get(key)
    if (before?.rank === rank && before.sequence === sequence) return
    if (before !== undefined) this.remove(key)
    const member = { key, rank, sequence, place: this.#heap.length }
    this.#members.set(key, member)
    this.#heap.push(member)
    this.#rise(member)
  }

  /** The first key and its rank. */
  peek(): { readonly key: string; readonly rank: number } | undefined {
    return this.#heap[0]
  }

  /** Take a key out, if it is in. */
  remove(key: string): void {
    const member = this.#members.get(key)
    if (member === undefined) return
    this.#members.delete(key)
    const last = this.#heap.pop()
    if (last === undefined || last === member) return
    this.#put(last, member.place) // the last one fills the gap, and then goes where it belongs
    this.#rise(last)
    this.#sink(last)
  }

  clear(): void {
    this.#heap.length = 0
    this.#members.clear()
  }

  #rise(member: Member): void {
    while (member.place > 0) {
      const parent = this.#heap[(member.place - 1) >> 1]
      if (parent === undefined || !isBefore(member, parent)) return
      this.#swap(member, parent)
    }
  }

  #sink(member: Member): void {
    for (;;) {
      const left = this.#heap[2 * member.place + 1]
      const right = this.#heap[2 * member.place + 2]
      const child = left !== undefined && right !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || !isBefore(child, member)) return
      this.#swap(member, child)
    }
  }

  #swap(one: Member, other: Member): void {
    const { place } = one
    this.#put(one, other.place)
    this.#put(other, place)
  }

  #put(member: Member, place: number): void {
    this.#heap[place] = member
    member.place = place
  }
}

function isBefore(one: Member, other: Member): boolean {
  return one.rank === other.rank ? one.sequence < other.sequence : one.rank < other.rank
}
