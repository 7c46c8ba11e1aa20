import { annotationKeys } from '@slurm-operator/api'
import { describe, expect, test } from 'vitest'
import { judgeAt, objectOf, requestOf } from './gen.ts'

const wrong = { extraConf: 'x', replicas: -1 }

describe('judging objects prevents that', () => {
  test('a finalizer cannot be taken off an object that became invalid', async () => {
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' }
    const leaving = requestOf({ object: objectOf('NodeSet', wrong, metadata), oldObject: objectOf('NodeSet') })
    expect(await judgeAt('NodeSet', leaving)).toEqual({ allowed: true, errors: [], warnings: [] })
  })

  test('an object that was valid once cannot be labelled any more', async () => {
    const labelled = objectOf('NodeSet', wrong, { labels: { a: 'b' } })
    const request = requestOf({ object: labelled, oldObject: objectOf('NodeSet', wrong) })
    expect(await judgeAt('NodeSet', request)).toEqual({ allowed: true, errors: [], warnings: [] })
  })

  test('a switch that kubectl annotate writes wrong is silently off', async () => {
    const annotations = { [annotationKeys.protectUntilDrained]: 'True' }
    const request = requestOf({ object: objectOf('NodeSet', {}, { annotations }), oldObject: objectOf('NodeSet') })
    expect(await judgeAt('NodeSet', request)).toEqual({
      allowed: true,
      errors: [],
      warnings: [expect.stringContaining('"True", which means false')],
    })
  })

  test('an object that was valid once cannot be annotated any more', async () => {
    const annotated = objectOf('NodeSet', wrong, { annotations: { a: 'b' } })
    const request = requestOf({ object: annotated, oldObject: objectOf('NodeSet', wrong) })
    expect(await judgeAt('NodeSet', request)).toMatchObject({ allowed: true, errors: [] })
  })

  test('an old mistake is made worse unseen', async () => {
    const worse = requestOf({
      object: objectOf('NodeSet', { ...wrong, extraConf: 'x y' }),
      oldObject: objectOf('NodeSet', wrong),
    })
    const { errors, warnings } = await judgeAt('NodeSet', worse)
    expect(errors).toEqual([expect.stringContaining('"y"')])
    expect(warnings).toEqual([expect.stringContaining('spec.replicas'), expect.stringContaining('"x"')])
  })

  test('NS-050: something is deleted without a word about the jobs on it', async () => {
    const request = requestOf({ operation: 'DELETE', oldObject: objectOf('NodeSet', wrong) })
    expect(await judgeAt('NodeSet', request)).toEqual({
      allowed: true,
      errors: [],
      warnings: [expect.stringContaining('so do the jobs that run on them')],
    })
    expect(await judgeAt('Token', { ...request, oldObject: objectOf('Token') })).toMatchObject({ warnings: [] })
  })

  test('a null in a list stops the webhook', async () => {
    const object = objectOf('Controller', { configFileRefs: [null, { name: 'files' }] })
    const { allowed, warnings } = await judgeAt('Controller', requestOf({ object }), { configMaps: { files: [] } })
    expect({ allowed, warnings }).toEqual({ allowed: true, warnings: [] })
  })

  test('what is no object is admitted', async () => {
    for (const object of [undefined, null, 5, [], {}, { spec: {} }, { metadata: {}, spec: [] }]) {
      expect(await judgeAt('Controller', requestOf({ object }))).toMatchObject({ allowed: false })
    }
  })
})
