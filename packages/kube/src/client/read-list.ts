import type { HttpAnswer } from '../transport/http.ts'
import { emptyList } from '../transport/empty-list.ts'
import { createPace } from '../transport/pace.ts'
import { ListSplitter } from '../transport/split-list.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { ListMeta } from '../types/generated/meta-v1.ts'
import { parseBody, type Channel } from './channel.ts'

/** Objects, and the state of the server that they show. */
export interface List<T> {
  readonly items: readonly T[]
  readonly resourceVersion: string
  /** There is more: ask for the next page with it. */
  readonly continueToken?: string
  /** How many more, if the server knows. */
  readonly remaining?: number
}

/** How the items of a list are read. */
interface ListReading<T> {
  readonly revive: (item: unknown) => T
  readonly purpose: string
  readonly clock: Channel['clock']
  readonly skipManagedFields?: boolean | undefined
}

const MANAGED_FIELDS = ['metadata', 'managedFields']

/** Read the answer to a list request as it comes, item by item. */
export async function readList<T>({ body }: HttpAnswer, reading: ListReading<T>): Promise<List<T>> {
  const { revive, purpose, clock, skipManagedFields = false } = reading
  const items: T[] = []
  const pace = createPace(clock)
  const splitter = new ListSplitter((item) => {
    const text = skipManagedFields ? emptyList(item, MANAGED_FIELDS) : item
    items.push(revive(parseBody(text, { purpose })))
  })
  for await (const chunk of body) {
    splitter.push(chunk)
    const turn = pace(chunk.length)
    if (turn !== undefined) await turn
  }
  return { items, ...readMetadata(restOf(splitter, purpose), purpose) }
}

function restOf(splitter: ListSplitter, purpose: string): string {
  try {
    return splitter.end()
  } catch (error) {
    throw new KubeError({ reason: 'Malformed', request: purpose, detail: 'the list is cut off' }, error)
  }
}

function readMetadata(rest: string, purpose: string): Omit<List<never>, 'items'> {
  const { metadata = {} } = parseBody(rest, { purpose }) as { readonly metadata?: ListMeta }
  return {
    resourceVersion: metadata.resourceVersion ?? '',
    ...(metadata.continue !== undefined && metadata.continue !== '' && { continueToken: metadata.continue }),
    ...(metadata.remainingItemCount !== undefined && { remaining: metadata.remainingItemCount }),
  }
}
