import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Requests by verb and resource, such as `create pods` or `patch pods/status`. */
export type Requests = Readonly<Record<string, number>>

const READS = ['get', 'list', 'watch']

/** Counts the requests in an audit log from where it last stopped. */
export class RequestCounter {
  readonly #file: string
  #offset = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Those since the last time. */
  take(): Requests {
    const text = this.#readNew()
    const end = text.lastIndexOf('\n') + 1
    this.#offset += Buffer.byteLength(text.slice(0, end))
    return countRequests(text.slice(0, end).split('\n'))
  }

  #readNew(): string {
    const file = openSync(this.#file, 'r')
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - this.#offset))
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, this.#offset))
    } finally {
      closeSync(file)
    }
  }
}

interface AuditLine {
  readonly verb: string
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string }
}

/** Count lines of an audit log. */
export function countRequests(lines: readonly string[]): Requests {
  const counts: Record<string, number> = {}
  for (const line of lines) {
    if (line === '') continue
    const { verb, objectRef = {} } = JSON.parse(line) as AuditLine
    const { resource = 'other', subresource } = objectRef
    const name = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** All of them that change something in the resources that are asked for. */
export function countWrites(requests: Requests, isMeant: (resource: string) => boolean = () => true): number {
  return Object.entries(requests).reduce((sum, [name, count]) => {
    const [verb = '', resource = ''] = name.split(' ')
    return READS.includes(verb) || !isMeant(resource) ? sum : sum + count
  }, 0)
}
