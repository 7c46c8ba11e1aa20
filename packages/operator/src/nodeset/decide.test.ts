import { seen } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import { aJob, aPicture, aWorker, NOW, slurmSays } from './gen.ts'
import type { Observed } from './observe.ts'
import type { Picture, Worker } from './picture.ts'

const listedAgo = (agoMs: number) => ({ slurmList: { nodes: 1, atMs: NOW - agoMs, wholeAtMs: NOW - agoMs } })

/** A NodeSet whose only worker is one too many. */
const surplus = (worker: Partial<Worker>, agoMs: number): Picture =>
  aPicture({ workers: [aWorker('foo-0', worker)], wanted: { replicas: 0 }, ...listedAgo(agoMs) })

/** Look after look, and what is asked of Slurm between them. */
function startLooks(pictures: readonly Picture[], isAnswered = true) {
  const asked: string[] = []
  const refresh = async (part: string) => (asked.push(part), isAnswered)
  let looks = 0
  const look = async () => {
    const picture = pictures[Math.min(looks++, pictures.length - 1)]
    return { picture, connection: { view: { refresh } } } as unknown as Observed
  }
  return { asked, look }
}

async function stepsAfter(look: () => Promise<Observed | 'gone'>): Promise<string[]> {
  const decided = await decide(look)
  return decided === 'gone' ? [] : decided.plan.steps.map((step) => step.do)
}

const halfAMinuteAgo = seen([], NOW - 30_000)
const idle = surplus({ slurmNode: slurmSays(['IDLE']), jobs: halfAMinuteAgo }, 30_000)
const drainedByHand = slurmSays(['IDLE', 'DRAIN'], { reason: 'broken fan' })

describe('asking Slurm again prevents that', () => {
  test('a pod goes with a suspended job, because only the new list of nodes has shown that it could go', async () => {
    const suspended = seen([aJob({ states: ['SUSPENDED'] })], NOW)
    const pictures = [{ jobs: halfAMinuteAgo }, { jobs: suspended }].map(({ jobs }) =>
      surplus({ slurmNode: drainedByHand, jobs }, 0),
    )
    const { asked, look } = startLooks([idle, ...pictures])
    expect(await stepsAfter(look)).not.toContain('delete-pod')
    expect(asked).toEqual(['nodes', 'jobs'])
  })

  test('it is asked without end, because no list is ever new enough', async () => {
    const { asked, look } = startLooks([idle])
    expect(await stepsAfter(look)).toContain('drain')
    expect(asked).toEqual(['nodes'])
  })

  test('orders are given although no new list of nodes has come', async () => {
    const { look } = startLooks([idle], false)
    expect(await stepsAfter(look)).not.toContain('drain')
  })
})
