import { run } from '../machine/run.ts'

/** How long a call may take, and what it reads. */
export interface KubectlOptions {
  readonly timeoutMs?: number
  readonly input?: string
}

/** Call kubectl and return what it printed. */
export type Kubectl = (args: readonly string[], options?: KubectlOptions) => Promise<string>

/** kubectl for one cluster. */
export function kubectlFor(program: string, kubeconfig: string): Kubectl {
  return async (args, { timeoutMs = 120_000, input } = {}) => {
    const { stdout } = await run([program, '--kubeconfig', kubeconfig, ...args], {
      timeoutMs,
      ...(input === undefined ? {} : { input }),
    })
    return stdout
  }
}

/** Where a command is run. */
export interface PodPlace {
  readonly pod: string
  readonly namespace?: string
  readonly container?: string
}

/** Run a command in a pod and return what it printed. */
export async function execIn(
  kubectl: Kubectl,
  place: PodPlace,
  command: readonly string[],
  options?: KubectlOptions,
): Promise<string> {
  const container = place.container === undefined ? [] : ['-c', place.container]
  const input = options?.input === undefined ? [] : ['-i']
  return kubectl(
    ['exec', ...input, '-n', place.namespace ?? 'default', place.pod, ...container, '--', ...command],
    options,
  )
}
