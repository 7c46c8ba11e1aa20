import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startRealServer } from '../client/real/gen.ts'
import { KubeError } from '../errors/kube-error.ts'
import { matchesLabels } from './match-labels.ts'
import { parseSelector } from './parse-selector.ts'
import { SelectorError } from './requirement.ts'

const PATH = '/api/v1/namespaces/default/configmaps'
const seed = Number(process.env['SEED'] ?? 1)

const { client } = await startRealServer()

const anyKey = fc.constantFrom('a', 'b', 'in', 'x.io/c')
const anyValue = fc.constantFrom('', 'a', 'in', '5', '17', '05')
const anyWord = fc.oneof(
  anyKey,
  anyValue,
  fc.constantFrom('=', '==', '!=', '!', 'in', 'notin', '(', ')', ',', '>', '<', ' ', '/'),
)
const anyList = fc.array(anyValue, { minLength: 1, maxLength: 3 }).map((values) => `(${values.join(',')})`)
const anyRequirement = fc.oneof(
  anyKey,
  anyKey.map((key) => `!${key}`),
  fc.tuple(anyKey, fc.constantFrom('=', '==', '!=', '>', '<'), anyValue).map((parts) => parts.join('')),
  fc.tuple(anyKey, fc.constantFrom(' in ', ' notin '), anyList).map((parts) => parts.join('')),
)
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.array(anyRequirement, { maxLength: 3 }).map((parts) => parts.join(',')) },
  { weight: 1, arbitrary: fc.array(anyWord, { maxLength: 6 }).map((words) => words.join('')) },
)

test(`the server selects what we select, and refuses what we refuse (SEED=${seed})`, async () => {
  const maps = fc.sample(fc.dictionary(anyKey, anyValue), { seed, numRuns: 40 })
  await Promise.all(maps.map((labels, index) => store(`m${index}`, labels)))
  const texts = fc.sample(anyText, { seed, numRuns: 1000 })
  let refused = 0
  for (const text of texts) {
    const ours = selectedByUs(text, maps)
    if (ours === 'refused') refused++
    expect(await selectedByServer(text), JSON.stringify(text)).toEqual(ours)
  }
  console.info(`selectors, SEED=${seed}: ${texts.length} compared, ${refused} of them refused by both`)
})

async function store(name: string, labels: Record<string, string>): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } })
  await client.raw({ method: 'POST', path: PATH, contentType: 'application/json', body })
}

function selectedByUs(text: string, maps: readonly Record<string, string>[]): string[] | 'refused' {
  try {
    const selector = parseSelector(text)
    return maps.flatMap((labels, index) => (matchesLabels(selector, labels) ? [`m${index}`] : [])).toSorted()
  } catch (error) {
    if (error instanceof SelectorError) return 'refused'
    throw error
  }
}

async function selectedByServer(labelSelector: string): Promise<string[] | 'refused'> {
  try {
    const { text } = await client.raw({ method: 'GET', path: PATH, query: { labelSelector } })
    const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] }
    const names = items.map(({ metadata }) => metadata.name)
    return names.filter((name) => /^m[0-9]+$/.test(name)).toSorted()
  } catch (error) {
    if (error instanceof KubeError && error.code === 400) return 'refused'
    throw error
  }
}
