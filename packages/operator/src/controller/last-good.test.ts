import { printTime, type ConfigMap } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { actController } from './act.ts'
import { chooseConfiguration } from './choose-configuration.ts'
import { aController, anObject, aPod, aStatefulSet, child, keys, NOW, pass, type PodTraits } from './gen.ts'
import { judgeController } from './judge.ts'
import { findRefusal, isProven, refusalAnnotations } from './last-good.ts'
import { configAnnotations, readPodConfiguration } from './pod-configuration.ts'

const ago = (seconds: number) => printTime(NOW - seconds * 1000)
const BAD_LINE = [
  '[2026-06-01T11:59:57.121] error: _parse_next_key: Parsing error at unrecognized key: Nonsense',
  '[2026-06-01T11:59:57.121] fatal: Unable to process configuration file',
].join('\n')

interface Traits extends PodTraits {
  readonly hash?: string
  readonly told?: number
  readonly used?: string
  readonly usedAt?: number
}

function configured({ hash = 'new', told = 300, used, usedAt, ...traits }: Traits) {
  const annotations = {
    [configAnnotations.hash]: hash,
    [configAnnotations.toldAt]: ago(told),
    ...(used !== undefined && { [configAnnotations.used]: used }),
    ...(usedAt !== undefined && { [configAnnotations.usedAt]: ago(usedAt) }),
  }
  return readPodConfiguration(aPod({ readySince: ago(300), ...traits, annotations }))
}

describe('a configuration counts as good', () => {
  const rows: readonly { readonly name: string; readonly pod: Traits; readonly proven: boolean }[] = [
    { name: 'that slurmctld has used for minutes', pod: { used: 'new', usedAt: 200 }, proven: true },
    { name: 'that slurmctld has started with', pod: { createdAt: ago(320) }, proven: true },
    { name: 'a moment after slurmctld was asked, before it ends', pod: { used: 'new', usedAt: 5 }, proven: false },
    { name: 'that only the kubelet has', pod: { used: 'old', usedAt: 200 }, proven: false },
    { name: 'that another one has replaced', pod: { hash: 'newer', used: 'new', usedAt: 200 }, proven: false },
    {
      name: 'with which slurmctld has just come back',
      pod: { used: 'new', usedAt: 200, readySince: ago(10) },
      proven: false,
    },
    { name: 'with which slurmctld is not ready', pod: { used: 'new', usedAt: 200, ready: false }, proven: false },
  ]
  test.each(rows)('$name: $proven', ({ pod, proven }) => {
    expect(isProven([configured(pod)], 'new', 1, NOW)).toBe(proven)
  })

  test('although a backup has not tried it', () => {
    expect(isProven([configured({ used: 'new', usedAt: 200 })], 'new', 2, NOW)).toBe(false)
  })
})

describe('a configuration counts as refused', () => {
  const crash: Traits = { told: 5, ready: false, lastWords: BAD_LINE, endedAt: ago(3) }
  const rows: readonly { readonly name: string; readonly pod: Traits; readonly refused: boolean }[] = [
    { name: 'that slurmctld has ended with', pod: crash, refused: true },
    { name: 'before which slurmctld had ended', pod: { ...crash, endedAt: ago(60) }, refused: false },
    {
      name: 'when the database was away',
      pod: { ...crash, lastWords: 'fatal: slurmdbd does not answer' },
      refused: false,
    },
    { name: 'when nothing was said once', pod: { ...crash, lastWords: '' }, refused: false },
    { name: 'when nothing was said again and again', pod: { ...crash, lastWords: '', repeated: true }, refused: true },
    { name: 'when slurmctld is well again', pod: { ...crash, ready: true }, refused: false },
    { name: 'that the pod was not told of', pod: { ...crash, hash: 'old' }, refused: false },
  ]
  test.each(rows)('$name: $refused', ({ pod, refused }) => {
    expect(findRefusal([configured(pod)], 'new') !== undefined).toBe(refused)
  })

  test('and nobody can read why', () => {
    expect(findRefusal([configured(crash)], 'new')?.words).toBe(
      'error: _parse_next_key: Parsing error at unrecognized key: Nonsense; fatal: Unable to process configuration file',
    )
  })
})

describe('one bad line', () => {
  const bad = aController({ extraConf: 'Nonsense=1' })

  /** slurmctld has read the bad line and ended; what it worked with before is known. */
  async function afterTheCrash(more: readonly object[] = []) {
    const good = child<ConfigMap>((await pass(aController())).wish.children, 'ConfigMap', 'prod-config')
    const lastGood = { ...good, metadata: { name: 'prod-config-last-good' } }
    const { at, facts } = await pass(bad)
    const { hash } = chooseConfiguration(at.object, facts)
    const annotations = {
      [configAnnotations.hash]: hash,
      [configAnnotations.toldAt]: ago(10),
      [configAnnotations.used]: hash,
    }
    const pod = aPod({ ready: false, lastWords: BAD_LINE, endedAt: ago(5), repeated: true, annotations })
    return { good, hash, objects: [...keys, lastGood, aStatefulSet({ readyReplicas: 0 }), pod, ...more] }
  }

  test('stops the Slurm cluster until somebody finds it', async () => {
    const { good, hash, objects } = await afterTheCrash()
    const still = await pass(bad, objects, { nowMs: NOW })
    const written = child<ConfigMap>(still.wish.children, 'ConfigMap', 'prod-config')
    expect(written.data).toEqual(good.data)
    expect(written.metadata.annotations?.[refusalAnnotations.hash]).toBe(hash)
    expect(child<ConfigMap>(still.wish.children, 'ConfigMap', 'prod-config-last-good').data).toEqual(good.data)
    still.put(written)
    await actController(still.at, still.facts)
    expect(still.requests).toContain('patch Pod prod-controller-0') // the kubelet is told of the former files
    expect(judgeController(still.at, still.facts).conditions).toContainEqual(
      expect.objectContaining({
        reason: 'ConfigurationRefused',
        status: 'False',
        message: expect.stringContaining('unrecognized key: Nonsense'),
      }),
    )
  })

  test('is tried again and again', async () => {
    const { good, hash, objects } = await afterTheCrash()
    const refused = { [refusalAnnotations.hash]: hash, [refusalAnnotations.words]: 'bad line' }
    const written = { ...good, metadata: { name: 'prod-config', annotations: refused } }
    const healthy = objects.filter((object) => (object as { kind?: string }).kind !== 'Pod')
    const still = await pass(bad, [...healthy, written, aStatefulSet(), aPod()], { nowMs: NOW })
    expect(child<ConfigMap>(still.wish.children, 'ConfigMap', 'prod-config').data).toEqual(good.data)
    expect(judgeController(still.at, still.facts).state).toMatchObject({ kind: 'stalled' })
  })

  test('has been corrected, and nobody tries', async () => {
    const { hash, objects } = await afterTheCrash()
    const refused = { [refusalAnnotations.hash]: hash, [refusalAnnotations.words]: 'bad line' }
    const written = anObject('ConfigMap', 'prod-config', { metadata: { name: 'prod-config', annotations: refused } })
    const { wish } = await pass(aController({ extraConf: 'KillWait=77' }), [...objects, written], { nowMs: NOW })
    const map = child<ConfigMap>(wish.children, 'ConfigMap', 'prod-config')
    expect(map.data?.['slurm.conf']).toContain('KillWait=77')
    expect(map.metadata.annotations).toBeUndefined()
  })

  test('is the very first one, and there is nothing to go back to', async () => {
    const { objects } = await afterTheCrash()
    const first = objects.filter((object) => (object as { kind?: string }).kind !== 'ConfigMap')
    const { wish } = await pass(bad, first, { nowMs: NOW })
    expect(child<ConfigMap>(wish.children, 'ConfigMap', 'prod-config').data?.['slurm.conf']).toContain('Nonsense=1')
  })
})
