import { settled, type Outcome } from '../outcome/outcome.ts'
import type { StatusResult } from './status-writer.ts'

/** Time for the cache to hear what the other one wrote. */
const AFTER_CONFLICT_SECONDS = 1

/** What writing the status means for the key: what could not be said now is said by a later pass. */
export function outcomeOfStatus(result: StatusResult<unknown>): Outcome {
  switch (result.kind) {
    case 'unchanged':
    case 'written':
    case 'gone':
      return settled
    case 'later':
      return { kind: 'look-again', inSeconds: result.inMs / 1000 }
    case 'conflict':
      return { kind: 'look-again', inSeconds: AFTER_CONFLICT_SECONDS }
  }
}
