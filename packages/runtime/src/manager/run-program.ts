import { createLogger, type Logger } from '../logging/logger.ts'
import { asError } from '../supervise/as-error.ts'
import { systemClock } from '@slurm-operator/kube'
import type { Ending } from './ending.ts'

/** The part of `process` that a program needs; tests give another one. */
interface Host {
  readonly on: (event: HostEvent, listener: (detail: unknown) => void) => unknown
  readonly exit: (code: number) => void
}

/** What a host tells. */
type HostEvent = 'SIGTERM' | 'SIGINT' | 'uncaughtException' | 'unhandledRejection'

/** What a program is given. */
interface ProgramTools {
  /** Aborted by the first SIGTERM or SIGINT. */
  readonly asked: AbortSignal
  /** Use this logger for what nobody else could tell; by default one with the default settings. */
  readonly useLogger: (log: Logger) => void
}

/**
 * Run a program from its first line to its exit code. The first signal asks it to stop, the second ends it at once. An
 * error that nobody caught ends it too, with a text: what is true after it is unknown.
 */
export async function runProgram(
  program: (tools: ProgramTools) => Promise<Ending>,
  host: Host = process,
): Promise<void> {
  let log = createLogger({ clock: systemClock })
  listen(host, () => log)
  try {
    const ending = await program({ asked: listenForSignals(host, () => log), useLogger: (chosen) => (log = chosen) })
    if (ending.code === 0) log.info('the program ends', { because: ending.because })
    else log.error('the program ends', { because: ending.because, exitCode: ending.code })
    host.exit(ending.code)
  } catch (error) {
    log.error('the program cannot start', { error })
    host.exit(1)
  }
}

function listen(host: Host, log: () => Logger): void {
  const end = (what: string) => (thrown: unknown) => {
    log().error(`the program ends: ${what}. This is a bug, please report it.`, { error: asError(thrown) })
    host.exit(1)
  }
  host.on('uncaughtException', end('an error was thrown that nobody caught'))
  host.on('unhandledRejection', end('something failed that nobody waited for'))
}

function listenForSignals(host: Host, log: () => Logger): AbortSignal {
  const asked = new AbortController()
  const hear = (name: HostEvent) => {
    if (asked.signal.aborted) {
      log().info(`the program ends at once because of a second signal, ${name}`)
      host.exit(1)
    }
    asked.abort()
  }
  host.on('SIGTERM', () => hear('SIGTERM'))
  host.on('SIGINT', () => hear('SIGINT'))
  return asked.signal
}
