import { describe, expect, test } from 'vitest'
import { describeBenchmarks, parseArguments } from './arguments.ts'
import type { Benchmark } from './benchmark.ts'

const speed: Benchmark = {
  says: 'how fast it is',
  sizes: { pods: { usual: 10, says: 'how many' }, 'update-seconds': { usual: 60, says: 'how long' } },
  run: () => Promise.reject(new Error('nobody should run it')),
}
const all = { speed }

describe('understood', () => {
  test('nothing said', () => expect(parseArguments([], all)).toEqual({ do: 'list' }))

  test('a name alone gets the usual sizes', () =>
    expect(parseArguments(['speed'], all)).toEqual({
      do: 'run',
      name: 'speed',
      jsonFile: undefined,
      sizes: { pods: 10, 'update-seconds': 60 },
    }))

  test('values apart and attached', () =>
    expect(parseArguments(['speed', '--json', 'a.json', '--pods=500'], all)).toMatchObject({
      jsonFile: 'a.json',
      sizes: { pods: 500, 'update-seconds': 60 },
    }))
})

const accidents = [
  { name: 'a misspelt name measures nothing and succeeds', words: ['sped'], error: /no such benchmark.*speed/ },
  { name: 'a name that every object has runs something', words: ['constructor'], error: /no such benchmark/ },
  { name: 'a misspelt option is left out silently', words: ['speed', '--pod', '5'], error: /--json, --pods/ },
  { name: 'a stray word is left out silently', words: ['speed', '500'], error: /Cannot use 500/ },
  { name: 'the next option is taken for a file name', words: ['speed', '--json', '--pods', '5'], error: /missing/ },
  { name: 'a missing value becomes undefined', words: ['speed', '--pods'], error: /missing/ },
  { name: 'an empty file name', words: ['speed', '--json='], error: /missing/ },
  { name: 'no pods divide by zero', words: ['speed', '--pods', '0'], error: /whole number/ },
  { name: 'NaN pods', words: ['speed', '--pods', 'many'], error: /whole number/ },
]

describe('refused with a hint', () => {
  for (const { name, words, error } of accidents)
    test(name, () => expect(() => parseArguments(words, all)).toThrow(error))
})

test('the list names everything that can be chosen', () =>
  expect(describeBenchmarks(all)).toEqual([
    'npm run bench -- speed [--json FILE]: how fast it is',
    '  --pods 10: how many',
    '  --update-seconds 60: how long',
  ]))
