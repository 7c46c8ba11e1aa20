import { describe, expect, test } from 'vitest'
import { buildPod, buildStatus, NAMESPACES, podKey } from './build-pod.ts'
import { buildUpdate } from './build-update.ts'
import { keepWorker } from './keep-worker.ts'

describe('the pods', () => {
  test('are the same in every run, and no two are the same', () => {
    const keys = Array.from({ length: 200 }, (_, number) => JSON.stringify(podKey(number)))
    expect(new Set(keys).size).toBe(200)
    expect(new Set(keys.map((key) => (JSON.parse(key) as { namespace: string }).namespace)).size).toBe(NAMESPACES)
    expect(buildPod(7)).toEqual(buildPod(7))
  })

  test('are as large as real ones, though the server has added nothing yet', () => {
    const size = JSON.stringify({ ...buildPod(7), status: buildStatus(7) }).length
    expect(size).toBeGreaterThan(3_500)
    expect(size).toBeLessThan(6_000)
  })

  test('lose what an operator does not read', () => {
    const live = { name: 'worker-00007', uid: 'u', resourceVersion: '1', creationTimestamp: 't' }
    const pod = buildPod(7)
    const kept = keepWorker({ ...pod, metadata: { ...pod.metadata, ...live }, status: buildStatus(7) })
    expect(kept.spec).toEqual({ nodeName: 'node-7', hostname: 'worker-00007' })
    expect(Object.keys(kept.status)).toEqual(['phase', 'podIP', 'startTime', 'conditions'])
    expect(kept.metadata.labels).toEqual(pod.metadata.labels)
  })
})

describe('the updates', () => {
  // An update that changes nothing is no event: a side would wait for it, and hear fewer than the other.
  test('change something every time, in the second measurement as in the first', () => {
    const ofOnePod = ['ours', 'theirs'].flatMap((mark) =>
      [0, 1, 2, 3].map((round) => buildUpdate(round * 5 + 2, 5, mark)),
    )
    expect(new Set(ofOnePod.map((update) => JSON.stringify(update))).size).toBe(8)
  })

  test('go to labels and conditions in turn, once around all pods each', () => {
    const parts = Array.from({ length: 8 }, (_, number) => buildUpdate(number, 2, 'm').part)
    expect(parts).toEqual(['metadata', 'metadata', 'status', 'status', 'metadata', 'metadata', 'status', 'status'])
  })
})
