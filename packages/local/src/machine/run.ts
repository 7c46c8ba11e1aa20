/**
 * Running a command to its end: with a deadline, and with an error that a person can act on.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

/** How to run a command. `timeoutMs` has no default, because a wait without an end is a stall. */
export interface RunOptions {
  readonly timeoutMs: number
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly input?: string
  /** A long step: the kernel ends it when we die, so that it does not go on unseen. */
  readonly endsWithUs?: boolean
  /** Output is appended here as well, so that a failed step can be read afterwards. */
  readonly logFile?: string
  /** Called for each complete line of either stream, to show how far a long step is. */
  readonly onLine?: (line: string) => void
}

/** What a finished command printed. */
export interface RunResult {
  readonly stdout: string
  readonly stderr: string
}

/** A command that ended badly, did not end in time, or could not be started. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string

  constructor(command: readonly string[], ending: string, output: RunResult & { exitCode?: number | undefined }) {
    super(`Cannot run \`${shorten(command.join(' '), 200)}\`: ${ending}${tailOf(output)}`)
    this.exitCode = output.exitCode
    this.stdout = output.stdout
    this.stderr = output.stderr
  }
}

/** Run a command and give back what it printed; throws `RunError` unless it exits with 0. */
export async function run(command: readonly string[], options: RunOptions): Promise<RunResult> {
  const [program = '', ...args] = options.endsWithUs ? endingWithUs(command) : command
  const output = { stdout: '', stderr: '' }
  const child = spawn(program, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: options.env === undefined ? process.env : { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: options.timeoutMs,
    killSignal: 'SIGKILL',
  })
  child.stdin.on('error', ignoreClosedPipe)
  child.stdin.end(options.input ?? '')
  for (const stream of ['stdout', 'stderr'] as const) collect(child[stream], output, stream, options)
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new RunError(command, cause.message, output)))
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(output)
      const ending = signal === null ? `it ended with ${code}` : `it was ended by ${signal}${lateness(signal, options)}`
      reject(new RunError(command, ending, { ...output, exitCode: code ?? undefined }))
    })
  })
}

/**
 * The same command, ended by the kernel when this process dies. The death signal survives exec but not fork, so setpriv
 * becomes the command; what that starts itself is not covered. If we died before setpriv asked for the signal, it never
 * comes: then the command does not begin.
 */
export function endingWithUs(command: readonly string[]): string[] {
  const unlessOrphan = 'test "$PPID" = "$0" && exec "$@"'
  return ['setpriv', '--pdeathsig', 'KILL', '--', 'sh', '-c', unlessOrphan, String(process.pid), ...command]
}

/** Whether a command succeeds; for questions to which "no" is an ordinary answer. */
export async function succeeds(command: readonly string[], options: RunOptions): Promise<boolean> {
  return run(command, options).then(
    () => true,
    () => false,
  )
}

function collect(
  stream: NodeJS.ReadableStream,
  output: { stdout: string; stderr: string },
  name: 'stdout' | 'stderr',
  { logFile, onLine }: RunOptions,
): void {
  const decoder = new StringDecoder('utf8')
  let unfinished = ''
  stream.on('data', (chunk: Buffer) => {
    const text = decoder.write(chunk)
    output[name] += text
    if (logFile !== undefined) appendFileSync(logFile, text)
    if (onLine === undefined) return
    const lines = (unfinished + text).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}

function lateness(signal: NodeJS.Signals, { timeoutMs }: RunOptions): string {
  return signal === 'SIGKILL' ? ` (the limit is ${Math.round(timeoutMs / 1000)} s)` : ''
}

function tailOf({ stdout, stderr }: RunResult): string {
  const lines = (stderr.trim() || stdout.trim()).split('\n').slice(-6).join('\n  ')
  return lines === '' ? '' : `\n  ${shorten(lines, 2000)}`
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}

// A command may end without reading its input: that is its business, not an accident of ours.
function ignoreClosedPipe(): void {}
