import { annotationKeys } from '@slurm-operator/api'
import { absent, cleanReason, REASON_PREFIX, seen, unknown, type SlurmNode } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import {
  aKubeNode,
  aPicture,
  aSlurmNode,
  aWorker,
  infoFor,
  inShort,
  NOW,
  ourCordon,
  stepsThat,
  type PictureDifferences,
} from './gen.ts'
import { REGISTRATION } from './picture-keys.ts'
import type { KubeNode, Picture, Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import type { Plan } from './steps.ts'

const byUser = { [annotationKeys.podCordon]: 'true' }
const CORDON = annotationKeys.podCordon
const OURS = `${REASON_PREFIX}pod default/foo-0 is cordoned`
const HOST = 'n1'

function record(states: readonly string[], reason = ''): SlurmNode {
  return aSlurmNode({ states, reason, comment: infoFor('foo-0', HOST) })
}

/** One worker foo-0 on n1. */
function pictureOf(worker: Partial<Worker>, node: Partial<KubeNode> = {}, more: PictureDifferences = {}): Picture {
  const { wanted, ...rest } = more
  const foo = aWorker('foo-0', { nodeName: HOST, ...worker })
  return aPicture({ workers: [foo], kubeNodes: [aKubeNode(HOST, node)], wanted: { replicas: 1, ...wanted }, ...rest })
}

/** The plan for it without what is only noted. */
function planFor(...what: Parameters<typeof pictureOf>): Plan {
  const plan = planNodeSet(pictureOf(...what))
  return { ...plan, steps: plan.steps.filter((step) => step.do !== 'set-pod-conditions') }
}

const says = (states: readonly string[], reason = ''): Partial<Worker> => ({
  slurmNode: seen(record(states, reason), NOW),
})
const down = { unschedulable: true }
const patched = (plan: Plan): unknown => stepsThat(plan, 'patch-pod')[0]?.annotations
const drained = (plan: Plan): unknown => stepsThat(plan, 'drain')[0]?.drainReason

describe('a cordoned Kube node', () => {
  test('NS-224: its worker goes on receiving jobs', () => {
    const plan = planFor(says(['IDLE']), down)
    expect(inShort(plan)).toEqual(['patch-pod foo-0', 'drain foo-0'])
    expect(patched(plan)).toMatchObject({ [CORDON]: 'true' })
    expect(drained(plan)).toBe(`${REASON_PREFIX}Kube node n1 of pod default/foo-0 is cordoned`)
    expect(stepsThat(plan, 'patch-pod')[0]?.event).toEqual({ type: 'Normal', reason: 'NodeCordon' })
  })

  const disk = { type: 'DiskPressure', status: 'True', reason: 'R', message: 'M' }
  const gpu = { type: 'GPUProblem', status: 'True', reason: 'G', message: 'gone' }
  const reasonAnnotation = (text: string): Partial<KubeNode> => ({
    annotations: { [annotationKeys.nodeCordonReason]: text },
  })
  const both = ['GPUProblem', 'DiskPressure']
  const reasons: readonly { id: string; name: string; node: Partial<KubeNode>; propagated?: string[]; text: string }[] =
    [
      {
        id: 'NS-225',
        name: 'the annotated reason',
        node: reasonAnnotation('custom maintenance window'),
        text: 'custom maintenance window',
      },
      {
        id: 'NS-226',
        name: 'the annotation before conditions',
        node: { ...reasonAnnotation('mine'), conditions: [disk] },
        propagated: both,
        text: 'mine',
      },
      { id: 'NS-227', name: 'a propagated condition', node: { conditions: [disk] }, propagated: both, text: '(R: M)' },
      {
        id: 'NS-228',
        name: 'two in the configured order',
        node: { conditions: [disk, gpu] },
        propagated: both,
        text: '(G: gone); (R: M)',
      },
      {
        id: 'NS-229',
        name: 'not one that is False',
        node: { conditions: [{ ...disk, status: 'False' }] },
        propagated: both,
        text: 'Kube node n1 of pod default/foo-0 is cordoned',
      },
      {
        id: 'NS-230',
        name: 'not one that nobody asked for',
        node: { conditions: [disk] },
        propagated: ['Other'],
        text: 'Kube node n1 of pod default/foo-0 is cordoned',
      },
      { id: 'NS-231', name: 'an empty annotation', node: reasonAnnotation(''), text: 'unknown' },
      {
        id: 'WP-41',
        name: 'a condition with line breaks',
        node: { conditions: [{ ...disk, message: 'a\nb' }] },
        propagated: both,
        text: '(R: a b)',
      },
    ]
  test.each(reasons)('$id: people do not learn why: $name', ({ node, propagated = [], text }) => {
    const plan = planFor(says(['IDLE']), { ...down, ...node }, { propagatedConditions: propagated })
    expect(drained(plan)).toBe(`${REASON_PREFIX}${text}`)
  })

  test('NS-233, WP-42: an old text of ours hides the new reason', () => {
    const plan = planFor(says(['IDLE'], `${REASON_PREFIX}old text`), { ...down, ...reasonAnnotation('fan broken') })
    expect(drained(plan)).toBe(`${REASON_PREFIX}fan broken`)
  })
  test('NS-246, WP-32: every pass drains it and tells it again', () => {
    const reason = `${REASON_PREFIX}Kube node n1 of pod default/foo-0 is cordoned`
    expect(planFor({ ...says(['IDLE', 'DRAIN'], reason), annotations: ourCordon() }, down).steps).toEqual([])
  })
  test('NS-238: a worker that Slurm does not know is marked', () => {
    expect(planFor({ slurmNode: absent(NOW) }, down).steps).toEqual([])
  })
  test('NS-239: a Kube node that is gone, or none yet', () => {
    expect(stepsThat(planFor({ ...says(['IDLE', 'DRAIN'], OURS), nodeName: 'n7' }), 'undrain')).toEqual([])
    expect(planFor({ nodeName: '', phase: 'Pending', readySinceMs: undefined, slurmNode: absent(NOW) }).steps).toEqual(
      [],
    )
  })
})

describe('a pod that its user cordons', () => {
  test('NS-232: is drained', () => {
    expect(drained(planFor({ ...says(['IDLE']), annotations: byUser }))).toBe(OURS)
  })
  test('NS-242, WP-37: any spelling of true counts', () => {
    expect(drained(planFor({ ...says(['IDLE']), annotations: { [CORDON]: 'True' } }))).toBe(OURS)
  })
  test('NS-243, WP-05: the user’s mark and the drain stay, pass after pass', () => {
    const settled = planFor({ ...says(['IDLE', 'DRAIN'], OURS), annotations: byUser })
    expect([settled.steps, settled.steps, settled.steps]).toEqual([[], [], []])
  })
  test('NS-244: is returned to service when the user takes the mark away', () => {
    expect(inShort(planFor(says(['IDLE', 'DRAIN'], OURS)))).toEqual(['undrain foo-0'])
  })
  test('a user’s mark from before survives a cordon of the Kube node', () => {
    const during = planFor({ ...says(['IDLE', 'DRAIN'], OURS), annotations: byUser }, down)
    expect(patched(during)).toBeUndefined()
    const after = planFor({ ...says(['IDLE', 'DRAIN'], OURS), annotations: byUser })
    expect(after.steps).toEqual([])
  })
})

describe('taking over from another program: its cordons have no mark', () => {
  const BY = `${CORDON}-by`
  const unseen = { annotations: byUser, conditions: [] }
  const marked = { [BY]: 'slurm-operator' }
  const notes = (worker: Partial<Worker>, node: Partial<KubeNode> = {}) =>
    stepsThat(planNodeSet(pictureOf(worker, node)), 'set-pod-conditions').length

  test('WP-06: its cordon counts as the user’s, so that the worker is drained for ever', () => {
    expect(patched(planFor({ ...says(['IDLE']), ...unseen }, down))).toEqual(marked)
    const after = planFor({ ...says(['IDLE', 'DRAIN'], OURS), annotations: { ...byUser, ...marked } })
    expect(patched(after)).toEqual({ [CORDON]: null, [BY]: null })
    expect(inShort(after)).toContain('undrain foo-0')
  })

  test.each<[string, Partial<Worker>]>([
    ['an administrator has given another reason', says(['IDLE', 'DRAIN'], 'bad disk')],
    ['slurmd does not respond', says(['DOWN'], 'Not responding')],
    ['Slurm has lost the record', { slurmNode: absent(NOW) }],
    ['Slurm is silent', { slurmNode: unknown('unreachable') }],
  ])('WP-06: the same, because %s while we first look', (_name, slurm) => {
    const worker = { ...unseen, ...slurm }
    expect(patched(planFor(worker, down))).toEqual(marked)
    expect(notes(worker, down)).toBe(0)
  })

  test('WP-06: the same, because we noted that we know the pod, and the mark could not be written', () => {
    const [first, second] = [says(['IDLE', 'DRAIN'], OURS), { annotations: { ...byUser, ...marked } }]
    expect(notes({ ...unseen, ...first }, down)).toBe(0)
    expect(notes({ ...unseen, ...first, ...second }, down)).toBe(1)
    expect(notes({ ...first, conditions: [] }, down)).toBe(1) // without a cordon there is nothing to wait for
  })

  test('WP-05: a user’s cordon of a pod that we have just made is taken for another program’s', () => {
    const ours = { annotations: { ...byUser, [REGISTRATION]: 'r1' }, conditions: [] }
    expect(patched(planFor({ ...says(['IDLE']), ...ours }, down))).toBeUndefined()
    const after = planFor({ ...says(['IDLE', 'DRAIN'], OURS), ...ours })
    expect(after.steps).toEqual([])
  })

  test('WP-05: a user’s cordon is taken over, though its Kube node is in service', () => {
    expect(patched(planFor({ ...says(['IDLE']), ...unseen }))).toBeUndefined()
  })
})

describe('what is not ours', () => {
  test('NS-235: a foreign reason is replaced, or its pod marked', () => {
    expect(planFor({ ...says(['IDLE'], 'manual drain outside'), annotations: byUser }).steps).toEqual([])
  })
  test.each([
    ['NS-236', 'Not responding to ping'],
    ['NS-237', `${REASON_PREFIX}x : Not responding`],
  ])('%s: a node that does not respond is touched: %s', (_id, reason) => {
    expect(planFor({ ...says(['DOWN'], reason), annotations: byUser }).steps).toEqual([])
  })
  test('NS-256: an administrator’s drain is taken back', () => {
    const reason = 'manual cluster admin drain'
    expect(planFor({ ...says(['IDLE', 'DRAIN'], reason), annotations: ourCordon() }).steps).toEqual([])
  })
  test('nothing is undrained while Slurm is silent', () => {
    const silent = unknown('unreachable', record(['IDLE', 'DRAIN'], OURS))
    expect(planFor({ slurmNode: silent, annotations: ourCordon() }).steps).toEqual([])
  })
})

describe('when no cause is left', () => {
  test.each(['', `${REASON_PREFIX}x`])(
    'NS-234: a node drained with the reason "%s" stays drained for ever',
    (reason) => {
      expect(inShort(planFor(says(['IDLE', 'DRAIN'], reason)))).toEqual(['undrain foo-0'])
    },
  )
  test.each(['RollingUpdate', 'OnDelete'] as const)(
    'NS-245, NS-253, WP-06: with %s our cordon stays for ever',
    (type) => {
      const updateStrategy = type === 'OnDelete' ? { type } : { type, maxUnavailable: 1 }
      const plan = planFor(
        { ...says(['IDLE', 'DRAIN'], OURS), annotations: ourCordon() },
        {},
        { wanted: { updateStrategy } },
      )
      expect(inShort(plan)).toEqual(['patch-pod foo-0', 'undrain foo-0'])
      expect(patched(plan)).toEqual({ [CORDON]: null, [`${CORDON}-by`]: null })
    },
  )
  test('jobs are sent to a slurmd that is not up yet', () => {
    const plan = planFor({ ...says(['IDLE', 'DRAIN'], OURS), readySinceMs: undefined })
    expect(stepsThat(plan, 'undrain')).toEqual([])
  })
  test('NS-254: it is undrained, or loses its mark, although the Kube node is cordoned', () => {
    const plan = planFor({ ...says(['IDLE', 'DRAIN'], OURS), annotations: ourCordon() }, down)
    expect([patched(plan), stepsThat(plan, 'undrain')]).toEqual([undefined, []])
  })
  test('NS-255: a node that our preStop hook left down and drained stays so', () => {
    expect(inShort(planFor(says(['DOWN', 'DRAIN'], `${REASON_PREFIX}Pod is terminating`)))).toEqual(['resume foo-0'])
  })
  test('what an administrator said of a node is undone, because our preStop hook has put it DOWN since', () => {
    expect(inShort(planFor(says(['DOWN', 'FAIL'], `${REASON_PREFIX}Pod is terminating`)))).toEqual([])
  })
  test('NS-257, NS-258: the mark and the undrain are one chain, so that a failure is repaired by the next pass', () => {
    const plan = planFor({ ...says(['IDLE', 'DRAIN'], OURS), annotations: ourCordon() })
    expect(plan.steps.map(({ chain }) => chain)).toEqual(['pod/foo-0', 'pod/foo-0'])
    expect(inShort(planFor(says(['IDLE', 'DRAIN'], OURS)))).toEqual(['undrain foo-0']) // the mark is gone already
  })
  test('NS-241: the mark is set and the drain failed: the next pass drains', () => {
    expect(inShort(planFor({ ...says(['IDLE']), annotations: ourCordon() }, down))).toEqual(['drain foo-0'])
  })
})

describe('operations on Slurm nodes', () => {
  const drains = (states: string[], reason: string): string[] =>
    inShort(planFor({ ...says(states, reason), annotations: byUser })).filter((step) => step !== 'patch-pod foo-0')
  test('NS-391: a node without reason is drained with ours', () =>
    expect(drains(['IDLE'], '')).toEqual(['drain foo-0']))
  test('NS-392: a foreign drain is changed', () => expect(drains(['IDLE', 'DRAIN'], 'already drained')).toEqual([]))
  test('NS-393: our old reason stays', () =>
    expect(drains(['IDLE', 'DRAIN'], `${REASON_PREFIX}a`)).toEqual(['drain foo-0']))
  test('NS-394: the same drain is asked for again', () => expect(drains(['IDLE', 'DRAIN'], OURS)).toEqual([]))
  test.each([
    ['drain', byUser],
    ['undrain', ourCordon()],
  ])('NS-395: a record that does not exist is written to: %s', (_what, annotations) => {
    expect(planFor({ slurmNode: absent(NOW), annotations }).steps).toEqual([])
  })
  test('NS-396, NS-397, NS-398: only a drain that stands is taken back', () => {
    expect(inShort(planFor(says(['IDLE', 'DRAIN'])))).toEqual(['undrain foo-0'])
    expect(planFor(says(['IDLE'])).steps).toEqual([])
    expect(planFor(says(['IDLE', 'DRAIN', 'UNDRAIN'])).steps).toEqual([])
  })
})

describe('words of others in drain reasons', () => {
  test.each([
    ['NS-247', 'line1\nline2', 'line1 line2'],
    ['NS-248', 'a\u0000\u0007\u001bb', 'ab'],
    ['NS-249', 'a'.repeat(306), 'a'.repeat(256)],
    ['NS-250', 'é'.repeat(300), 'é'.repeat(256)],
    ['NS-251', 'a\r\tb', 'a  b'],
    ['NS-252', '  text  ', 'text'],
  ])('%s: line breaks, control characters or too much text get into Slurm', (_id, text, cleaned) =>
    expect(cleanReason(text)).toBe(cleaned),
  )
})

test('WP-31: a node that came back DOWN loses the reason by which we would know it as ours', () => {
  const reason = `${REASON_PREFIX}Pod is terminating`
  expect(inShort(planFor(says(['DOWN', 'DRAIN', 'NOT_RESPONDING'], reason)))).not.toContain('undrain foo-0')
  expect(inShort(planFor(says(['DOWN', 'DRAIN'], reason)))).toContain('resume foo-0')
})
