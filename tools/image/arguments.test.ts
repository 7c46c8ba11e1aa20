import { describe, expect, test } from 'vitest'
import { parseImageArguments } from './arguments.ts'

describe('reading the command line prevents that', () => {
  test('images land in the repository, where somebody commits them', () => {
    const { folder, programs, tag, registry, compression, architecture } = parseImageArguments([])
    expect(folder).toMatch(/slurm-operator\/images$/)
    expect(programs.map(({ image, path }) => [image, path])).toEqual([
      ['slurm-operator', '/manager'],
      ['slurm-operator-webhook', '/webhook'],
    ])
    expect({ tag, registry, compression, architecture }).toEqual({
      architecture: undefined,
      tag: '0.0.0',
      registry: 'slurm-operator.local',
      compression: 'none',
    })
  })

  test('a choice is not heard', () => {
    const words = ['--only', 'slurm-operator', '--out=/x', '--registry=r/s', '--tag=1', '--gzip', '--locked', '--json']
    expect(parseImageArguments([...words, '--arch=arm64'])).toMatchObject({
      programs: [{ image: 'slurm-operator' }],
      ...{
        folder: '/x',
        registry: 'r/s',
        tag: '1',
        compression: 'gzip',
        locked: true,
        json: true,
        architecture: 'arm64',
      },
    })
  })

  test('a mistake is built', () => {
    expect(() => parseImageArguments(['--only=slurm'])).toThrow('Give slurm-operator or slurm-operator-webhook.')
    expect(() => parseImageArguments(['--tree=/x'])).toThrow('Add --only')
    expect(() => parseImageArguments(['--arch=x64'])).toThrow('Cannot build images for x64. Give amd64 or arm64.')
    expect(() => parseImageArguments(['--nonsense'])).toThrow('nonsense')
  })
})
