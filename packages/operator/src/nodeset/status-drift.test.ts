import { hashAnnotations } from '@slurm-operator/api'
import { describe, expect, test } from 'vitest'
import { aPicture, aPlacement, aWorker, NEW_HASH } from './gen.ts'
import { REGISTRATION } from './picture-keys.ts'
import type { Placement, Worker } from './picture.ts'
import { buildNodeSetStatus } from './status.ts'
import { planNodeSet } from './plan.ts'

const same = { [REGISTRATION]: 'r1', [hashAnnotations.sssdConf]: 's1' }

function messageOf(worker: Partial<Worker>, now: Partial<Placement>): string {
  const template = { kind: 'built', placement: aPlacement(now) } as const
  const workers = [aWorker('foo-0', { annotations: same, ...worker }), aWorker('foo-1', { annotations: same })]
  const { labels = {}, annotations = {} } = now
  const renewed = { ...workers[1], labels: { ...workers[1]?.labels, ...labels } } as Worker
  const picture = aPicture({
    template,
    workers: [workers[0] as Worker, { ...renewed, annotations: { ...same, ...annotations } }],
    wanted: { replicas: 2, updateStrategy: { type: 'OnDelete' } },
  })
  const { conditions } = buildNodeSetStatus(picture, planNodeSet(picture))
  return conditions.find(({ type }) => type === 'Ready')?.message ?? ''
}

describe('new workers get something else, and nobody hears that the present ones have not', () => {
  test.each<[string, Partial<Placement>]>([
    ['labels', { labels: { team: 'hpc' } }],
    ['annotations', { annotations: { note: 'new' } }],
  ])('%s of the NodeSet', (what, now) => {
    expect(messageOf({}, now)).toContain(`1 worker differs from new ones in ${what}, which replaces nobody`)
  })
  test('the sssd configuration, and where slurmctld is: of both workers', () => {
    expect(messageOf({}, { sssdConf: 's2', registration: 'r2' })).toContain(
      '2 workers differ from new ones in the sssd configuration, how slurmd is started, which replaces nobody',
    )
  })
})

describe('a worker is said to differ that does not, because', () => {
  test.each<[string, Partial<Worker>, Partial<Placement>]>([
    ['nothing has changed', {}, {}],
    ['another program has made it, and noted nothing', { annotations: {} }, {}],
    ['its user has given it labels of its own', { labels: { team: 'mine' } }, {}],
  ])('%s', (_name, worker, now) => expect(messageOf(worker, now)).not.toContain('differ'))
  test('it has an old template, and is told of as outdated', () => {
    expect(messageOf({ revisionHash: `${NEW_HASH}x`, labels: {} }, { labels: { team: 'hpc' } })).not.toContain('differ')
  })
})
