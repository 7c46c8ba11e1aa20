/** What is known of the ControllerRevisions of a NodeSet. */
export interface RevisionFacts {
  /** The revision that the spec asks for: its data as Go would print it. */
  readonly wantedJson: string
  /** All revisions controlled by this NodeSet, and orphans that match it. */
  readonly existing: readonly Revision[]
}

/** One ControllerRevision. */
export interface Revision {
  readonly name: string
  readonly number: number
  readonly createdAtMs: number | undefined
  /** Its hash label; empty if it has none. */
  readonly hash: string
  readonly data: unknown
  readonly isOrphan: boolean
}
