/** How the program ends. */
export interface Ending {
  readonly code: ExitCode
  /** For people. */
  readonly because: string
  readonly error?: Error
}

/**
 * What the number means to whoever started us:
 * 0 we were asked to stop and did, 1 something failed or did not stop in time, 2 the flags make no sense.
 */
type ExitCode = 0 | 1 | 2
