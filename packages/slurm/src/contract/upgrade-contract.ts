import { describe, expect, test } from 'vitest'
import type { Clock } from '../client/clock.ts'
import { isSlurmFailure } from '../errors.ts'
import { isBusy } from '../states/node-states.ts'
import { buildBench, measured } from './bench.ts'
import type { GetSlurm } from './slurm-under-test.ts'

/** Readers at the same time, and the pause of each between two questions. */
const READERS = 4
const PAUSE_MS = 25

/** What happens when slurmrestd is replaced by another release of it while everybody reads. */
export function upgradeContract(get: GetSlurm): void {
  const { client, known, soon, runningJob, jobStates } = buildBench(get)

  describe('upgrades', () => {
    test('slurmrestd becomes older and newer under load, and says nothing wrong', async ({ skip }) => {
      const { whyNoReplacing, connection, clock } = get()
      skip(whyNoReplacing !== undefined, whyNoReplacing)
      const id = await runningJob({ requiredNodes: ['worker-1'] })
      connection.view.hurry('nodes', 120_000)
      connection.view.hurry('jobs', 120_000)
      await soon('busy before the upgrade', () => isBusy(known('worker-1')) === 'yes')
      const knowsJob = (): boolean => {
        const jobs = connection.view.jobsOn('worker-1')
        return jobs.kind === 'seen' && jobs.value.some((job) => job.id === id)
      }
      await soon('the job is known before the upgrade', knowsJob) // a list from before it may be the last that was had

      const load = startLoad(get, id)
      for (const [release, apiVersion] of [
        ['24.11', 'v0.0.42'],
        ['26.05', 'v0.0.45'],
      ] as const) {
        const beganMs = clock.monotonic()
        await get().replaceRestd(release)
        measured.push(`slurmrestd ${release}: ready after ${Math.round(clock.monotonic() - beganMs)} ms`)
        await soon(`slurmrestd ${release}: spoken with in ${apiVersion}`, () => {
          const { apiVersion: spoken, slurmVersion = '' } = connection.health()
          return spoken === apiVersion && slurmVersion.startsWith(release)
        })
        await soon(`slurmrestd ${release}: known again`, () => isBusy(known('worker-1')) === 'yes')
        await soon(`slurmrestd ${release}: its job too`, knowsJob)
        await soon(`slurmrestd ${release}: 20 more answers`, load.waitForAnswers(20))
      }
      const { answers, silences, longestSilenceMs, wrong } = await get().wait(load.stop())
      measured.push(`upgrades: ${answers} answers, ${silences} silences, longest ${Math.round(longestSilenceMs)} ms`)
      expect(wrong).toEqual([])
      expect(silences).toBeGreaterThan(0) // or it was never away, and nothing was tried
      expect(await jobStates(id)).toEqual(['RUNNING'])
      await client().cancelJob(id)
      await soon('idle after the upgrade', () => isBusy(known('worker-1')) === 'no')
    })
  })
}

interface LoadResult {
  readonly answers: number
  readonly silences: number
  readonly longestSilenceMs: number
  /** What was said that is not so, in words. */
  readonly wrong: readonly string[]
}

interface Load {
  /** Whether so many answers have come since this was called. */
  readonly waitForAnswers: (count: number) => () => boolean
  readonly stop: () => Promise<LoadResult>
}

/** Read without a pause, by the client and from the view, while worker-1 is busy with this job. */
function startLoad(get: GetSlurm, id: number): Load {
  const { clock } = get()
  const wrong = new Set<string>()
  const over = new AbortController()
  let answers = 0
  let silences = 0
  let longestSilenceMs = 0
  let answeredMs = clock.monotonic()
  const read = async (at: number): Promise<void> => {
    while (!over.signal.aborted) {
      try {
        for (const error of await whatIsWrong(get, id, at)) wrong.add(error)
        answers++
        longestSilenceMs = Math.max(longestSilenceMs, clock.monotonic() - answeredMs)
        answeredMs = clock.monotonic()
      } catch (error) {
        silences++
        if (!isSlurmFailure(error, 'unavailable')) wrong.add(String(error))
      }
      for (const error of whatIsWrongInView(get, id)) wrong.add(error)
      await pause(clock, PAUSE_MS)
    }
  }
  const readers = Promise.all(Array.from({ length: READERS }, (_, at) => read(at)))
  return {
    waitForAnswers: (count) => {
      const wanted = answers + count
      return () => answers >= wanted
    },
    stop: async () => {
      over.abort()
      await readers
      return { answers, silences, longestSilenceMs, wrong: [...wrong] }
    },
  }
}

/** Ask Slurm directly; each reader begins with another question. */
async function whatIsWrong(get: GetSlurm, id: number, at: number): Promise<readonly string[]> {
  const { client } = get().connection
  if (at % 2 === 0) {
    const listing = await client.listNodes()
    if (listing.kind !== 'listed' || listing.unreadable.length > 0) return ['a list of nodes cannot be used']
    const node = listing.records.find(({ name }) => name === 'worker-1')
    if (!node) return ['a list lacks worker-1']
    return node.states.includes('IDLE') ? ['a list has worker-1 idle'] : []
  }
  const job = await client.findJob(id)
  return job?.states.includes('RUNNING') === true ? [] : [`the job is ${job?.states.join('+') ?? 'not found'}`]
}

/** The view may know nothing for a while. What it claims must be so. */
function whatIsWrongInView(get: GetSlurm, id: number): readonly string[] {
  const { view } = get().connection
  const node = view.node('worker-1')
  const jobs = view.jobsOn('worker-1')
  return [
    ...(node.kind === 'absent' ? ['the view has no worker-1'] : []),
    ...(isBusy(node) === 'no' ? ['the view has worker-1 free'] : []),
    ...(jobs.kind === 'seen' && !jobs.value.some((job) => job.id === id) ? ['the view has no job on worker-1'] : []),
  ]
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.schedule(ms, resolve))
}
