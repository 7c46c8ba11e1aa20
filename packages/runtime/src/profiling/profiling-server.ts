/**
 * Profiles of the running program, under the paths people know from Go's pprof. The formats are those of Node.js:
 *
 * | path | answer | open it with |
 * |---|---|---|
 * | `/debug/pprof/` | this list | |
 * | `/debug/pprof/profile?seconds=30` | `.cpuprofile` | Chrome's developer tools, speedscope |
 * | `/debug/pprof/allocs?seconds=30` | `.heapprofile`: sampled allocations that are still alive | Chrome's developer tools |
 * | `/debug/pprof/heap` | `.heapsnapshot`: every object | Chrome's developer tools |
 * | `/debug/pprof/heap?debug=1` | heap statistics as JSON | |
 * | `/debug/pprof/resources` | what keeps the program alive, as JSON | |
 * | `/debug/pprof/cmdline` | the command line | |
 *
 * A heap snapshot stops the program for as long as it takes, about a second for 100 MB, and holds everything that is in
 * memory, secrets included. That is why the server listens on localhost unless told otherwise.
 *
 * @module
 */
import { pipeline } from 'node:stream/promises'
import type { ServerResponse } from 'node:http'
import { getHeapSnapshot, getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import type { Clock } from '@slurm-operator/kube'
import { sendAnswer, textAnswer, type Answer } from '../serving/answer.ts'
import { createServer, type Handler, type Server, type ServerOptions } from '../serving/server.ts'

/** What a profiling server is made of. */
export interface ProfilingServerOptions extends Pick<ServerOptions, 'listen' | 'onListening' | 'onFailure'> {
  readonly clock: Clock
}

const PREFIX = '/debug/pprof/'
const DEFAULT_SECONDS = 30
const MOST_SECONDS = 110

/** The server for profiles. */
export function createProfilingServer(options: ProfilingServerOptions): Server {
  return createServer({ ...options, name: 'profiling server', handle: handler(options.clock) })
}

type Page = (query: URLSearchParams, signal: AbortSignal, response: ServerResponse) => Promise<Answer | undefined>

function handler(clock: Clock): Handler {
  const pages = profilePages(clock)
  return async (request, response, signal) => {
    const { pathname, searchParams } = URL.parse(request.url ?? '', 'http://profiling') ?? new URL('http://profiling')
    const page = pathname.startsWith(PREFIX) ? pages.get(pathname.slice(PREFIX.length)) : undefined
    if (page === undefined) return sendAnswer(response, textAnswer(404, `Not here. ${PREFIX} lists what is.`))
    if (request.method !== 'GET')
      return sendAnswer(response, textAnswer(405, 'Profiles are read with GET.', { Allow: 'GET' }))
    const answer = await page(searchParams, signal, response)
    if (answer !== undefined) sendAnswer(response, answer)
  }
}

function profilePages(clock: Clock): ReadonlyMap<string, Page> {
  const names = ['profile', 'allocs', 'heap', 'resources', 'cmdline']
  const oneAtATime = onlyOne()
  return new Map<string, Page>([
    ['', async () => textAnswer(200, names.map((name) => `${PREFIX}${name}`).join('\n'))],
    ['cmdline', async () => textAnswer(200, process.argv.join('\0'))],
    ['resources', async () => jsonAnswer(process.getActiveResourcesInfo())],
    ['heap', async (query, _signal, response) => (query.has('debug') ? jsonAnswer(heapNumbers()) : sendHeap(response))],
    ['profile', timed('profileCpu', 'profile.cpuprofile')],
    ['allocs', timed('profileAllocations', 'allocs.heapprofile')],
  ])

  function timed(kind: 'profileCpu' | 'profileAllocations', file: string): Page {
    return (query, signal) =>
      oneAtATime(async () => {
        const seconds = secondsOf(query)
        if (seconds === undefined) return textAnswer(400, `Give seconds as a number from 1 to ${MOST_SECONDS}.`)
        const profiles = await import('./profile.ts') // nobody else needs the inspector
        return fileAnswer(await profiles[kind]({ seconds, clock, signal }), file)
      })
  }
}

/** Two profiles at once would measure each other. */
function onlyOne(): (work: () => Promise<Answer>) => Promise<Answer> {
  let isBusy = false
  return async (work) => {
    if (isBusy) return textAnswer(409, 'Another profile is being taken. Try again when it is done.')
    isBusy = true
    try {
      return await work()
    } finally {
      isBusy = false
    }
  }
}

function secondsOf(query: URLSearchParams): number | undefined {
  const seconds = Number(query.get('seconds') ?? DEFAULT_SECONDS)
  return seconds >= 1 && seconds <= MOST_SECONDS ? seconds : undefined
}

function heapNumbers(): object {
  return { heap: getHeapStatistics(), spaces: getHeapSpaceStatistics(), process: process.memoryUsage() }
}

async function sendHeap(response: ServerResponse): Promise<undefined> {
  response.writeHead(200, fileHeaders('heap.heapsnapshot'))
  await pipeline(getHeapSnapshot(), response)
}

function jsonAnswer(value: unknown): Answer {
  return { code: 200, body: `${JSON.stringify(value)}\n`, headers: { 'Content-Type': 'application/json' } }
}

function fileAnswer(body: string, name: string): Answer {
  return { code: 200, body, headers: fileHeaders(name) }
}

function fileHeaders(name: string): Record<string, string> {
  return { 'Content-Type': 'application/json', 'Content-Disposition': `attachment; filename="${name}"` }
}
