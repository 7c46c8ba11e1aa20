import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFailure, type Client, type JsonValue } from '@slurm-operator/kube'
import { startServerWithCrds } from '../crd/gen.ts'
import { checkFreeForm, freeFormFields } from './check-free-form.ts'
import { anyFreeForm, anySlip, listKeys, replaceAt } from './gen.ts'

const client = await startServerWithCrds()
const SEED = 20_261_116
const POD = '/api/v1/namespaces/default/pods'

/** A value with a slip in one name, a wrong type at one place, or neither. */
const anyPodSpec = fc
  .tuple(anyFreeForm('PodSpec'), anySlip, fc.nat(), fc.constantFrom('right', 'slip', 'type'), anyWrong())
  .map(([value, slip, which, how, wrong]) => {
    const keys = listKeys(value, freeFormFields.PodSpec)
    const at = keys[which % keys.length]
    if (how === 'right' || at === undefined) return value
    return replaceAt(value, at, (key, part) => (how === 'slip' ? [slip(key), part] : [key, wrong]))
  })

function anyWrong(): fc.Arbitrary<JsonValue> {
  return fc.constantFrom<JsonValue>(1, 1.5, 2 ** 33, -1, true, 'x', '1', '', {}, { a: 1 }, [], ['x'], [1])
}

test('what we say about a pod is what a strict API server says', async () => {
  const specs = fc.sample(anyPodSpec, { numRuns: 400, seed: SEED })
  const different: unknown[] = []
  const seen = { decoded: 0, refused: 0, unknown: 0 }
  for (const spec of specs) {
    const [ours, servers] = [judge(spec), await askServer(client, spec)]
    if (servers === 'refused') seen.refused++
    else if (servers.length > 0) seen.unknown++
    else seen.decoded++
    if (JSON.stringify(ours) !== JSON.stringify(servers)) different.push({ spec: JSON.stringify(spec), ours, servers })
  }
  expect(different).toEqual([])
  expect(Math.min(seen.decoded, seen.refused, seen.unknown)).toBeGreaterThan(30)
})

/** The keys that do nothing, or that the whole cannot be read. */
type Verdict = 'refused' | readonly string[]

function judge(spec: JsonValue): Verdict {
  const problems = [...checkFreeForm(spec, 'PodSpec', 'spec')]
  if (problems.some(({ severity, problem }) => severity === 'error' && problem.startsWith('it must'))) return 'refused'
  return problems.flatMap(({ path, problem }) => (problem.includes('no field of this name') ? [path] : [])).sort()
}

async function askServer(server: Client, spec: JsonValue): Promise<Verdict> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec })
  try {
    await server.raw({ method: 'POST', path: POD, query: { dryRun: 'All', fieldValidation: 'Strict' }, body })
    return []
  } catch (error) {
    if (isFailure(error, 'Invalid', 'Forbidden', 'InternalError')) return [] // it was read
    if (!isFailure(error, 'BadRequest')) throw error
    if (!error.message.includes('strict decoding error')) return 'refused'
    return [...error.message.matchAll(/unknown field "([^"]+)"/g)].map(([, path = '']) => path).sort()
  }
}
