/** What the simulation says looks like what real daemons said in the same situation. */
import { describe, expect, test } from 'vitest'
import { buildLab, notCovered, partlyCovered, recorded, recordedNames, situations } from './gen.ts'
import { missingFrom, shapeOf } from './shape.ts'

const isOld = (name: string): boolean => name.startsWith('slurm-24.11-')

test('a recorded situation is forgotten', () => {
  const known = [...Object.keys(situations), ...Object.keys(notCovered)]
  expect(known.toSorted()).toEqual(recordedNames().toSorted())
})

describe('the answer looks like the recorded one', () => {
  test.for(Object.entries(situations))('%s', async ([name, prepare]) => {
    const lab = buildLab(isOld(name))
    await prepare(lab)
    const { request, response } = recorded(name)
    const answer = await lab.ask(request)
    const type = response.headers['content-type'] ?? ''
    expect([answer.status, answer.contentType]).toEqual([response.status, type])
    const [ours, theirs] = [shapeOf(answer.body), shapeOf(response.body ?? '')]
    expect(missingFrom(ours, theirs), 'only the simulation says').toEqual([])
    const unsaid = name in partlyCovered ? [] : missingFrom(theirs, ours)
    expect(unsaid, 'the simulation does not say').toEqual([])
  })
})

const telling = ['job_state', 'state', 'error_number', 'alloc_cpus', 'reason', 'reservation', 'code', 'responding']

/** Values that decide what a client does, wherever they are. */
function tellingValues(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, inner] of Object.entries(value)) {
    if (telling.includes(name)) found.push(`${name} ${JSON.stringify(inner)}`)
    tellingValues(inner, found)
  }
  return found
}

describe('and says the same where it matters', () => {
  const single = Object.entries(situations).filter(
    ([name]) => !/^(?:jobs|jobs-state|nodes-with-future|diag)$/.test(name),
  )
  test.for(single)('%s', async ([name, prepare]) => {
    const lab = buildLab(isOld(name))
    await prepare(lab)
    const { request, response } = recorded(name)
    const { body } = await lab.ask(request)
    expect(tellingValues(body).toSorted()).toEqual(tellingValues(response.body).toSorted())
  })
})
