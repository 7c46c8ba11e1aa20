import type { RandomSource } from '../../random/random-source.ts'
import type { ApiObject, DraftObject } from '../objects/api-object.ts'
import type { Cause } from '../objects/failure.ts'

/** What a built-in kind does beyond what all kinds do. */
export interface KindRules {
  /** Defaults, on every write. Whoever writes owns them. */
  readonly fill?: (object: DraftObject) => DraftObject
  /** What the server adds by itself when an object begins. Nobody owns it. */
  readonly begin?: (object: DraftObject, random: RandomSource) => DraftObject
  /** What an update cannot change, taken over from before. */
  readonly keep?: (object: DraftObject, old: ApiObject) => DraftObject
  readonly validate?: (object: DraftObject, old: ApiObject | undefined) => Cause[]
}
