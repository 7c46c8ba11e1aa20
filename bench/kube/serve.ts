/**
 * Processes that do one order after the other, for the process that started them.
 *
 * @module
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A helper in a process of its own. Leaving its block ends it. */
export interface Worker<Order extends { readonly do: string }, Answers> extends AsyncDisposable {
  /** Rejects when the process ends, says that it failed, or takes too long. One order at a time. */
  readonly ask: <O extends Order>(order: O, timeoutMs: number) => Promise<Answers[O['do'] & keyof Answers]>
}

type Reply = { readonly answer: unknown } | { readonly error: string }

/** How a process may be started differently. */
export interface WorkerOptions {
  /** Flags of Node. */
  readonly flags?: readonly string[]
  /** Below zero: before others, where we may. */
  readonly niceness?: number
  /** A folder in which Node keeps what it has made of the sources, so that the next process need not make it again. */
  readonly compileCache?: string
}

/** Start a program of this folder as such a process. Its errors are seen on ours; the signal ends every wait for it. */
export function startWorker<Order extends { readonly do: string }, Answers>(
  program: string,
  parameters: readonly string[],
  signal: AbortSignal,
  { flags = [], niceness = 0, compileCache }: WorkerOptions = {},
): Worker<Order, Answers> {
  const child = fork(join(import.meta.dirname, program), parameters, {
    execPath: 'nice',
    execArgv: ['-n', String(niceness), process.execPath, ...flags],
    env: { ...process.env, ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }) },
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  const over = new AbortController()
  const ended = once(child, 'exit').then(
    ([code, by]) => over.abort(new Error(`Cannot go on: ${program} has ended with ${code ?? by}.`)),
    (error: unknown) => over.abort(error), // it could not be started
  )
  return {
    async ask(order, timeoutMs) {
      const late = new Error(`Cannot go on: ${program} did not ${order.do} within ${timeoutMs / 1000} s.`)
      const reply = await replyTo(child, order, { ends: [signal, over.signal], timeoutMs, late })
      if ('error' in reply) throw new Error(`Cannot ${order.do} in ${program}: ${reply.error}`)
      return reply.answer as never
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL') // it holds nothing that would have to be put away
      await ended
    },
  }
}

interface Limits {
  readonly ends: readonly AbortSignal[]
  readonly timeoutMs: number
  readonly late: Error
}

async function replyTo(child: ChildProcess, order: object, { ends, timeoutMs, late }: Limits): Promise<Reply> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(late), timeoutMs)
  const signal = AbortSignal.any([...ends, deadline.signal])
  try {
    signal.throwIfAborted()
    child.send(order)
    const [reply] = (await once(child, 'message', { signal })) as [Reply]
    return reply
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** How each order is carried out. */
type Handlers<Order extends { readonly do: string }, Answers> = {
  readonly [K in Order['do'] & keyof Answers]: (order: Extract<Order, { readonly do: K }>) => Promise<Answers[K]>
}

/** In such a process: do what is ordered, until the other side is gone. */
export function serve<Order extends { readonly do: string }, Answers>(handlers: Handlers<Order, Answers>): void {
  const perform = handlers as unknown as Readonly<Record<string, (order: Order) => Promise<unknown>>>
  process.on('SIGINT', () => {}) // Ctrl-C reaches all of a terminal; it is for our parent to decide
  process.once('disconnect', () => process.exit())
  process.on('message', (order: Order) => void carryOut(order, perform[order.do]))
}

async function carryOut<Order>(order: Order, perform?: (order: Order) => Promise<unknown>): Promise<void> {
  try {
    reply({ answer: await perform?.(order) })
  } catch (error) {
    reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function reply(message: Reply): void {
  process.send?.(message)
}
