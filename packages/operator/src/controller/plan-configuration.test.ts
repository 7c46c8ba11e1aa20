import { printTime } from '@slurm-operator/kube'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { configurationCondition } from './configuration-condition.ts'
import { aPod, NOW, type PodTraits } from './gen.ts'
import { planConfiguration, type ConfigurationPicture } from './plan-configuration.ts'
import { configAnnotations, readPodConfiguration, refusedPatch, takenPatch, tellPatch } from './pod-configuration.ts'
import type { AnnotationPatch } from './pod-configuration.ts'

const ago = (seconds: number) => printTime(NOW - seconds * 1000)

interface ConfiguredTraits extends PodTraits {
  readonly hash?: string
  readonly told?: number
  readonly asked?: string
  readonly used?: string
  readonly refused?: string
  readonly tookOver?: boolean
}

function configured({ hash, told, asked, used, refused, tookOver, ...traits }: ConfiguredTraits = {}) {
  const annotations = {
    ...(hash !== undefined && { [configAnnotations.hash]: hash }),
    ...(told !== undefined && { [configAnnotations.toldAt]: ago(told) }),
    ...(asked !== undefined && { [configAnnotations.asked]: asked }),
    ...(used !== undefined && { [configAnnotations.used]: used }),
    ...(refused !== undefined && { [configAnnotations.refused]: refused }),
    ...(tookOver === true && { [configAnnotations.tookOver]: 'true' }),
  }
  return readPodConfiguration(aPod({ ...traits, annotations }))
}

function picture(pods: readonly ConfiguredTraits[], more: Partial<ConfigurationPicture> = {}): ConfigurationPicture {
  return {
    ...{ wanted: 'new', pods: pods.map(configured), replicas: pods.length, isRollingOut: false },
    ...{ isLeftToSidecar: false, connection: 'reachable', inCharge: undefined, nowMs: NOW },
    ...more,
  }
}

const changed: ConfiguredTraits = { hash: 'new', told: 5, used: 'old' }
const freshlyStarted: ConfiguredTraits = { hash: 'new', told: 5, createdAt: ago(20) }

const accidents: readonly {
  readonly name: string
  readonly picture: ConfigurationPicture
  readonly plan: object
  readonly condition: readonly [string, string]
}[] = [
  {
    name: 'the kubelet takes a minute and a half to notice',
    picture: picture([{ hash: 'old', told: 999, used: 'old' }]),
    plan: { do: 'tell' },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'slurmctld reads files that are not there yet',
    picture: picture([{ ...changed, told: 1 }]),
    plan: { do: 'wait', for: 'kubelet', inSeconds: 2 },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'nobody asks slurmctld',
    picture: picture([changed]),
    plan: { do: 'reconfigure', isCertain: false },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'a kubelet that was late is never noticed',
    picture: picture([{ ...changed, told: 101, asked: 'new' }]),
    plan: { do: 'reconfigure', isCertain: true },
    condition: ['True', 'Reconfigured'],
  },
  {
    name: 'slurmctld is asked every few seconds',
    picture: picture([{ ...changed, told: 50, asked: 'new' }]),
    plan: { do: 'wait', for: 'kubelet' },
    condition: ['True', 'Reconfigured'],
  },
  {
    name: 'slurmctld is asked at rest',
    picture: picture([{ ...changed, used: 'new' }]),
    plan: { do: 'nothing' },
    condition: ['True', 'Applied'],
  },
  {
    name: 'each of several slurmctld is told at another time',
    picture: picture([
      { ...changed, used: 'new' },
      { ordinal: 1, hash: 'old', told: 999, used: 'old' },
    ]),
    plan: { do: 'tell', pods: [{ pod: { metadata: { name: 'prod-controller-1' } } }] },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'a backup that starts is forgotten',
    picture: picture([changed, { ...changed, ordinal: 1, ready: false, readySince: ago(10) }]),
    plan: { do: 'wait', for: 'pods', inSeconds: 20 },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'the backup in charge waits for a primary that is lost with its Kube node',
    picture: picture([
      { ...changed, leaving: true, ready: false },
      { ...changed, ordinal: 1 },
    ]),
    plan: { do: 'reconfigure', pods: [{ pod: { metadata: { name: 'prod-controller-1' } } }] },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'the backup in charge has read it, and it is not told because the primary finds no place',
    picture: picture([
      { hash: 'new', told: 5, ready: false },
      { ...changed, ordinal: 1, used: 'new' },
    ]),
    plan: { do: 'nothing' },
    condition: ['True', 'Applied'],
  },
  {
    name: 'what ended the one is given to the other',
    picture: picture([
      { ...changed, ready: false, lastWords: 'fatal: line 3', endedAt: ago(2) },
      { ...changed, ordinal: 1 },
    ]),
    plan: { do: 'wait', for: 'pods' },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'all are away, and nobody is waited for',
    picture: picture([
      { ...changed, ready: false },
      { ...changed, ordinal: 1, ready: false },
    ]),
    plan: { do: 'wait', for: 'pods' },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'a primary that comes back has to prove what it has just read',
    picture: picture([freshlyStarted, { ...changed, ordinal: 1, used: 'new' }]),
    plan: { do: 'reconfigure', isCertain: true },
    condition: ['True', 'ReadAtStart'],
  },
  {
    name: 'a missing backup is not waited for',
    picture: picture([changed], { replicas: 2 }),
    plan: { do: 'wait', for: 'pods' },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'a slurmctld that is being replaced is asked',
    picture: picture([changed], { isRollingOut: true }),
    plan: { do: 'wait', for: 'pods' },
    condition: ['False', 'RollingOut'],
  },
  {
    name: 'a change while slurmctld starts is missed',
    picture: picture([freshlyStarted]),
    plan: { do: 'reconfigure', isCertain: true },
    condition: ['True', 'ReadAtStart'],
  },
  {
    name: 'a cluster without slurmrestd is never right',
    picture: picture([freshlyStarted], { connection: 'none' }),
    plan: { do: 'wait', for: 'connection' },
    condition: ['True', 'ReadAtStart'],
  },
  {
    name: 'a change without slurmrestd is lost in silence',
    picture: picture([{ ...changed, told: 130 }], { connection: 'none' }),
    plan: { do: 'wait', for: 'connection' },
    condition: ['False', 'CannotReconfigure'],
  },
  {
    name: 'a short silence is an alarm',
    picture: picture([changed], { connection: 'silent' }),
    plan: { do: 'wait', for: 'connection', inSeconds: 115 },
    condition: ['False', 'ConfigurationPending'],
  },
  {
    name: 'a refusal is repeated without end',
    picture: picture([{ ...changed, told: 60, refused: `${ago(40)} bad line` }]),
    plan: { do: 'wait', for: 'retry', inSeconds: 260 },
    condition: ['False', 'ConfigurationRefused'],
  },
  {
    name: 'a refusal is final',
    picture: picture([{ ...changed, told: 400, refused: `${ago(301)} bad line` }]),
    plan: { do: 'reconfigure', isCertain: true },
    condition: ['False', 'ConfigurationRefused'],
  },
  {
    name: 'the operator and the sidecar both ask',
    picture: picture([changed], { isLeftToSidecar: true }),
    plan: { do: 'nothing' },
    condition: ['True', 'LeftToSidecar'],
  },
  {
    name: 'no pods, and it throws',
    picture: picture([], { replicas: 1 }),
    plan: { do: 'nothing' },
    condition: ['Unknown', 'NoPods'],
  },
]

describe('a changed configuration', () => {
  test.each(accidents)('$name', ({ picture: seen, plan, condition }) => {
    expect(planConfiguration(seen)).toMatchObject(plan)
    const { status, reason } = configurationCondition(seen, 1)
    expect([status, reason]).toEqual(condition)
  })

  test('the words of Slurm are kept back', () => {
    const seen = picture([{ ...changed, refused: `${ago(4)} Invalid partition name` }])
    expect(configurationCondition(seen, 1).message).toContain('Invalid partition name')
  })

  test('what a fresh pod has read is forgotten with the next change', () => {
    const pod = configured(freshlyStarted)
    expect(tellPatch(pod, 'newer', NOW)).toMatchObject({ [configAnnotations.used]: 'new' })
    const old = configured({ hash: 'new', told: 5, createdAt: ago(9999) })
    expect(tellPatch(old, 'newer', NOW)).not.toHaveProperty(configAnnotations.used)
  })

  test('a pod that waited long for a place has to prove what it has read at its start', () => {
    const waiting = configured({ hash: 'new', told: 5, createdAt: ago(600), ready: false, hasNoPlace: true })
    expect(waiting.isFresh).toBe(false)
    expect(tellPatch({ ...waiting, isFresh: true }, 'newer', NOW)).not.toHaveProperty(configAnnotations.used)
    const [first, again] = [0, 1].map((restarts) =>
      configured({ hash: 'new', told: 5, createdAt: ago(600), startedAt: ago(2), restarts }),
    )
    expect([first?.isFresh, again?.isFresh]).toEqual([true, false])
  })
})

describe('a backup that has taken over', () => {
  const settled: ConfiguredTraits = { hash: 'new', told: 999, used: 'new' }
  const primary = { ...settled, ready: false, readySince: ago(2) }
  const backup = (traits: ConfiguredTraits = {}) => ({ ...settled, ordinal: 1, ...traits })
  const [first, second] = ['prod-controller-0', 'prod-controller-1']
  const named = (name: string) => [{ pod: { metadata: { name } } }]

  test.each([
    {
      name: 'sends nothing to slurmdbd',
      pods: [primary, backup()],
      inCharge: second,
      plan: { do: 'reconfigure', isCertain: true, pods: named('prod-controller-1') },
    },
    {
      name: 'is asked again and again',
      pods: [settled, backup({ tookOver: true })],
      inCharge: second,
      plan: { do: 'nothing' },
    },
    {
      name: 'is not asked the second time that it takes over',
      pods: [settled, backup({ tookOver: true })],
      inCharge: first,
      plan: { do: 'forget', pods: named('prod-controller-1') },
    },
    {
      name: 'is believed to have gone because Slurm is silent',
      pods: [settled, backup({ tookOver: true })],
      plan: { do: 'nothing' },
    },
    { name: 'is confused with a primary', pods: [settled, backup()], inCharge: first, plan: { do: 'nothing' } },
    {
      name: 'gets a changed configuration and one question more',
      pods: [settled, backup({ used: 'old', told: 50 })],
      inCharge: second,
      plan: { do: 'reconfigure', isCertain: false },
    },
  ])('$name', ({ pods, inCharge, plan }) => {
    expect(planConfiguration(picture(pods, { inCharge }))).toMatchObject(plan)
  })
})

/** Carry out a plan as a world would in which everything works, one second per pass. */
function carryOut(seen: ConfigurationPicture, isProved: boolean): { next: ConfigurationPicture; reconfigured: number } {
  const plan = planConfiguration(seen)
  const nowMs = seen.nowMs + 1000 * (plan.do === 'wait' ? (plan.inSeconds ?? 1) : 1)
  const patched = (patch: (pod: (typeof seen.pods)[number]) => AnnotationPatch) =>
    seen.pods.map((each) => {
      const merged = Object.entries({ ...each.pod.metadata.annotations, ...patch(each) })
      const annotations = Object.fromEntries(merged.filter(([, value]) => value !== null)) as Record<string, string>
      return readPodConfiguration({ ...each.pod, metadata: { ...each.pod.metadata, annotations } })
    })
  switch (plan.do) {
    case 'tell':
      return {
        next: { ...seen, nowMs, pods: patched((each) => tellPatch(each, seen.wanted, seen.nowMs)) },
        reconfigured: 0,
      }
    case 'reconfigure': {
      const pods = patched(() => takenPatch(seen.wanted, plan.isCertain || isProved, seen.nowMs))
      return { next: { ...seen, nowMs, pods }, reconfigured: 1 }
    }
    default:
      return { next: { ...seen, nowMs }, reconfigured: 0 }
  }
}

test('whatever was told before, at most two questions bring all pods to the wanted configuration, then it rests', () => {
  const anyHash = fc.option(fc.constantFrom('new', 'old', 'older'), { nil: undefined })
  const anyPod = fc.record(
    { hash: anyHash, told: fc.integer({ min: 0, max: 300 }), asked: anyHash, used: anyHash },
    { requiredKeys: [] },
  )
  const defined = (traits: object) =>
    Object.fromEntries(Object.entries(traits).filter(([, value]) => value !== undefined)) as ConfiguredTraits
  fc.assert(
    fc.property(fc.array(anyPod, { minLength: 1, maxLength: 3 }), fc.boolean(), (traits, isProved) => {
      let seen = picture(traits.map((each, ordinal) => defined({ ...each, ordinal })))
      let questions = 0
      for (let pass = 0; pass < 12; pass++) {
        const { next, reconfigured } = carryOut(seen, isProved)
        seen = next
        questions += reconfigured
      }
      expect(seen.pods.map(({ used }) => used)).toEqual(traits.map(() => 'new'))
      expect(questions).toBeLessThanOrEqual(isProved ? 1 : 2)
      expect(planConfiguration(seen)).toEqual({ do: 'nothing' })
    }),
  )
})

test('a refusal with its time can be read back', () => {
  const text = refusedPatch('no such node: x', NOW)[configAnnotations.refused] ?? ''
  expect(configured({ refused: text }).refused).toEqual({ atMs: NOW, words: 'no such node: x' })
})
