import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recorded } from '../model/gen.ts'
import { mappings } from '../model/mappings.ts'
import { readGres, readTres } from './tres.ts'

describe('what a node has', () => {
  const table: readonly [text: string, wanted: Record<string, number>][] = [
    ['cpu=2,mem=2000M,billing=2,gres/gpu=2', { cpu: 2, mem: 2000, billing: 2, 'gres/gpu': 2 }],
    ['mem=1.50G,cpu=4', { mem: 1536, cpu: 4 }],
    ['mem=4T', { mem: 4 * 1024 * 1024 }],
    ['mem=512', { mem: 512 }],
    ['gres/gpu:a100=8,gres/gpumem=80G', { 'gres/gpu:a100': 8, 'gres/gpumem': 80 * 2 ** 30 }],
    ['', {}],
    ['cpu=,=3,cpu,mem=lots', {}],
    ['__proto__=1', { ['__proto__']: 1 }],
  ]
  for (const [text, wanted] of table) {
    test(`"${text}"`, () => expect(Object.entries(readTres(text))).toEqual(Object.entries(wanted)))
  }

  test('of a real GPU node', () => {
    const [node] = mappings['v0.0.45'].nodes(recorded('node-mixed-gpu').response.body).records
    expect(readTres(node?.tres ?? '')).toMatchObject({ cpu: 2, mem: 2000, 'gres/gpu': 2 })
    expect(readTres(node?.tresUsed ?? '')).toMatchObject({ cpu: 1, mem: 500, 'gres/gpu': 1 })
    expect(readGres(node?.gres ?? '')).toEqual([{ name: 'gpu', type: 'a100', count: 2 }])
    expect(readGres(node?.gresUsed ?? '')).toEqual([{ name: 'gpu', type: 'a100', count: 1 }])
  })
})

describe('generic resources', () => {
  const table: readonly [text: string, wanted: [string, string, number][]][] = [
    ['gpu:2', [['gpu', '', 2]]],
    ['gpu', [['gpu', '', 1]]],
    ['gpu:a100', [['gpu', 'a100', 1]]],
    [
      'gpu:a100:2(S:0-1),shard:8(S:0)',
      [
        ['gpu', 'a100', 2],
        ['shard', '', 8],
      ],
    ],
    [
      'gpu:a100:3(IDX:0,2-3),gpu:v100:0(IDX:N/A)',
      [
        ['gpu', 'a100', 3],
        ['gpu', 'v100', 0],
      ],
    ],
    ['craynetwork:no_consume:4', [['craynetwork', '', 4]]],
    ['bandwidth:lustre:4K', [['bandwidth', 'lustre', 4096]]],
    ['', []],
    ['N/A', []],
  ]
  for (const [text, wanted] of table) {
    test(`"${text}"`, () => expect(readGres(text).map(({ name, type, count }) => [name, type, count])).toEqual(wanted))
  }
})

test('any text gives finite counts', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const count of Object.values(readTres(text))) expect(Number.isFinite(count)).toBe(true)
      for (const { count } of readGres(text)) expect(Number.isFinite(count)).toBe(true)
    }),
  )
})
