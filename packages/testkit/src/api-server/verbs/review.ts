import type { JsonObject } from '@slurm-operator/kube'
import { textOf, mapAt } from '../objects/api-object.ts'
import { documentReply, type Call, type Reply } from '../requests/call.ts'
import { readObject } from '../requests/read-body.ts'

/** Who somebody is and what they may do. The server itself lets everybody do everything. */
export interface ReviewRules {
  /** The user of a token; undefined if there is none. */
  readonly userOf: (token: string) => JsonObject | undefined
  /** Whether the question of a SubjectAccessReview is answered with yes. */
  readonly isAllowed: (spec: JsonObject) => boolean
}

/** Every token is valid for nobody, and everything is allowed. */
export const lenientReviews: ReviewRules = { userOf: () => undefined, isAllowed: () => true }

/** POST of a review: nothing is stored, the answer is in its status. */
export function review(rules: ReviewRules, call: Call): Reply {
  const object = readObject(call)
  const spec = mapAt(object, 'spec')
  return documentReply(
    {
      ...object,
      status: call.type.kind === 'TokenReview' ? authenticate(rules, spec) : { allowed: rules.isAllowed(spec) },
    },
    201,
  )
}

function authenticate({ userOf }: ReviewRules, spec: JsonObject): JsonObject {
  const user = userOf(textOf(spec['token']))
  return user === undefined
    ? { authenticated: false, user: {}, error: 'invalid bearer token' }
    : { authenticated: true, user }
}
