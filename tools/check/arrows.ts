/**
 * The arrows between packages. They go one way, so that a library never learns about the program that uses it.
 *
 * @module
 */
import { posix } from 'node:path'
import { type Import, SCOPE } from './imports.ts'

/** What a package may import of ours. A package without a row may not exist: add the row first. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  kube: [],
  runtime: ['kube'],
  slurm: ['kube'],
  api: ['kube'],
  operator: ['kube', 'runtime', 'slurm', 'api'],
  testkit: ['kube', 'runtime', 'slurm', 'api'],
  local: ['kube', 'runtime/certificates'],
  cli: ['kube', 'api', 'slurm'],
  dashboard: ['type api'], // what runs in a browser gets the shapes, not the code
}

const FOR_TESTS = ['testkit', 'local']
// gen.ts makes test data, generators make sources, the named folders are beds for tests: none of them ships.
const TEST_FILE =
  /(?:\.test|\/gen(?:-[a-z-]+)?)\.ts$|^packages\/[^/]+\/(?:generate|src\/(?:contract|simulation|testing|e2e|oracle|compat))\//

/** Every import that goes against an arrow, in words. */
export function findWrongArrows(imports: readonly Import[]): string[] {
  return imports.flatMap((one) => {
    const why = whyNotAllowed(one)
    return why === undefined ? [] : [`${one.from}: imports ${one.specifier}, but ${why}`]
  })
}

function whyNotAllowed({ from, specifier, typeOnly }: Import): string | undefined {
  const home = packageOf(from)
  if (home === undefined) return undefined // tools and config files may look everywhere
  const allowed = arrows[home]
  if (allowed === undefined) return `package ${home} has no row in tools/check/arrows.ts`
  if (specifier.startsWith('.')) return whyNotInside(home, from, specifier)
  if (!specifier.startsWith(SCOPE)) return undefined

  const [other = '', ...deeper] = specifier.slice(SCOPE.length).split('/')
  if (deeper.length > 0) {
    const isSideDoor = allowed.includes([other, ...deeper].join('/'))
    return isSideDoor ? undefined : `only the door of a package is open: ${SCOPE}${other}`
  }
  if (other === home || allowed.includes(other) || (typeOnly && allowed.includes(`type ${other}`))) return undefined
  if (TEST_FILE.test(from) && FOR_TESTS.includes(other)) return undefined
  return `${home} may import ${allowed.length === 0 ? 'nothing of ours' : `only ${allowed.join(', ')}`}`
}

function whyNotInside(home: string, from: string, specifier: string): string | undefined {
  const target = posix.join(posix.dirname(from), specifier)
  return packageOf(target) === home ? undefined : `relative imports stay inside packages/${home}`
}

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1]
}
