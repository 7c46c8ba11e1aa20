import type { Clock } from '@slurm-operator/kube'
import type { RandomSource } from '../random/random-source.ts'
import type { Admission } from './admission/admission.ts'
import type { Registry } from './resources/registry.ts'
import type { ReviewRules } from './verbs/review.ts'
import type { Store } from './store/store.ts'

/** Everything that the verbs of one server share. */
export interface ServerCore {
  readonly clock: Clock
  readonly random: RandomSource
  readonly store: Store
  readonly registry: Registry
  readonly admission: Admission
  readonly reviews: ReviewRules
  /** How often a watch hears that nothing happened. */
  readonly bookmarkEveryMs: number
}
