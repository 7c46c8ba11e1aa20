import { buildConditions } from './build-pod.ts'
import { MARK, ROUND } from './marks.ts'

/** One merge patch, for the object or for its status. */
export interface Update {
  readonly part: 'metadata' | 'status'
  readonly body: object
}

/** The update of this number. All pods get one each before any gets the next; labels and conditions take turns. */
export function buildUpdate(number: number, pods: number, mark: string): Update {
  const round = Math.floor(number / pods) + 1
  if (round % 2 === 1) return { part: 'metadata', body: { metadata: { labels: { [ROUND]: `${mark}-${round}` } } } }
  const conditions = buildConditions(`idle, waiting for jobs of round ${mark}-${round}`)
  return { part: 'status', body: { status: { conditions } } }
}

/** The very last update. */
export function buildMark(mark: string): object {
  return { metadata: { labels: { [MARK]: mark } } }
}
