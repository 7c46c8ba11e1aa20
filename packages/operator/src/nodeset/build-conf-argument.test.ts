import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildConfArgument } from './build-conf-argument.ts'

const build = (extraConf?: string, hostname?: string) =>
  buildConfArgument({
    metadata: { name: 'gpu', namespace: 'n' },
    spec: {
      ...(extraConf !== undefined && { extraConf }),
      ...(hostname !== undefined && { template: { spec: { hostname } } }),
    },
  } as never)

/** What slurmd gets: the entry point evaluates the text in a shell. */
const inShell = (argument: string, topology?: string) =>
  execFileSync('sh', ['-c', `eval "set -- $1"; printf '%s|' "$@"`, 'sh', argument], {
    encoding: 'utf8',
    env: topology === undefined ? {} : { SLINKY_TOPOLOGY: topology },
  }).slice(0, -1)

describe('the --conf argument prevents that', () => {
  test('NS-157, WP-40: slurmd is told an empty topology and cannot register', () => {
    expect(inShell(build().value)).toBe('Features=gpu')
    expect(inShell(build().value, '')).toBe('Features=gpu')
    expect(inShell(build('Weight=10 feature=a').value)).toBe('Features=a,gpu Weight=10')
  })

  test('slurmd is not told where it is', () => {
    expect(inShell(build().value, 'topo-switch:s2,topo-block:b2')).toBe(
      'Features=gpu Topology=topo-switch:s2,topo-block:b2',
    )
    expect(inShell(build('Weight=10 Boards=1').value, 's:a')).toBe('Boards=1 Features=gpu Topology=s:a Weight=10')
  })

  test('NS-152: a topology of the user is joined with that of the Kube node', () => {
    expect(inShell(build('Topology=switch-topo:s1').value, 's:a')).toBe('Features=gpu Topology=switch-topo:s1')
    expect(inShell(build('Topology=default:x').value, 's:a')).toBe('Features=gpu Topology=default:x')
  })

  test('NS-149: the shell cuts the argument in pieces', () => {
    const { value, problems } = build()
    expect(value).toMatch(/^'Features=gpu'"\$\{SLINKY_TOPOLOGY[^'"]*\}"''$/)
    expect(inShell(value, 's:a b')).toBe('Features=gpu Topology=s:a b')
    expect(problems).toEqual([])
  })

  test('NS-150, NS-155: the same words in another order, or with other blanks, are another argument', () => {
    expect(inShell(build('Weight=10 feature=a').value, 's:a')).toBe('Features=a,gpu Topology=s:a Weight=10')
    expect(build('  Weight=5  Feature=a ')).toEqual(build('Feature=a Weight=5'))
    expect(inShell(build('  Weight=5  Feature=a ').value)).toBe('Features=a,gpu Weight=5')
  })

  test('NS-151, NS-153, NS-156: a feature is lost because it was written twice, or in other letters', () => {
    expect(inShell(build('Features=z,a').value)).toBe('Features=a,gpu,z')
    expect(inShell(build(undefined, 'foo-').value)).toBe('Features=foo')
    expect(inShell(build('Feature=a100 Feature=nvlink Features=a100').value)).toBe('Features=a100,gpu,nvlink')
    expect(inShell(build('feature=b FEATURES=a,c Feature=b').value)).toBe('Features=a,b,c,gpu')
    expect(inShell(build(undefined, 'node-').value)).toBe('Features=node')
    expect(inShell(build('RealMemory=100').value)).toBe('Features=gpu Realmemory=100')
  })

  test('NS-154: a word without a value, or a quote, breaks the start of every worker', () => {
    for (const extraConf of ['Weight', 'Weight10 Feature=a', '=x', "Comment='a b'"]) {
      const { value, problems } = build(extraConf)
      expect(inShell(value)).toBe('Features=gpu')
      expect(inShell(value, 's:a')).toBe('Features=gpu Topology=s:a')
      expect(problems[0]?.problem).toMatch(/Key=Value/)
    }
  })

  test('any text of a user runs as a command', { timeout: 60_000 }, () => {
    const nasty = fc.array(fc.constantFrom('$(id)', '`id`', '"', '\\', '$HOME', ';', 'A=1', '&', '|', '*', ' ', '='), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(nasty, (parts) => {
        const text = parts.join('')
        const words = inShell(build(text).value).split(' ')
        const allowed = new Set(['Features=gpu', ...text.split(/\s+/)].map((word) => word.toLowerCase()))
        return words.every(
          (word) => word.startsWith('Features=') || allowed.has(word.toLowerCase()) || /^[^=]+=/.test(word),
        )
      }),
      { numRuns: 60 },
    )
  })
})
