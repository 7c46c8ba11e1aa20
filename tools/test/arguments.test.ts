import { expect, test } from 'vitest'
import { parseArguments } from './arguments.ts'

test('without arguments the checks and all levels are wanted, from fast to real', () => {
  const wish = parseArguments([])
  expect(wish.withChecks).toBe(true)
  expect(wish.levels).toEqual(['unit', 'sim', 'api', 'e2e'])
})

test('a named level is wanted alone', () => {
  expect(parseArguments(['api', '--'])).toMatchObject({ withChecks: false, levels: ['api'], words: [] })
})

test('several levels run from fast to real, in whatever order they are named', () => {
  expect(parseArguments(['e2e', 'unit']).levels).toEqual(['unit', 'e2e'])
})

test('a mistyped level is refused instead of testing nothing', () => {
  expect(() => parseArguments(['e2'])).toThrow('Cannot test "e2"')
})

test('words and options of vitest come after the dashes', () => {
  const wish = parseArguments(['unit', '--', 'scale-in', '--bail=1', 'drains first'])
  expect(wish).toMatchObject({ words: ['scale-in', 'drains first'], vitestOptions: ['--bail=1'], environment: {} })
})

test('seeds travel to the simulation as environment variables', () => {
  const environment = { SIM_SEEDS: '500', SIM_FROM: '7' }
  expect(parseArguments(['sim', '--', '--seeds', '500', '--from', '7'])).toMatchObject({ environment, words: [] })
  expect(parseArguments(['sim', '--', '--seeds=500', '--from=7'])).toMatchObject({ environment, words: [] })
})

test('a seed that is no number is refused instead of testing another history', () => {
  expect(() => parseArguments(['sim', '--', '--seeds'])).toThrow('Cannot use --seeds without a value')
  expect(() => parseArguments(['sim', '--', '--from', 'x'])).toThrow('Cannot use --from x')
})
