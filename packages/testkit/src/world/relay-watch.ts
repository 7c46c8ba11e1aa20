import { type Clock, type HttpRequest, KubeError, sleep } from '@slurm-operator/kube'
import { readLines } from '../wire/read-lines.ts'
import { BytePipe } from '../wire/byte-pipe.ts'
import type { MessageFate } from './fate.ts'
import type { ProcessWithDoor } from './process.ts'
import { readMessage, type Message, type Step } from './step.ts'

/** What the relay of one watch needs. */
export interface Relay {
  readonly request: HttpRequest
  readonly step: Step
  readonly process: ProcessWithDoor
  readonly clock: Clock
  readonly judge: (message: Message) => MessageFate
  readonly nextMessage: () => number
}

/** The lines of a watch, each with its fate, as the process gets them. */
export function relayWatch(body: AsyncIterable<Uint8Array>, relay: Relay): AsyncIterable<Uint8Array> {
  const { request, process } = relay
  const { purpose, signal, idleMs } = request
  const incoming = body[Symbol.asyncIterator]()
  // Closing the incoming stream itself wakes whoever waits for its next line.
  const closed = () => void incoming.return?.()
  const pipe = new BytePipe({ clock: process.clock, purpose, signal, idleMs, closed })
  pump(readLines({ [Symbol.asyncIterator]: () => incoming }), pipe, relay).then(
    () => process.enter(() => pipe.end()),
    (error: unknown) => process.enter(() => pipe.fail(asKubeError(error, purpose))),
  )
  return pipe
}

async function pump(lines: AsyncIterable<string>, pipe: BytePipe, relay: Relay): Promise<void> {
  const push = (line: string) => relay.process.enter(() => pipe.push(`${line}\n`))
  let overtaken: string | undefined
  for await (const line of lines) {
    const message = readMessage(line, relay.step, relay.nextMessage())
    const fate = relay.judge(message)
    if (fate.do === 'overtaken') {
      overtaken = line
      continue
    }
    const goesOn = await deliver(line, fate, { push, relay })
    if (!goesOn) return
    if (overtaken !== undefined) push(overtaken)
    overtaken = undefined
  }
  if (overtaken !== undefined) push(overtaken)
}

/** False when the stream is over. */
async function deliver(
  line: string,
  fate: Exclude<MessageFate, { do: 'overtaken' }>,
  { push, relay }: { readonly push: (line: string) => void; readonly relay: Relay },
): Promise<boolean> {
  switch (fate.do) {
    case 'deliver':
      push(line)
      return true
    case 'delay':
      await sleep(relay.clock, fate.byMs)
      push(line)
      return true
    case 'hold':
      await fate.gate.opened
      push(line)
      return true
    case 'duplicate':
      push(line)
      push(line)
      return true
    case 'lose':
      return true
    case 'cut':
      throw new KubeError({
        reason: 'Unreachable',
        request: relay.request.purpose,
        detail: 'the connection broke: cut by the plan',
        mayHaveHappened: true,
      })
    case 'end':
      return false
    case 'expire':
      push(expired)
      return false
    case 'kill':
      relay.process.kill()
      return false
  }
}

const expired = JSON.stringify({
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version: expired by the plan',
    reason: 'Expired',
    code: 410,
  },
})

function asKubeError(error: unknown, purpose: string): KubeError {
  if (error instanceof KubeError) return error
  return new KubeError(
    { reason: 'Unreachable', request: purpose, detail: 'the connection broke', mayHaveHappened: true },
    error,
  )
}
