import { KubeError } from '../errors/kube-error.ts'

/** The error for credentials and addresses that cannot be used. `detail` says what to do. */
export function misconfigured(request: string, detail: string, cause?: unknown): KubeError {
  return new KubeError({ reason: 'Misconfigured', request, detail }, cause)
}

/** The short name of an error of the operating system, such as `EACCES`. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}
