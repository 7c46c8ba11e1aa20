import type { ConfigMap, Live, Writer } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { foldingWriter } from './folding-writer.ts'

const object: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'a', name: 'one' } }
const live = {
  ...object,
  metadata: { ...object.metadata, uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' },
} as Live<ConfigMap>
const key = { namespace: 'a', name: 'one' }

function world(answers: Partial<Writer<ConfigMap>> = {}) {
  const folded: string[] = []
  const answer = async () => live
  const writer: Writer<ConfigMap> = {
    ...{ create: answer, update: answer, patch: answer, apply: answer },
    delete: async () => ({ kind: 'deleted', uid: 'u' }),
    deleteMany: async () => {},
    ...answers,
  }
  const cache = {
    wrote: ({ metadata }: Live<ConfigMap>) => void folded.push(`wrote ${metadata.resourceVersion}`),
    deleted: (_: unknown, uid: string) => void folded.push(`deleted ${uid}`),
  }
  return { folded, writer: foldingWriter(writer, cache) }
}

describe('own writes', () => {
  test('a loop does not see what it has just written', async () => {
    const { folded, writer } = world()
    await writer.create(object)
    await writer.update(object)
    await writer.patch(key, { type: 'merge', body: {} })
    await writer.apply(object, { fieldManager: 'test' })
    await writer.delete(key)
    expect(folded).toEqual(['wrote 7', 'wrote 7', 'wrote 7', 'wrote 7', 'deleted u'])
  })

  test('a pod that is still ending counts as gone', async () => {
    const leaving = { ...live, metadata: { ...live.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
    const { folded, writer } = world({ delete: async () => ({ kind: 'accepted', object: leaving }) })
    await writer.delete(key)
    expect(folded).toEqual(['wrote 7'])
  })

  test('a pod that needed no time to end stays, because the answer to its deletion is the pod', async () => {
    const times = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 }
    const gone = { ...live, metadata: { ...live.metadata, ...times } }
    const { folded, writer } = world({ delete: async () => ({ kind: 'accepted', object: gone }) })
    await writer.delete(key)
    expect(folded).toEqual(['deleted u'])
  })

  test('an object stays after its last finalizer was taken away, because the answer to that is the object', async () => {
    const metadata = { ...live.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 }
    const left = { ...live, metadata: { ...metadata, finalizers: ['test.dev/one'] } }
    const answers = [
      left,
      { ...live, metadata: { ...metadata, deletionGracePeriodSeconds: 30 } },
      { ...live, metadata },
    ]
    const { folded, writer } = world({ patch: async () => answers.shift() ?? live })
    for (let patches = 0; patches < 3; patches++) await writer.patch(key, { type: 'merge', body: {} })
    expect(folded).toEqual(['wrote 7', 'wrote 7', 'deleted u'])
  })

  test('a Service that was deleted stays, because the answer to its deletion is the Service', async () => {
    const { folded, writer } = world({ delete: async () => ({ kind: 'accepted', object: live }) })
    await writer.delete(key)
    expect(folded).toEqual(['deleted u'])
  })

  test('a dry run changes what others read', async () => {
    const { folded, writer } = world()
    await writer.create(object, { dryRun: true })
    await writer.delete(key, { dryRun: true })
    expect(folded).toEqual([])
  })

  test('a write that got no answer is taken for done', async () => {
    const { folded, writer } = world({ create: () => Promise.reject(new Error('no answer')) })
    await expect(writer.create(object)).rejects.toThrow('no answer')
    expect(folded).toEqual([])
  })
})
