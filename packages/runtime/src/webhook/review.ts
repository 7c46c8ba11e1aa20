/** The two versions of reviews; an answer has the version of its question. */
export type ReviewVersion = 'admission.k8s.io/v1' | 'admission.k8s.io/v1beta1'

/** What an API server may ask about. */
export type ReviewOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** A group, a version and a kind. */
export interface ReviewKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The question of an API server, as far as every handler can rely on it. */
export interface ReviewRequest {
  readonly uid: string
  readonly kind: ReviewKind
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string }
  readonly subResource?: string
  readonly name?: string
  readonly namespace?: string
  readonly operation: ReviewOperation
  readonly userInfo: { readonly username?: string; readonly groups?: readonly string[] }
  /** The object as it would be; none when it is deleted. Nobody has checked what is in it. */
  readonly object?: unknown
  /** The object as it is; none when it is created. */
  readonly oldObject?: unknown
  readonly options?: unknown
  readonly dryRun: boolean
}

/** A question that could be read. */
interface Review {
  readonly version: ReviewVersion
  readonly request: ReviewRequest
}

/** What came of reading a body. With a `uid` a denial can still be sent; without one only an HTTP error can. */
export type ReadReview =
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'unreadable'; readonly because: string }
  | { readonly kind: 'incomplete'; readonly because: string; readonly version: ReviewVersion; readonly uid: string }
