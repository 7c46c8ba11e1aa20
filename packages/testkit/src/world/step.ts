import type { HttpRequest } from '@slurm-operator/kube'

/** One call of a process to the outside, before anything has happened. Steps are numbered through the whole world. */
export interface Step {
  readonly number: number
  /** Who calls. */
  readonly process: string
  /** Whom, such as `kubernetes`. */
  readonly target: string
  readonly method: HttpRequest['method']
  readonly path: string
  readonly body: string | undefined
  readonly use: HttpRequest['use']
}

/** One line of a watch on its way to a process. Messages have numbers of their own. */
export interface Message {
  readonly number: number
  /** The call that began the watch. */
  readonly step: Step
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  readonly type: string
  /** Namespace and name of the object, if it has them. */
  readonly key: string
  readonly resourceVersion: string
  readonly line: string
}

/** Whether a step means to change something. */
export function isWrite({ method }: Pick<Step, 'method'>): boolean {
  return method !== 'GET'
}

/** What a line of a watch is about, read when somebody asks: most lines are delivered unread. */
export function readMessage(line: string, step: Step, number: number): Message {
  let known: Omit<Message, 'number' | 'step' | 'line'> | undefined
  const read = () => (known ??= describeLine(line))
  return {
    ...{ number, step, line },
    get type() {
      return read().type
    },
    get key() {
      return read().key
    },
    get resourceVersion() {
      return read().resourceVersion
    },
  }
}

/** A line that cannot be read is told as it is. */
function describeLine(line: string): Omit<Message, 'number' | 'step' | 'line'> {
  const { type = 'UNREADABLE', object } = parse(line)
  const { name = '', namespace, resourceVersion = '' } = object?.metadata ?? {}
  return { type, resourceVersion, key: namespace === undefined ? name : `${namespace}/${name}` }
}

interface WatchLine {
  readonly type?: string
  readonly object?: {
    readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly resourceVersion?: string }
  }
}

function parse(line: string): WatchLine {
  try {
    return JSON.parse(line) as WatchLine
  } catch {
    return {} // whoever reads the stream will say so
  }
}
