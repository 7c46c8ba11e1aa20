import { asError } from '../supervise/as-error.ts'

const DEEPEST_CAUSE = 10

/** What a line says about an error. */
export interface ErrorDescription {
  readonly error: string
  /** The causes, from the nearest to the first. */
  readonly causes?: readonly string[]
  /** Of an error that stands for several. */
  readonly errors?: readonly string[]
  readonly stack?: string
}

/** The error, everything it came from, and where. */
export function describeError(thrown: unknown): ErrorDescription {
  const error = asError(thrown)
  const chain = causesOf(error)
  const parts = error instanceof AggregateError ? error.errors.map((part: unknown) => textOf(asError(part))) : []
  return {
    error: textOf(error),
    ...(chain.length > 0 && { causes: chain.map(textOf) }),
    ...(parts.length > 0 && { errors: parts }),
    ...(typeof error.stack === 'string' && { stack: error.stack }),
  }
}

function causesOf(error: Error): Error[] {
  const chain: Error[] = []
  let next: unknown = error.cause
  while (next !== undefined && next !== null && chain.length < DEEPEST_CAUSE) {
    const cause = asError(next)
    if (cause === error || chain.includes(cause)) break // a circle
    chain.push(cause)
    next = cause === next ? cause.cause : undefined
  }
  return chain
}

/** The message says it all for our own errors; for those of others the name helps. */
function textOf({ name, message }: Error): string {
  if (message === '') return name
  return name === 'Error' || message.startsWith('Cannot ') ? message : `${name}: ${message}`
}
