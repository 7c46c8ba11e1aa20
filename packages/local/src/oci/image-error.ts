/** Why an image could not be made, always as "Cannot …: why. What to do." */
export class ImageError extends Error {
  override readonly name = 'ImageError'

  constructor(action: string, why: string, advice: string, cause?: unknown) {
    super(`Cannot ${action}: ${why}. ${advice}`, { cause })
  }
}

const NO_PERMISSION = ['permission denied', 'Run as a user that may read and write there.'] as const

/** What the usual errors of a file system mean for somebody who packs files, and what to do about them. */
const explanations: Readonly<Record<string, readonly [why: string, advice: string]>> = {
  ENOENT: ['it is not there (any more)', 'Check the path, and let nothing change the files while they are packed.'],
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  ENOSPC: ['the disk is full', 'Make room and try again.'],
}

/** The error for a failed file operation. Aborts and errors that already explain themselves pass unchanged. */
export function explainFileError(action: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof ImageError || cause.name === 'AbortError') return cause
  const code = 'code' in cause ? String(cause.code) : ''
  const [why, advice] = explanations[code] ?? [cause.message, 'Check the file and its disk, then try again.']
  return new ImageError(action, why, advice, cause)
}
