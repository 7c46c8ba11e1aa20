/**
 * What the person asked for: `node tools/bench.ts [name] [--json FILE] [--size NUMBER ...]`.
 *
 * @module
 */
import type { Benchmark } from './benchmark.ts'

/** A wish, understood but not yet carried out. */
export type Wish =
  | { readonly do: 'list' }
  | {
      readonly do: 'run'
      readonly name: string
      readonly sizes: Readonly<Record<string, number>>
      readonly jsonFile: string | undefined
    }

/** Understand the arguments or throw with a hint. */
export function parseArguments(parameters: readonly string[], all: Readonly<Record<string, Benchmark>>): Wish {
  const [name, ...rest] = parameters
  if (name === undefined) return { do: 'list' }
  const benchmark = Object.hasOwn(all, name) ? all[name] : undefined
  if (benchmark === undefined) throw new Error(whyUnknown(name, all))
  const options = readOptions(rest, ['json', ...Object.keys(benchmark.sizes)])
  const { json: jsonFile, ...chosen } = Object.fromEntries(options)
  const usual = Object.entries(benchmark.sizes).map(([size, { usual }]) => [size, usual])
  const sizes = Object.entries(chosen).map(([size, value]) => [size, wholeNumber(size, value)])
  return { do: 'run', name, jsonFile, sizes: Object.fromEntries([...usual, ...sizes]) }
}

/** What there is, for people. */
export function describeBenchmarks(all: Readonly<Record<string, Benchmark>>): string[] {
  return Object.entries(all).flatMap(([name, { says, sizes }]) => [
    `npm run bench -- ${name} [--json FILE]: ${says}`,
    ...Object.entries(sizes).map(([size, one]) => `  --${size} ${one.usual}: ${one.says}`),
  ])
}

function readOptions(rest: readonly string[], known: readonly string[]): Map<string, string> {
  const options = new Map<string, string>()
  const queue = [...rest]
  for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
    const [, name = '', attached] = /^--([\w-]+)(?:=(.*))?$/.exec(one) ?? []
    if (!known.includes(name)) throw new Error(`Cannot use ${one}: it is not an option. Say one of: ${shown(known)}.`)
    const value = attached ?? queue.shift()
    if (value === undefined || value === '' || value.startsWith('--')) throw new Error(whyNoValue(name))
    options.set(name, value)
  }
  return options
}

function wholeNumber(name: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new Error(`Cannot use --${name} ${value}: it takes a whole number above zero, such as --${name} 1000.`)
}

const shown = (names: readonly string[]): string => names.map((name) => `--${name}`).join(', ')

const whyNoValue = (name: string): string => `Cannot use --${name}: its value is missing. Say --${name} VALUE.`

function whyUnknown(name: string, all: Readonly<Record<string, Benchmark>>): string {
  return `Cannot run "${name}": there is no such benchmark. Say one of: ${Object.keys(all).join(', ')}.`
}
