/** Something a user wrote that cannot be carried out. It is data: one bad field must never stop a loop. */
export interface Problem {
  /** Where it stands in the resource, such as `spec.slurmctld.env`. */
  readonly path: string
  /** What is wrong and what to do, in words for people. */
  readonly problem: string
  /** A warning leaves out one thing and goes on; without it nothing may be written until a person has helped. */
  readonly severity?: 'warning'
}

/** What was built, and what could not be. With problems the value is the best that could be done, for display only. */
export interface Built<T> {
  readonly value: T
  readonly problems: readonly Problem[]
}

/** Something that was built without a problem. */
export function built<T>(value: T): Built<T> {
  return { value, problems: [] }
}
