import type { NodeSet, Token } from '@slurm-operator/api'
import { describe, expect, test } from 'vitest'
import { stored } from '../testing/still-server.ts'
import type { Kept } from '../world/trim.ts'
import { readSpec } from './read-spec.ts'

const object = (kind: string, spec: object) =>
  stored({ apiVersion: 'slinky.slurm.net/v1beta1', kind, metadata: { name: 'one' }, spec }, 'hpc')
const token = (spec: object) => object('Token', spec) as unknown as Kept<Token>
const nodeSet = (spec: object) => object('NodeSet', spec) as unknown as Kept<NodeSet>

const sound = { username: 'alice', jwtKeyRef: { name: 'jwt', key: 'key' } }

describe('reading what admission did not see prevents that', () => {
  test('a value of the wrong type ends all passes, or is carried out', () => {
    const { obstacles } = readSpec('Token', token({ ...sound, username: 5 }))
    expect(obstacles).toEqual([
      { reason: 'InvalidSpec', because: expect.stringMatching(/^spec\.username.*5/) as string },
    ])
  })

  test('one unknown key makes the API server refuse a child', () => {
    const spec = { controllerRef: { name: 'prod' }, slurmd: { image: 'slurmd:1' } }
    const typo = { ...spec, slurmd: { ...spec.slurmd, imagePullPolcy: 'Always' } }
    const { object: read, obstacles } = readSpec('NodeSet', nodeSet(typo))
    expect(obstacles).toEqual([])
    expect(read.spec).toEqual(spec)
  })

  test('the same object is read again in every pass', () => {
    const one = token(sound)
    expect(readSpec('Token', one)).toBe(readSpec('Token', one))
    expect(readSpec('Token', token(sound))).not.toBe(readSpec('Token', one))
  })
})
