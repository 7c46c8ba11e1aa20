import { subjectAccessReviewResource, tokenReviewResource, type Client } from '@slurm-operator/kube'
import type { AccessReviews } from './authorize.ts'

/** The reviews of an API server. They need the verb create for both. */
export function createAccessReviews(client: Client): AccessReviews {
  const tokenReviews = client.resource(tokenReviewResource)
  const accessReviews = client.resource(subjectAccessReviewResource)
  return {
    async reviewToken(token, signal) {
      const review = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        metadata: {},
        spec: { token },
      } as const
      const { status } = await tokenReviews.create(review, { signal })
      const { username, uid, groups = [], extra = {} } = status?.user ?? {}
      if (status?.authenticated !== true || username === undefined) return undefined
      return { username, groups, extra, ...(uid !== undefined && { uid }) }
    },
    async mayGet({ username, uid, groups = [], extra = {} }, path, signal) {
      const copied = Object.fromEntries(Object.entries(extra).map(([name, values]) => [name, [...values]]))
      const { status } = await accessReviews.create(
        {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          metadata: {},
          spec: {
            user: username,
            groups: [...groups],
            extra: copied,
            nonResourceAttributes: { path, verb: 'get' },
            ...(uid !== undefined && { uid }),
          },
        },
        { signal },
      )
      return status?.allowed === true && status.denied !== true
    },
  }
}
